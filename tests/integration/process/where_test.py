"""`source.format.where` and `windows[].where`: windows over the records that they choose, and the
counts of the others."""
import csv
import io
import json
import random
import shutil
import signal
import subprocess
import unittest
import urllib.request
from typing import Any

from sashd_process import JSON_FORMAT, Ended, Sashd, await_that, edges, live, replay, run

MINUTE = 60_000
ALL = [{"file": {"path": "results.jsonl", "vertices": "all"}}]
SHAPE_AND_RANKS = [{"name": "edges", "kernel": "window", "window": "w"},
                   {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 1000}]
# They do not depend on the records alone.
CHANGING = {"seconds", "watermark", "snapshot", "offsets", "iterations", "residual", "mode"}

Record = dict[str, Any]


def payments(chance: random.Random, count: int) -> list[Record]:
    """Like PaySim: steps of an hour, types, and amounts as text."""
    kinds = ["PAYMENT", "TRANSFER", "CASH_OUT", "DEBIT", ""]
    step = 0
    rows = []
    for _ in range(count):
        step += chance.choice([0, 0, 0, 0, 1])
        rows.append({"step": step, "type": chance.choice(kinds),
                     "amount": chance.choice(["1000.00", f"{chance.uniform(1, 5000):.2f}"]),
                     "nameOrig": f"C{chance.randrange(20)}",
                     "nameDest": f"M{chance.randrange(20)}"})
    return rows


