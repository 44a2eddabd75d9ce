"""`sashd --check FILE --record FILE`: what it says about a record is what happens to the record
when the configuration runs.
"""
import gzip
import json
import os
import random
import subprocess
import tempfile
import unittest
from typing import Any

from sashd_process import JSON_FORMAT, Sashd, await_that, edges, live, program, replay, run

NEW_YEAR = 1_767_225_600_000
# One window holds everything, and its result lists every edge.
WHOLE = {"windows": [{"name": "w", "length": "1h", "slide": "1h", "duplicates": "keep"}],
         "sinks": [{"file": {"path": "results.jsonl", "vertices": "all"}}],
         "dead_letters": {"path": "letters"}}
CSV = {"csv": {"source": "from", "target": "to", "weight": "w", "time": "ts"}}


def check(document: dict[str, Any], records: bytes, name: str = "-"
          ) -> tuple[int, list[dict[str, Any]], str]:
    """The exit code, the lines and standard error. "-": the records are standard input."""
    with tempfile.TemporaryDirectory(prefix="sash-record-") as folder:
        with open(f"{folder}/sashd.yaml", "w", encoding="utf-8") as file:
            json.dump(document, file)
        if name != "-":
            with open(f"{folder}/{name}", "wb") as file:
                file.write(records)
        done = subprocess.run([program("SASHD", "sashd"), "--check", "sashd.yaml", "--record",
                               name], cwd=folder, input=records if name == "-" else b"",
                              timeout=120, capture_output=True, check=False)
    return (done.returncode, [json.loads(line) for line in done.stdout.splitlines()],
            done.stderr.decode())


def letters_of(lines: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(line["reason"], line["detail"]) for line in lines if line["becomes"] == "dead_letter"]


def edges_of(lines: list[dict[str, Any]]) -> list[tuple[str, str, float]]:
    return sorted((line["source"], line["target"], line["weight"]) for line in lines
                  if line["becomes"] == "edge")


class AgreementTest(unittest.TestCase):
    """A run of random records, of which many are broken, has the edges and letters that were
    shown."""

    def agrees(self, format: dict[str, Any], records: bytes) -> None:
        document = replay(format=format, **WHOLE)
        document["source"]["replay"]["refuse_at_most"] = "100%"
        code, lines, said = check(document, records, "sample")
        ran = run(document, records)
        self.assertEqual(ran.code, 0, ran.log)
        letters = [(letter["reason"], letter["detail"]) for letter in ran.lines("letters")]
        self.assertEqual(letters_of(lines), letters)
        result, = ran.lines()
        self.assertEqual(edges_of(lines), sorted((edge["source"], edge["target"], edge["weight"])
                                                 for edge in result["top_edges"]))
        self.assertTrue(letters and result["top_edges"], "the records are of both kinds")
        self.assertEqual(code, 1, said)
        self.assertIn(f"{len(lines)} records: {len(lines) - len(letters)} edges, "
                      f"{len(letters)} dead letters (", said)

    def test_json(self) -> None:
        for seed in range(3):
            with self.subTest(seed):
                chance = random.Random(seed)
                rows = []
                for i in range(200):
                    row = json.dumps({
                        "from": chance.choice(("a", "b\u00e4\"", "c", "", 7)),
                        "to": chance.choice(("d", "e", None)), "ts": NEW_YEAR + i,
                        "w": chance.choice((1, 2.5, -3, "x", 10 ** 30))})
                    if chance.random() < 0.1:
                        row = row[:chance.randrange(len(row))]
                    rows.append(row)
                format = {"json": {**JSON_FORMAT["json"], "weight": "/w"}}
                self.agrees(format, "\n".join(rows).encode())

    def test_csv(self) -> None:
        for seed in range(3):
            with self.subTest(seed):
                chance = random.Random(seed)
                rows = ["from,to,w,ts,note"]
                for i in range(200):
                    time = chance.choice((NEW_YEAR + i, NEW_YEAR + i, "soon", ""))
                    note = chance.choice(("", "\"two\nlines\"", "\"stray", "b\"", "x,y", "\u00e4"))
                    rows.append(f"{chance.choice('ab')},{chance.choice('cd')},"
                                f"{chance.choice((1, 2.5, 'x'))},{time},{note}")
                self.agrees(CSV, "\n".join(rows).encode())

    def test_a_topic(self) -> None:
        records = [*edges([("a", "b", NEW_YEAR), ("c", "d", 1)]).splitlines(),
                   b'{"from": "a", "to": 7.5, "ts": 1767225600000}', b"no JSON",
                   b"a,b", b'{"from": "", "to": "b", "ts": 0}', b'{"from":"\xff"}']
        document = live(dead_letters={"path": "letters"})
        code, lines, _ = check(document, b"\n".join(records))
        self.assertEqual((code, len(lines)), (1, len(records)))
        with Sashd(document) as sashd:
            for record in records:
                sashd.produce(record)
            letters = await_that(lambda: len(found := [
                letter for letter in sashd.lines("letters") if letter["stage"] == "decode"]) == 5
                and found)
        self.assertEqual(letters_of(lines),
                         [(letter["reason"], letter["detail"]) for letter in letters])
        self.assertEqual(edges_of(lines), [("a", "b", 1), ("c", "d", 1)])


