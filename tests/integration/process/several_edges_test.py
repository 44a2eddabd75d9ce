"""Records that give several edges: `each`, `edges` and `direction`, compared with the oracle."""
import json
import random
import unittest
from typing import Any

from sashd_process import Ended, live, replay, run, Sashd

from oracle import configuration, outliers, records
from oracle.compare import compare

SECOND = 1000
ALL = [{"file": {"path": "results.jsonl", "vertices": "all"}}]
JOBS = [{"name": "edges", "kernel": "window", "window": "w"},
        {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 1000}]

Document = dict[str, Any]

FORMATS: list[Document] = [
    {"json": {"each": "/items", "source": "$record/user", "target": "/product",
              "weight": "/count", "time": "/at", "operation": "/op"}},
    {"json": {"each": "/items"},
     "edges": [{"source": "$record/user", "target": "/product", "weight": "/count", "time": "/at"},
               {"source": "/product", "target": "$record/shop", "time": "$record/at",
                "direction": "both"}]},
    {"json": {}, "edges": [{"source": "/user", "target": "/shop", "time": "/at"},
                           {"source": "/shop", "target": "/user", "time": "/paid"}]},
    {"json": {"source": "/user", "target": "/shop", "time": "/at", "direction": "both"}},
]


def orders(chance: random.Random, count: int) -> list[Document]:
    """Random orders, of which some have items that are not edges."""
    made = []
    for number in range(count):
        at = (number + chance.choice([0, 0, 0, -40, 3])) * SECOND

        def item() -> Document:
            one = {"product": f"p{chance.randrange(12)}",
                   "at": at + chance.randrange(-5, 6) * SECOND}
            if chance.random() < 0.5:
                one["count"] = chance.choice([2, 3, -1, 0.5])
            if chance.random() < 0.1:
                one["op"] = chance.choice(["remove", "add"])
            if chance.random() < 0.01:
                del one["product"]
            return one

        order = {"at": at, "paid": at + 2 * SECOND,
                 "items": [item() for _ in range(1 + chance.randrange(5))],
                 "user": f"u{chance.randrange(12)}", "shop": f"u{chance.randrange(12)}"}
        names = list(order)
        chance.shuffle(names)
        made.append({name: order[name] for name in names})
    return made


def as_lines(rows: list[Document]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


class SeveralEdgesTest(unittest.TestCase):
    def differences(self, document: Document, content: bytes, ended: Ended) -> tuple[str, int]:
        given = configuration.from_document(document)
        places = ((records.Place("replay", 0, offset), line)
                  for offset, line in enumerate(content.splitlines()))
        read = outliers.set_aside(records.decode_json(places, given.stream),
                                  given.stream.ahead_limit)
        found, compared = compare(given, read,
                                  lambda path: ended.files[path].decode().splitlines())
        return str(found) if found else "", compared

    def test_every_window_equals_the_oracle(self):
        for seed in range(8):
            chance = random.Random(seed)
            by_events = seed % 3 == 2
            document = replay(
                format=FORMATS[seed % len(FORMATS)], jobs=JOBS, sinks=ALL,
                time={"unit": "ms", "disorder": "4s",
                      "late": chance.choice(["drop", "dead_letter", "next_slice"])},
                windows=[{"name": "w", "duplicates": chance.choice(["keep", "drop", "weigh"]),
                          **({"by": "events", "length": 28, "slide": 7} if by_events
                             else {"length": "20s", "slide": "5s"})}])
            with self.subTest(seed=seed, document=document):
                content = as_lines(orders(chance, 300))
                ended = run(document, content)
                self.assertEqual(ended.code, 0, ended.log)
                found, compared = self.differences(document, content, ended)
                self.assertEqual(found, "")
                self.assertGreater(compared, 20)

    def test_of_a_record_only_the_wrong_edges_are_refused_in_one_dead_letter(self):
        rows = [{"user": "a", "items": [{"product": "p", "at": 1}, {"product": "q", "at": 1}]},
                {"user": "b", "items": [{"product": "p", "at": 1}, {"at": 1}]},
                {"user": "c", "items": []}, {"user": "d"}]
        ended = run(replay(
            format={"json": {"each": "/items", "source": "$record/user", "target": "/product",
                             "time": "/at"}}, sinks=ALL), as_lines(rows))
        self.assertEqual(ended.code, 0, ended.log)
        self.assertIn("4 records, 2 of them refused, 1 filtered", ended.log)
        letters = ended.lines("dead-letters.jsonl")
        self.assertEqual(
            [(letter["offset"], letter["reason"], letter["payload"]) for letter in letters],
            [(1, "missing_field", json.dumps(rows[1])), (3, "missing_field", json.dumps(rows[3]))])
        self.assertIn("1 of its 2 edges: element /items/1: target /product is missing or null",
                      letters[0]["detail"])
        self.assertEqual(letters[0]["places"], [
            {"element": 1, "edge": 0, "reason": "missing_field",
             "detail": "element /items/1: target /product is missing or null; correct the record "
                       "or the mapping, or leave such records out with `where`"}])
        self.assertNotIn("places", letters[1])
        window = ended.lines()[0]
        self.assertEqual([(edge["source"], edge["target"]) for edge in window["top_edges"]],
                         [("a", "p"), ("a", "q"), ("b", "p")])
        self.assertEqual(window["refused"], 2)

    def test_late_edges_of_a_record_are_one_dead_letter(self):
        rows = [{"user": "a", "items": [{"product": "p", "at": 100 * SECOND}]},
                {"user": "b", "items": [{"product": at, "at": at * SECOND} for at in (7, 101, 8)]}]
        ended = run(replay(
            format={"json": {"each": "/items", "source": "$record/user", "target": "/product",
                             "time": "/at"}},
            time={"unit": "ms", "disorder": "1s"}, sinks=ALL), as_lines(rows))
        self.assertEqual(ended.code, 0, ended.log)
        letters = ended.lines("dead-letters.jsonl")
        self.assertEqual([(letter["offset"], letter["reason"], letter["stage"])
                          for letter in letters], [(1, "late", "window")])
        self.assertEqual(letters[0]["detail"],
                         "2 of its 3 edges: its slice had closed when it came")
        self.assertEqual([(place["element"], place["edge"], place["reason"], place["detail"])
                          for place in letters[0]["places"]],
                         [(element, 0, "late", "its slice had closed when it came")
                          for element in (0, 2)])


class StreamTest(unittest.TestCase):
    def test_edges_of_a_topic_have_one_offset(self):
        document = live(format={"json": {"source": "/from", "target": "/to", "time": "/ts",
                                         "direction": "both"}}, sinks=ALL)
        with Sashd(document) as sashd:
            sashd.generate("--rate", "2000", "--scale", "4")
            sashd.await_lines(3)
            for result in sashd.lines():
                pairs = sorted((edge["source"], edge["target"]) for edge in result["top_edges"])
                self.assertEqual(pairs, sorted((target, source) for source, target in pairs))
                self.assertGreater(len(pairs), 0)
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()