def as_csv(rows: list[Record]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def without_changing(ended: Ended) -> list[Record]:
    return [{key: value for key, value in result.items() if key not in CHANGING}
            for result in ended.lines("results.jsonl")]


class FilesTest(unittest.TestCase):
    def test_transfers_of_paysim_above_an_amount(self):
        rows = payments(random.Random(1), 3000)
        chosen = [row for row in rows
                  if row["type"] in ("TRANSFER", "CASH_OUT") and float(row["amount"]) > 1000]
        ended = run(replay(
            format={"csv": {"source": "nameOrig", "target": "nameDest", "weight": "amount",
                            "time": "step"},
                    "where": 'type in ["TRANSFER", "CASH_OUT"] && double(amount) > 1000.0'},
            time={"unit": "1h", "base": "2026-01-01T00:00:00Z", "disorder": "0s"},
            windows=[{"name": "w", "length": "24h", "slide": "24h"}], jobs=SHAPE_AND_RANKS[:1],
            sinks=ALL), as_csv(rows))
        self.assertEqual(ended.code, 0, ended.log)
        self.assertIn(f"end of the source: 3000 records, 0 of them refused, "
                      f"{len(rows) - len(chosen)} filtered", ended.log)
        days: dict[int, list[tuple[str, str, float]]] = {}
        for row in chosen:
            days.setdefault(row["step"] // 24, []).append(
                (row["nameOrig"], row["nameDest"], float(row["amount"])))
        found = [sorted((edge["source"], edge["target"], float(edge["weight"]))
                        for edge in result["top_edges"]) for result in ended.lines("results.jsonl")]
        self.assertEqual(found, [sorted(days[day]) for day in sorted(days)])

    def test_windows_are_those_of_the_chosen_records(self):
        """The last record is chosen, so that both streams end at the same time."""
        for seed in range(6):
            with self.subTest(seed):
                chance = random.Random(seed)
                numbers = [{"n": n} for n in (*range(10), 4.5, 4.0, -1e300, None)]
                rows = [{"from": f"v{chance.randrange(30)}", "to": f"v{chance.randrange(30)}",
                         "ts": MINUTE * i + chance.randrange(MINUTE),
                         **chance.choice([{}, *numbers])}
                        for i in range(400)]
                rows[-1]["n"] = 9
                chosen = [row for row in rows if (row.get("n") or 0) > 4]
                policy = chance.choice(["keep", "drop", "weigh"])
                document = replay(
                    time={"unit": "ms", "disorder": "2m"}, jobs=SHAPE_AND_RANKS, sinks=ALL,
                    windows=[{"name": "w", "length": "1h", "slide": "20m", "duplicates": policy}])
                lines = ["".join(json.dumps(row) + "\n" for row in each).encode()
                         for each in (rows, chosen)]
                whole = run(document, lines[1])
                filtered = run({**document, "source": {**document["source"], "format": {
                    **JSON_FORMAT, "where": "/n > 4"}}}, lines[0])
                self.assertEqual((whole.code, filtered.code), (0, 0), filtered.log)
                self.assertEqual(without_changing(filtered), without_changing(whole))
                of_window = run({**document, "windows": [
                    {**document["windows"][0], "where": "/n > 4"},
                    {"name": "all", "length": "20m", "slide": "10m", "duplicates": policy}]},
                    lines[0])
                # Other vertices have other ids, so the last digits of ranks may differ.
                self.assertEqual(
                    *([result for result in without_changing(each) if result["job"] == "edges"]
                      for each in (of_window, whole)))

    def test_windows_of_types_are_those_of_their_edges(self):
        """Adds pass by type and filter, removals by type alone, or without a type."""
        for seed in range(3):
            with self.subTest(seed):
                chance = random.Random(seed)
                rows = [{"from": f"v{chance.randrange(12)}", "to": f"v{chance.randrange(12)}",
                         "ts": MINUTE * i + chance.randrange(MINUTE), "n": chance.randrange(10),
                         "op": chance.choice(["add"] * 8 + ["remove", "remove", "remove_vertex"]),
                         "kind": chance.choice(["paid", "owed", "seen", 7, None])}
                        for i in range(400)]
                rows[-1].update(n=9, op="add", kind="paid")
                passes = {"add": lambda row: row["kind"] in ("paid", 7) and row["n"] > 4,
                          "remove": lambda row: row["kind"] in ("paid", 7, None),
                          "remove_vertex": lambda row: True}
                chosen = [row for row in rows if passes[row["op"]](row)]
                policy = chance.choice(["keep", "drop", "weigh"])
                mapping = {**JSON_FORMAT["json"], "operation": "/op", "type": "/kind"}
                document = replay(
                    time={"unit": "ms", "disorder": "2m"}, jobs=SHAPE_AND_RANKS[:1], sinks=ALL,
                    format={"json": mapping},
                    windows=[{"name": "w", "length": "1h", "slide": "20m", "duplicates": policy}])
                whole, of_window = (
                    run({**document, "windows": [{**document["windows"][0], **filtered}]},
                        "".join(json.dumps(row) + "\n" for row in each).encode())
                    for each, filtered in
                    ((chosen, {}), (rows, {"types": ["paid", "7"], "where": "/n > 4"})))
                self.assertEqual((whole.code, of_window.code), (0, 0), of_window.log)
                self.assertEqual(without_changing(of_window), without_changing(whole))

    def test_windows_close_while_all_records_are_left_out(self):
        rows = edges([("a", "b", 1000)] + [("x", "b", 1000 * i) for i in range(2, 40)])
        ended = run(replay(format={**JSON_FORMAT, "where": "/from == 'a'"}), rows)
        found = [(result["edges"], result["window_end"][17:19]) for result in ended.lines()]
        self.assertEqual(found, [(1, f"{end:02}") for end in range(2, 12)] + [(0, "12")])

    def test_a_record_without_an_answer_is_a_dead_letter(self):
        ended = run(replay(format={**JSON_FORMAT, "where": "int(/ts) % int(/k) == 1"},
                           dead_letters={"path": "letters"}),
                    b'{"from":"a","to":"b","ts":1001,"k":"2"}\n'
                    b'{"from":"a","to":"b","ts":1002,"k":"0"}\n'
                    b'{"from":"a","to":"b","ts":1003,"k":"2"}\n')
        self.assertEqual(ended.code, 0, ended.log)
        letter, = ended.lines("letters")
        self.assertEqual((letter["reason"], letter["offset"]), ("where", 1))
        self.assertIn("line 2: in source.format.where, line 1, column 10: ", letter["detail"])

    def test_a_wrong_filter_is_an_error_before_the_start(self):
        ended = run(replay(format={**JSON_FORMAT, "where": "/a == 1 &&\n $offset == 'c'"}),
                    arguments=["--check", "sashd.yaml"])
        self.assertEqual(ended.code, 78, ended.log)
        self.assertIn("source.format.where: line 2, column 2: there are $key, $header.NAME, $topic",
                      ended.output + ended.log)

    def test_what_a_file_does_not_have_is_an_error_before_the_start(self):
        json_format = {**JSON_FORMAT["json"], "source": "$key", "weight": "$header.w"}
        ended = run(replay(format={**JSON_FORMAT, "json": json_format,
                                   "where": "$timestamp > 5 && $topic == 'replay'"}),
                    arguments=["--check", "sashd.yaml"])
        self.assertEqual(ended.code, 78, ended.log)
        for key, field in (("json.source", "$key"), ("json.weight", "$header.w"),
                           ("where", "$timestamp")):
            self.assertIn(f"source.format.{key}: reads {field}, which a replay does not have",
                          ended.output + ended.log)

    def test_a_column_that_is_not_there_is_an_error_at_the_start(self):
        ended = run(replay(format={"csv": {"source": "a", "target": "b", "time": "t"},
                                   "where": "kind == 'x'"}), b"a,b,t\nv,w,1000\n")
        self.assertEqual(ended.code, 78, ended.log)
        self.assertRegex(ended.log, 'where: column "kind" is not in the header')


class LiveTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("kcat"), "there is no kcat (package kcat)")
    def test_keys_and_headers_of_records_are_fields(self):
        with Sashd(live(format={"json": {"source": "$key", "target": "$header.to"},
                                "where": "$header.kind == 'edge'"})) as sashd:
            for key, to, kind in (("a", "b", "edge"), ("c", "d", "other"), ("e", "f", "edge")):
                subprocess.run(["kcat", "-P", "-q", "-b", sashd.broker(), "-t", "edges", "-p", "0",
                                "-k", key, "-H", f"to={to}", "-H", f"kind={kind}"],
                               input=b"{}\n", check=True, timeout=60)
            self.assertTrue(await_that(lambda: sashd.metric(
                "sash_engine_events_accepted_total", operation="add") == 2), sashd.log())
            self.assertEqual(sashd.metric("sash_source_filtered_total"), 1)
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_a_new_filter_shows_what_comes_from_then_on(self):
        """One window by a reload, one over the API."""
        def window(name: str) -> dict[str, Any]:
            return {"name": name, "length": "5s", "slide": "5s", "where": f"/from != '{name}'"}

        def job(name: str) -> dict[str, Any]:
            return {"name": name, "kernel": "window", "window": name, "overrun": {"queue": 20}}

        document = live(time={"unit": "ms", "disorder": "0s", "idle_after": "1s"},
                        windows=[{"name": "all", "length": "10s", "slide": "5s"}],
                        jobs=[job("all")])
        with Sashd(document) as sashd:
            def produce(first: int, last: int, source: str = "a") -> None:
                sashd.produce(edges((source, "b", 1000 * second)
                                    for second in range(first, last + 1)))
                self.assertTrue(await_that(lambda: sashd.metric(
                    "sash_engine_events_accepted_total", operation="add") == last), sashd.log())

            def ends(name: str, last: int) -> list[tuple[str, int, bool]]:
                """The second at which each window of the job ends, with its edges and its gap, up
                to the window that ends at `last`."""
                def until() -> list[tuple[str, int, bool]]:
                    found = [(line["window_end"][17:19], line["edges"], line["gap"])
                             for line in sashd.lines() if line["job"] == name]
                    return [*found] if found and found[-1][0] == f"{last:02}" else []
                self.assertTrue(await_that(until), f"{sashd.lines()}{sashd.log()}")
                return until()

            produce(1, 6)
            document["windows"].append(window("v"))
            document["jobs"].append(job("v"))
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            sashd.send(signal.SIGHUP)
            sashd.await_log(r"reload: changed windows\[v\] is new")
            produce(7, 7, "v")  # it may be in a round of the source that began before
            produce(8, 16)
            self.assertEqual(ends("v", 15), [("10", 2, True), ("15", 5, False)])
            for path, body in (("windows/u", window("u")),
                               ("jobs/u", job("u"))):
                request = urllib.request.Request(
                    sashd.url(f"/api/v1/{path}"), json.dumps(body).encode(),
                    {"Content-Type": "application/json"}, method="PUT")
                with urllib.request.urlopen(request) as answer:
                    self.assertEqual(answer.status, 201)
            produce(17, 17, "u")
            produce(18, 31)
            self.assertEqual(ends("u", 30), [("20", 2, True), ("25", 5, False), ("30", 5, False)])
            self.assertEqual(ends("v", 30)[2:], [("20", 5, False), ("25", 5, False),
                                                 ("30", 5, False)])
            self.assertEqual(ends("all", 30)[-1], ("30", 10, False))
            self.assertEqual(sashd.stop(), 0, sashd.log())

    def test_the_api_and_the_metrics_count_what_is_left_out(self):
        document = replay(format={**JSON_FORMAT, "where": "/from == 'a'"},
                          http={"listen": "127.0.0.1:0"})
        document["source"]["replay"]["at_end"] = "stay"
        rows = edges([("a", "b", 1000), ("x", "b", 2000)]) + b'{"from":"x"}\n'
        with Sashd(document, rows) as sashd:
            sashd.await_log("end of the source: 3 records, 0 of them refused, 2 filtered")
            self.assertEqual(sashd.metric("sash_source_filtered_total"), 2)
            self.assertEqual(sashd.metric("sash_source_records_total"), 3)
            self.assertEqual(sashd.json("/api/v1/source")["filtered"], 2)
            self.assertEqual(sashd.stop(), 0, sashd.log())


if __name__ == "__main__":
    unittest.main()