class CommandTest(unittest.TestCase):
    ROWS = edges([("a", "b", NEW_YEAR), ("b", "c", NEW_YEAR + 1)])

    def test_edges_are_shown_field_by_field(self) -> None:
        for name, records in (("-", self.ROWS), ("-", gzip.compress(self.ROWS)),
                              ("f", self.ROWS), ("f.csv", gzip.compress(self.ROWS))):
            with self.subTest(name=name):
                code, lines, said = check(replay(), records, name)
                self.assertEqual((code, said), (0, "2 records: 2 edges, 0 dead letters\n"))
                self.assertEqual(lines[1], {
                    "line": 2, "becomes": "edge", "source": "b", "target": "c", "weight": 1,
                    "time": "2026-01-01T00:00:00.001Z", "time_as_written": "1767225600001",
                    "operation": "add"})
                self.assertEqual(list(lines[0])[:5],
                                 ["line", "becomes", "source", "target", "weight"],
                                 "a person reads them in this order")

    def test_a_wrong_unit_is_a_warning(self) -> None:
        code, _, said = check(replay(time={"unit": "us"}), self.ROWS)
        self.assertEqual(code, 0)
        self.assertEqual(said.splitlines()[0],
                         "warning: line 1 (1970-01-21T10:53:45.600Z): its time is long ago (2 such "
                         "edges); is source.time right?")

    def test_a_wrong_configuration_exits_78_and_a_file_that_cannot_be_read_1(self) -> None:
        code, lines, said = check(replay(windows=[]), self.ROWS)
        self.assertEqual((code, lines), (78, []))
        self.assertIn("sashd.yaml:1: windows: ", said)
        document = live(format={"csv": {"source": "a", "target": "b"}}, time={})
        code, lines, said = check(document, b"a,b\nx,y\n")
        self.assertEqual((code, lines), (78, []))
        self.assertIn("the records of a topic have no header row", said)
        code, lines, said = check(replay(format=CSV), b"from,two,w,ts\na,b,1,0\n")
        self.assertEqual((code, lines), (1, []))
        self.assertTrue(said.startswith('sashd: standard input: line 1: column "to" is not in the '
                                        "header"), said)

    def test_a_large_file_does_not_take_more_memory(self) -> None:
        def peak(records: int) -> int:
            row = json.dumps({"from": "a", "to": "b", "ts": NEW_YEAR, "note": "x" * 1000}) + "\n"
            with tempfile.TemporaryDirectory(prefix="sash-record-") as folder:
                with open(f"{folder}/sashd.yaml", "w", encoding="utf-8") as file:
                    json.dump(replay(), file)
                with gzip.open(f"{folder}/rows.gz", "wt", compresslevel=1) as file:
                    for _ in range(records):
                        file.write(row)
                with subprocess.Popen([program("SASHD", "sashd"), "--check", "sashd.yaml",
                                       "--record", "rows.gz"], cwd=folder,
                                      stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL) as process:
                    _, status, used = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return used.ru_maxrss * 1024

        self.assertLess(peak(60_000), peak(100) + (16 << 20))


if __name__ == "__main__":
    unittest.main()
