"""`source.mappings`: records that go through several mappings, of files and of topics."""
import json
import random
import shutil
import subprocess
import unittest
from typing import Any

from sashd_process import Ended, Sashd, await_that, live, program, replay, run

from oracle import configuration, outliers, records
from oracle.compare import compare

SECOND = 1000
ALL = [{"file": {"path": "results.jsonl", "vertices": "all"}}]
JOBS = [{"name": "edges", "kernel": "window", "window": "w"}]

Document = dict[str, Any]

PAID: Document = {"name": "paid", "json": {"source": "/from", "target": "/to", "weight": "/amount",
                                           "time": "/at"}}
ITEMS: Document = {"name": "items", "json": {"each": "/items"},
                   "edges": [{"source": "$record/from", "target": "/product", "time": "$record/at"},
                             {"source": "/product", "target": "$record/to", "time": "/at",
                              "direction": "both"}]}


def with_mappings(document: Document, mappings: list[Document]) -> Document:
    source = {key: value for key, value in document["source"].items() if key != "format"}
    return {**document, "source": {**source, "mappings": mappings}}


def as_lines(rows: list[Document]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def orders(chance: random.Random, count: int) -> list[Document]:
    """Random orders, of which some lack what a mapping needs."""
    made = []
    for number in range(count):
        at = (number + chance.choice([0, 0, 0, -40, 3])) * SECOND
        order = {"from": f"u{chance.randrange(12)}", "to": f"u{chance.randrange(12)}", "at": at,
                 "amount": chance.choice([1, 2, 2.5, "x"]) if chance.random() < 0.3 else 1,
                 "items": [{"product": f"u{chance.randrange(12)}",
                            "at": at + chance.randrange(-5, 6) * SECOND}
                           for _ in range(1 + chance.randrange(3))]}
        if chance.random() < 0.05:
            del chance.choice([order, order["items"][0]])["at"]
        if chance.random() < 0.05:
            del order["items"]
        made.append(order)
    return made


class FilesTest(unittest.TestCase):
    def compare(self, document: Document, content: bytes) -> tuple[Ended, int]:
        ended = run(document, content)
        self.assertEqual(ended.code, 0, ended.log)
        given = configuration.from_document(document)
        lines = [line for line in content.splitlines() if line]
        if given.stream.mapping.kind == "json":
            places = ((records.Place("replay", 0, i), line) for i, line in enumerate(lines))
            read = records.decode_json(places, given.stream)
        else:
            read = records.decode_csv(content, given.stream)
        found, compared = compare(given, outliers.set_aside(read, given.stream.ahead_limit),
                                  lambda path: ended.files[path].decode().splitlines())
        self.assertEqual(str(found) if found else "", "")
        return ended, compared

    def document(self, chance: random.Random, mappings: list[Document]) -> Document:
        by_events = chance.random() < 0.3
        return with_mappings(replay(
            jobs=JOBS, sinks=ALL, time={"unit": "ms", "disorder": "4s",
                                        "late": chance.choice(["dead_letter", "next_slice"])},
            windows=[{"name": "w", "duplicates": chance.choice(["keep", "drop", "weigh"]),
                      **({"by": "events", "length": 28, "slide": 7} if by_events
                         else {"length": "20s", "slide": "5s"})}]), mappings)

    def test_every_window_of_json_equals_the_oracle(self):
        for seed in range(4):
            chance = random.Random(seed)
            mappings = [[PAID, ITEMS],
                        [ITEMS, {**PAID, "topics": ["replay"]}, {**ITEMS, "name": "more"}]]
            document = self.document(chance, mappings[seed % 2])
            with self.subTest(seed=seed, document=document):
                _, compared = self.compare(document, as_lines(orders(chance, 300)))
                self.assertGreater(compared, 20)

    def test_every_window_of_csv_equals_the_oracle(self):
        columns = [{"csv": {"source": "a", "target": "b", "weight": "w", "time": "t"}},
                   {"csv": {"source": "b", "target": "c", "time": "t", "direction": "both"}}]
        for seed in range(2):
            chance = random.Random(seed)
            rows = [f"v{chance.randrange(9)},v{chance.randrange(9)},"
                    f"{chance.choice(['', *(f'v{n}' for n in range(9))])},"
                    f"{chance.choice(['', '2', '3', '4', 'x'])},{i * 500}" for i in range(300)]
            document = self.document(chance, columns)
            with self.subTest(seed=seed, document=document):
                content = "\n".join(["a,b,c,w,t", *rows, ""]).encode()
                ended, compared = self.compare(document, content)
                self.assertGreater(compared, 20)
                names = {place["mapping"] for letter in ended.lines("dead-letters.jsonl")
                         for place in letter.get("places", [])}
                self.assertEqual(names, {"0", "1"})

    def test_each_mapping_filters_and_refuses_for_itself(self):
        mappings = [{**PAID, "where": "/kind == 'paid'"}, ITEMS]
        item = {"product": "p", "at": 1}
        rows = [{"kind": "paid", "from": "a", "to": "b", "at": 1, "items": [item]},
                {"kind": "free", "from": "c", "to": "d", "at": 2, "items": []},
                {"kind": "paid", "from": "e", "at": 3, "items": [item, {"at": 1}]}]
        ended = run(with_mappings(replay(sinks=ALL), mappings), as_lines(rows))
        self.assertEqual(ended.code, 0, ended.log)
        self.assertIn("3 records, 1 of them refused, 1 filtered", ended.log)
        self.assertEqual(sorted((edge["source"], edge["target"])
                                for edge in ended.lines()[0]["top_edges"]),
                         [("a", "b"), ("a", "p"), ("b", "p"), ("e", "p"), ("p", "b")])
        letter, = ended.lines("dead-letters.jsonl")
        self.assertEqual([(place["mapping"], place.get("element"), place.get("edge"))
                          for place in letter["places"]],
                         [("paid", None, None), ("items", 0, 1), ("items", 1, 0), ("items", 1, 1)])
        self.assertRegex(letter["detail"], "mapping paid: target /to is missing or null; .*; "
                                           "mapping items: 3 of its 4 edges")

    def test_a_trial_names_the_mapping_of_each_edge(self):
        document = with_mappings(live(), [{**PAID, "topics": ["edges"]}])
        row = as_lines([{"from": "a", "to": "b", "at": 1}])
        for topic, becomes in (("edges", "edge"), ("other", "nothing")):
            ended = run(document, row, arguments=["--check", "sashd.yaml", "--record", "events",
                                                  "--topic", topic])
            self.assertEqual(ended.code, 0, ended.log)
            line = json.loads(ended.output)
            self.assertEqual((line["becomes"], line.get("mapping")),
                             (becomes, "paid" if becomes == "edge" else None))

    def test_what_does_not_fit_together_is_an_error_before_the_start(self):
        csv = {"csv": {"source": 1, "target": 2, "time": 3}}
        for mappings, message in (
                ([PAID, csv], "mappings[1].csv: reads the rows of a file otherwise than the first"),
                ([PAID, PAID], "mappings[1].name: `paid` is the name of an earlier mapping"),
                ([{**PAID, "topics": ["t"]}],
                 "mappings[0].topics: `t` is not a topic of the source"),
                ([PAID, {**ITEMS, "keys": "integer"}],
                 "mappings[1].keys: must be that of the first"),
                ([PAID, {"json": {"source": "/a", "target": "/b"}}],
                 "mappings[1].json.time: is required: the first mapping has a time"),
                ([{"avro": {"source": "/a", "target": "/b"}}],
                 "mappings[0].avro: is only for source.kafka"),
                ([], "mappings: must have a mapping")):
            ended = run(with_mappings(replay(), mappings), arguments=["--check", "sashd.yaml"])
            self.assertEqual(ended.code, 78, ended.log)
            self.assertIn(message, ended.output + ended.log)


class TopicsTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("kcat"), "there is no kcat (package kcat)")
    def test_topics_with_json_and_csv_and_what_is_sent_again(self):
        mappings = [{**PAID, "topics": ["edges"]}, {**ITEMS, "topics": ["edges"]},
                    {"name": "login", "topics": ["logins"], "time": {"unit": "s"},
                     "csv": {"source": 1, "target": 2, "time": 3}}]
        document = with_mappings(live(sinks=ALL), mappings)
        document["source"]["kafka"]["topics"] = ["edges", "logins", "other"]
        row = {"from": "a", "at": SECOND, "items": [{"product": "p", "at": SECOND}]}
        with Sashd(document) as sashd:
            sashd.produce(as_lines([{**row, "to": "b"}, row]))
            sashd.produce(b"u,v,1\nu,w,1\n", topic="logins")
            sashd.produce(b"whatever\n", topic="other")
            self.assertTrue(await_that(lambda: (
                sashd.metric("sash_source_records_total") == 5
                and sashd.metric("sash_source_unmapped_total") == 1)), sashd.log())
            # a > b, and for the items a > p, p > b, b > p; of the second record a > p.
            counts = {each["name"]: (each["accepted"], each["filtered"], each["refused"])
                      for each in sashd.json("/api/v1/source")["mappings"]}
            self.assertEqual(counts, {"paid": (1, 0, 1), "items": (4, 0, 1), "login": (2, 0, 0)})
            self.assertEqual(sashd.metric("sash_source_mapped_total", mapping="login",
                                          outcome="accepted"), 2)
            letter, = sashd.await_lines(1, "dead-letters.jsonl")
            self.assertEqual([place["mapping"] for place in letter["places"]], ["paid", "items"])
            self.assertEqual(self.send_again(sashd, document), "1 of 1 records sent\n")
            # This process still refuses the same edges, and does not take the others a second time.
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_source_mapped_total", mapping="paid", outcome="refused") == 2), sashd.log())
            again = sashd.await_lines(2, "dead-letters.jsonl")[1]
            self.assertEqual(again["places"], letter["places"])
            self.assertEqual(sashd.metric("sash_source_mapped_total", mapping="items",
                                          outcome="accepted"), 4)
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def send_again(self, sashd: Sashd, document: Document) -> str:
        """Sends the dead letters again, with mappings that can decode the refused edges."""
        fixed = json.loads(json.dumps(document).replace("$record/to", "$record/from")
                           .replace('"/to"', '"/from"'))
        fixed["source"]["kafka"]["brokers"] = sashd.broker()
        (sashd.folder / "fixed.yaml").write_text(json.dumps(fixed))
        sent = subprocess.run(
            [program("SASHD", "sashd"), "--config", "fixed.yaml", "--replay-dead-letters",
             "dead-letters.jsonl"], cwd=sashd.folder, capture_output=True, text=True, timeout=120,
            check=False)
        self.assertEqual(sent.returncode, 0, sent.stderr)
        return sent.stdout


if __name__ == "__main__":
    unittest.main()
