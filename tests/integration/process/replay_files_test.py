"""Files that a replay reads: dialects of CSV, compression, several files, and what follows them.

Random files are compared with what Python's csv and gzip modules write.
"""
import csv
import gzip
import io
import pathlib
import random
import shutil
import subprocess
import unittest
from typing import Any

from sashd_process import CSV_FORMAT, Ended, Sashd, await_that, edges, replay, run

WHOLE = {"windows": [{"name": "w", "length": "1h", "slide": "1h"}],
         "sinks": [{"file": {"path": "results.jsonl", "vertices": "all"}}],
         "dead_letters": {"path": "letters"}}

Row = tuple[str, str]


def edges_of(ended: Ended) -> list[Row]:
    result, = ended.lines()
    return sorted((edge["source"], edge["target"]) for edge in result["top_edges"])


def run_files(files: dict[str, bytes], paths: list[str] | str, format: dict[str, Any]) -> Ended:
    def write(folder: pathlib.Path) -> None:
        for name, content in files.items():
            (folder / name).write_bytes(content)
    document = replay(format=format, **WHOLE)
    document["source"]["replay"]["path"] = paths
    return run(document, before=write)


class DialectsTest(unittest.TestCase):
    def test_what_csv_writes_and_gzip_packs_is_read(self) -> None:
        for seed in range(12):
            with self.subTest(seed):
                chance = random.Random(seed)
                delimiter = chance.choice(",;\t|")
                quoting = chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
                files, written = {}, []
                for number in range(chance.randrange(1, 4)):
                    text = io.StringIO()
                    writer = csv.writer(text, delimiter=delimiter, quoting=quoting)
                    columns = ["source", "target", "time", "note"]
                    chance.shuffle(columns)
                    writer.writerow(columns)
                    for i in range(chance.randrange(1, 200)):
                        row = {"source": self.key(chance), "target": self.key(chance), "time": i,
                               "note": chance.choice(("", "two\nlines", "say \"hi\""))}
                        writer.writerow([row[column] for column in columns])
                        written.append((row["source"], row["target"]))
                    content = text.getvalue().encode()
                    files[f"part-{number}"] = (gzip.compress(content) if chance.random() < 0.5
                                               else content)
                format = {"csv": {**CSV_FORMAT["csv"], "delimiter": delimiter}}
                ended = run_files(files, chance.choice(("part-*", sorted(files))), format)
                self.assertEqual(ended.code, 0, ended.log)
                self.assertEqual(edges_of(ended), sorted(written), ended.log)

    @staticmethod
    def key(chance: random.Random) -> str:
        alphabet = "ab,;\t|\" #-ä"
        return "k" + "".join(chance.choice(alphabet) for _ in range(chance.randrange(6)))

    def test_lists_of_edges_with_blanks_comments_and_quotes(self) -> None:
        for seed in range(8):
            with self.subTest(seed):
                chance = random.Random(seed)
                skipped = chance.randrange(3)
                lines = ["a \"title # 1 2 3"] * skipped
                written, absent = [], 0
                for i in range(300):
                    if chance.random() < 0.2:
                        lines.append(chance.choice(("# a b 1", "#\"", "", " \t ")))
                    row = [chance.choice(("a", "\"b", "c\"", "NULL", "-", "#d", "-1"))
                           for _ in range(2)]
                    blanks = [chance.choice((" ", "\t", "   ", " \t")) for _ in range(2)]
                    start = " " if row[0].startswith("#") else ""
                    end = chance.choice(("", " ", "\t "))
                    lines.append(f"{start}{row[0]}{blanks[0]}{row[1]}{blanks[1]}{i}{end}")
                    if {"NULL", "-"} & set(row):
                        absent += 1
                    else:
                        written.append((row[0], row[1]))
                format = {"csv": {"source": 1, "target": 2, "time": 3, "delimiter": "blanks",
                                  "quote": "none", "comment": "#", "skip_rows": skipped},
                          "nulls": ["NULL", "-"]}
                ended = run_files({"g.txt": "\n".join(lines).encode()}, "g.txt", format)
                self.assertEqual(edges_of(ended), sorted(written), ended.log)
                letters = ended.lines("letters")
                self.assertEqual([letter["reason"] for letter in letters],
                                 ["missing_field"] * absent)
                self.assertRegex(letters[0]["detail"],
                                 r'^line \d+: (source|target) \(column \d\): "(NULL|-)" is among '
                                 r"source\.format\.nulls")


class CompressedTest(unittest.TestCase):
    ROWS = edges((f"v{i % 50}", f"v{i % 7}", 1000 + i) for i in range(5000))

    def test_a_pipe_is_expanded_too(self) -> None:
        with Sashd(replay("-"), stdin=subprocess.PIPE) as sashd:
            half = self.ROWS.index(b"\n", len(self.ROWS) // 2) + 1
            sashd.process.stdin.write(gzip.compress(self.ROWS[:half]) +
                                      gzip.compress(self.ROWS[half:]))
            sashd.process.stdin.close()
            self.assertEqual(sashd.wait(), 0, sashd.log())
            self.assertRegex(sashd.log(), "end of the source: 5000 records, 0 of them refused")

    def test_zstd(self) -> None:
        if not shutil.which("zstd"):
            self.skipTest("there is no zstd (package zstd)")
        packed = subprocess.run(["zstd", "-c"], input=self.ROWS, capture_output=True, check=True)
        ended = run(replay(), packed.stdout)
        self.assertRegex(ended.log, "end of the source: 5000 records, 0 of them refused")

    def test_a_file_that_is_cut_off_is_a_failure_that_names_the_byte(self) -> None:
        packed = gzip.compress(self.ROWS)[:-100]
        ended = run(replay(), packed)
        self.assertEqual(ended.code, 1)
        self.assertRegex(ended.log, f"events: reading failed: the gzip data is cut off at byte "
                                    f"{len(packed)}: ")


class AtEndTest(unittest.TestCase):
    def test_a_process_that_stays_answers_and_ends_well(self) -> None:
        rows = edges((f"v{i % 50}", f"v{i % 7}", 1000 + i) for i in range(3000))
        exits = run(replay(), rows)
        document = replay(http={"listen": "127.0.0.1:0"})
        document["source"]["replay"]["at_end"] = "stay"
        with Sashd(document, rows) as sashd:
            sashd.await_log("end of the source: 3000 records, 0 of them refused; the process stays")
            count = len(exits.lines())
            sashd.await_lines(count)
            window = sashd.json("/api/v1/windows/w")
            self.assertEqual(window["window_end"], exits.lines()[-1]["window_end"])
            self.assertEqual(sashd.get("/readyz")[0], 200)
            latest = sashd.json("/api/v1/jobs/shape/results/latest")
            self.assertEqual(latest["edges"], exits.lines()[-1]["edges"])
            self.assertFalse(await_that(lambda: sashd.process.poll() is not None, 1))
            self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertEqual(len(sashd.lines()), count, "no window comes after the end")

    def test_too_many_refused_are_a_failure_when_it_is_stopped(self) -> None:
        document = replay()
        document["source"]["replay"]["at_end"] = "stay"
        with Sashd(document, b"{}\n" * 10) as sashd:
            sashd.await_log("the process stays")
            self.assertEqual(sashd.stop(), 1)
            self.assertRegex(sashd.log(), "source: 10 of 10 records were refused")


if __name__ == "__main__":
    unittest.main()
