"""A replay as its user sees it: how it ends, what it writes, and that every run gives the same."""
import csv
import lzma
import os
import random
import subprocess
import time
import unittest
from typing import Any

from sashd_process import (CSV_FORMAT, Ended, JSON_FORMAT, RESULTS, SHAPE, Sashd, edges, live,
                           replay,
                           run)

# The members that may differ between two runs on the same input.
MAY_DIFFER = {"seconds", "watermark", "snapshot", "iterations", "residual", "converged", "mode"}
RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w", "parameters": {"tolerance": 1e-10}}
REACH = {"name": "reach", "kernel": "bfs", "window": "w", "parameters": {"roots": ["v0"]}}


def stream(seed: int, count: int, span_ms: int = 30_000) -> bytes:
    chance = random.Random(seed)
    return edges((f"v{chance.randrange(50)}", f"v{chance.randrange(50)}",
                  1000 + span_ms * i // count) for i in range(count))


def same(result: dict[str, Any]) -> dict[str, Any]:
    """A result without the members that may differ, with scores to 9 digits."""
    kept = {key: value for key, value in result.items() if key not in MAY_DIFFER}
    for row in kept.get("top", []):
        if "score" in row:
            row["score"] = f"{row['score']:.8e}"
    return kept


class RecordsOfAFileTest(unittest.TestCase):
    """Which parts of a file are records, and which are not."""

    FORMAT = {"csv": {"source": 1, "target": 2, "time": 3}}
    ALL = {"name": "all", "kernel": "pagerank", "window": "w", "top": 100_000}

    def run_rows(self, rows: bytes, **more: Any) -> Ended:
        return run(replay(format=more.pop("format", self.FORMAT), jobs=[self.ALL],
                          dead_letters={"path": "letters"},
                          windows=[{"name": "w", "length": "1h", "slide": "1h"}], **more), rows)

    def test_every_line_is_an_edge_or_a_dead_letter_wherever_quotes_are(self):
        chance = random.Random(20)
        lines = []
        for i in range(2000):
            row = [*f"s{i},t{chance.randrange(50)},{1000 + i},note"]
            for _ in range(chance.choice([0, 0, 0, 1, 2, 3])):
                at = chance.choice([0, len(row) - 4, chance.randrange(len(row) + 1)])
                row.insert(at, '"')
            lines.append("".join(row))
        ended = self.run_rows("\n".join(lines).encode())
        self.assertEqual(ended.code, 0, ended.log)
        refused = {letter["offset"]: letter["payload"] for letter in ended.lines("letters")}
        for offset, payload in refused.items():
            self.assertEqual(payload, lines[offset])
        accepted = [next(csv.reader([line])) for offset, line in enumerate(lines)
                    if offset not in refused]
        result, = ended.lines()
        self.assertEqual(result["edges"], len(accepted))
        self.assertEqual({row["vertex"] for row in result["top"]},
                         {key for row in accepted for key in row[:2]})

    def test_multiline_allows_line_breaks_in_mapped_fields(self):
        rows = b'"a\nx,y,2,\n",b,1,note\nc,d,2,note\n'
        format = {"csv": {**self.FORMAT["csv"], "multiline": True}}
        result, = self.run_rows(rows, format=format).lines()
        self.assertEqual({row["vertex"] for row in result["top"]}, {"a\nx,y,2,\n", "b", "c", "d"})
        result, = self.run_rows(rows).lines()
        self.assertEqual({row["vertex"] for row in result["top"]}, {"x", "y", "c", "d"})

    def test_what_is_not_text_is_named_with_the_command_that_reads_it(self):
        rows = lzma.compress(b"source,target,time\na,b,1\n")
        for format in (JSON_FORMAT, CSV_FORMAT, self.FORMAT):
            ended = run(replay(format=format), rows)
            self.assertEqual(ended.code, 78)
            self.assertRegex(ended.log, r"events: it is compressed with xz.*xz -dc")
        with Sashd(replay("-"), stdin=subprocess.PIPE) as sashd:
            sashd.process.stdin.write(rows)
            sashd.process.stdin.flush()
            self.assertEqual(sashd.wait(), 1)
            self.assertRegex(sashd.log(), "standard input: it is compressed with xz")

    def test_a_wrong_delimiter_is_named_with_the_right_one(self):
        for delimiter, spelled in ((";", '";"'), ("\t", "tab"), ("|", r'"\|"')):
            rows = delimiter.join(("source", "target", "time")) + "\n"
            ended = run(replay(format=CSV_FORMAT), rows.encode())
            self.assertEqual(ended.code, 78)
            self.assertRegex(ended.log, f"with `delimiter: {spelled}` it has 3 fields")

    def test_header_rows_are_no_edges_and_doubtful_keys_are_reported(self):
        rows = "source,target,time\n" + "".join(
            f"a{i},{'NULL' if i % 5 == 0 else f'b{i}'},{i}\n" for i in range(100))
        ended = self.run_rows((rows + rows).encode(), format=CSV_FORMAT,
                              time={"unit": "ms", "disorder": "1m"})
        result, = ended.lines()
        self.assertEqual(result["edges"], 200)
        letter, = ended.lines("letters")
        self.assertEqual(letter["offset"], 100)
        self.assertRegex(letter["detail"], "line 102: the row is the header again")
        self.assertRegex(ended.log,
                         r'warning source\.keys_doubtful +the key "NULL" is in 40 of the '
                                    'first 200 edges')


class ReplayEndsTest(unittest.TestCase):
    def test_it_ends_with_all_windows_of_all_jobs(self):
        ended = run(replay(jobs=[SHAPE, RANKS, REACH], sinks=[RESULTS, {"terminal": {}}]),
                    stream(1, 3000))
        self.assertEqual(ended.code, 0, ended.log)
        results = ended.lines()
        for job in ("shape", "ranks", "reach"):
            ends = [result["window_end"] for result in results if result["job"] == job]
            self.assertEqual(ends, [f"1970-01-01T00:00:{second:02}.000Z"
                                    for second in range(2, 32)])
        self.assertTrue(all(result["final"] for result in results))
        self.assertEqual(len(ended.output.splitlines()), 30, "one line on the terminal per advance")
        self.assertRegex(ended.log, r"end of the source: 3000 records, 0 of them refused\n")

    def test_more_refused_than_may_be_is_a_failure_whose_results_remain(self):
        good = stream(1, 400)
        bad = b'{"payer": "a"}\n' * 590 + b"nothing\n" * 10
        for most, code in ((None, 1), ("59.9%", 1), ("60%", 0), ("100%", 0)):
            with self.subTest(most):
                document = replay(dead_letters={"path": "refused.jsonl"})
                if most is not None:
                    document["source"]["replay"]["refuse_at_most"] = most
                ended = run(document, good + bad)
                self.assertEqual(ended.code, code, ended.log)
                self.assertEqual(len(ended.lines()), 30)
                self.assertEqual(len(ended.lines("refused.jsonl")), 600)
                said = (r"error +source\.too_many_refused +source: 600 of 1000 records were "
                        rf"refused, more than {most or '50%'} \(590 missing_field, "
                        r"10 invalid_syntax; such as replay/0/400: .*/from.*\); they are in "
                        r"refused\.jsonl\n")
                (self.assertRegex if code else self.assertNotRegex)(ended.log, said)

    def test_late_events_are_not_refused(self):
        rows = [("a", "b", 1000), ("a", "b", 50_000), *(("c", "d", 2000 + i) for i in range(98))]
        ended = run(replay(), edges(rows))
        self.assertEqual(len(ended.lines("dead-letters.jsonl")), 98)
        self.assertEqual(ended.code, 0, ended.log)

    def test_rows_of_another_century_are_set_aside_and_the_others_are_counted(self):
        for place in (0, 100, 599):
            with self.subTest(place):
                rows = [(f"v{i % 50}", f"v{i % 7}", 1000 + 50 * i) for i in range(600)]
                rows.insert(place, ("v0", "v1", 4_070_908_800_000))
                ended = run(replay(), edges(rows))
                self.assertEqual(ended.code, 0, ended.log)
                results = ended.lines()
                self.assertEqual(results[-1]["window_end"], "1970-01-01T00:00:31.000Z")
                self.assertEqual(sum(result["late"] for result in results), 0)
                letters = ended.lines("dead-letters.jsonl")
                self.assertEqual([(letter["offset"], letter["reason"]) for letter in letters],
                                 [(place, "ahead")])

    def test_an_empty_input_ends_well_without_results(self):
        for content in (b"", b"\n\n"):
            ended = run(replay(), content)
            self.assertEqual((ended.code, ended.files["results.jsonl"]), (0, b""), ended.log)

    def test_a_header_without_rows_ends_well_without_results(self):
        ended = run(replay(format=CSV_FORMAT), b"source,target,time\n")
        self.assertEqual((ended.code, ended.files["results.jsonl"]), (0, b""), ended.log)

    def test_a_last_line_without_end_counts(self):
        for content, format in ((edges([("a", "b", 1)])[:-1], JSON_FORMAT),
                                (b"source,target,time\na,b,1", CSV_FORMAT)):
            ended = run(replay(format=format), content)
            self.assertEqual([result["edges"] for result in ended.lines()], [1], ended.log)

    def test_a_missing_column_is_an_error_of_configuration_that_names_it(self):
        for content, place in ((b"source,target,when\na,b,1\n", "not in the header"),
                               (b"", "no header row")):
            ended = run(replay(format=CSV_FORMAT), content)
            self.assertEqual(ended.code, 78)
            self.assertRegex(ended.log, rf'error .*events: line \d: .*"(time|source)".*{place}')

    def test_an_input_that_cannot_be_read_is_named(self):
        for path, reason in (("none", "No such file"), (".", "is a directory")):
            ended = run(replay(path))
            self.assertNotEqual(ended.code, 0)
            self.assertRegex(ended.log,
                             rf"error +process\.start_failed +source: {path}: .*{reason}")

    def test_what_an_earlier_replay_wrote_is_replaced(self):
        broken = stream(1, 100) + b"broken\n"
        with Sashd(replay(), broken) as sashd:
            self.assertEqual(sashd.wait(), 0)
            first = (sashd.lines(), sashd.lines("dead-letters.jsonl"))
            sashd.start()
            self.assertEqual(sashd.wait(), 0)
            self.assertEqual([same(line) for line in sashd.lines()],
                             [same(line) for line in first[0]])
            self.assertEqual(len(sashd.lines("dead-letters.jsonl")), 1)
            (sashd.folder / "events").write_bytes(b"")
            sashd.start()
            self.assertEqual(sashd.wait(), 0)
            self.assertEqual((sashd.lines(), sashd.lines("dead-letters.jsonl")), ([], []))


class StandardInputTest(unittest.TestCase):
    def test_a_pipe_is_read_to_its_end(self):
        with Sashd(replay("-"), stdin=subprocess.PIPE) as sashd:
            sashd.process.stdin.write(stream(1, 3000))
            sashd.process.stdin.close()
            self.assertEqual(sashd.wait(), 0, sashd.log())
            self.assertEqual(len(sashd.lines()), 30)

    def test_a_pipe_that_never_ends_gives_results_as_it_goes_and_stops_on_a_signal(self):
        for format, head, row in ((JSON_FORMAT, b"", lambda t: edges([("a", "b", t)])),
                                  (CSV_FORMAT, b"source,target,time\n", lambda t: b"a,b,%d\n" % t)):
            with Sashd(replay("-", format=format), stdin=subprocess.PIPE) as sashd:
                sashd.process.stdin.write(head + row(500) + row(1500) + row(9500))
                sashd.process.stdin.flush()
                sashd.await_lines(6)  # the windows that the watermark, 2 s behind, has passed
                begun = time.monotonic()
                self.assertEqual(sashd.stop(), 0, sashd.log())
                self.assertLess(time.monotonic() - begun, 5)
                self.assertEqual(len(sashd.lines()), 7, "only windows that closed are published")

    def test_a_silent_pipe_stops_on_a_signal(self):
        for format in (JSON_FORMAT, CSV_FORMAT):  # CSV: while it waits for the header
            with Sashd(replay("-", format=format), stdin=subprocess.PIPE) as sashd:
                sashd.await_log("starts")
                begun = time.monotonic()
                self.assertEqual(sashd.stop(), 0, sashd.log())
                self.assertLess(time.monotonic() - begun, 8)

    def test_a_closed_standard_input_is_an_empty_one(self):
        ended = run(replay("-"), stdin=subprocess.DEVNULL)
        self.assertEqual((ended.code, ended.files["results.jsonl"]), (0, b""), ended.log)

    def test_a_reader_of_standard_output_that_goes_away_does_no_harm(self):
        reader, writer = os.pipe()
        windows = [{"name": "w", "length": "100ms", "slide": "10ms"}]
        with Sashd(replay(windows=windows, sinks=[{"terminal": {}}, RESULTS]),
                   stream(1, 3000), stdout=writer) as sashd:
            os.close(writer)
            self.assertTrue(os.read(reader, 1))  # head -1
            os.close(reader)
            self.assertEqual(sashd.wait(), 0, sashd.log())
            self.assertEqual(len(sashd.lines()), 3000)


class DeterminismTest(unittest.TestCase):
    def test_threads_do_not_change_an_answer(self):
        jobs = [{**job, "threads": threads, "name": f"{job['kernel']}{threads}"}
                for job in (SHAPE, RANKS, REACH) for threads in (1, 2)]
        ended = run(replay(jobs=jobs), stream(2, 20_000))
        self.assertEqual(ended.code, 0, ended.log)
        by_threads: dict[str, list] = {"1": [], "2": []}
        for result in ended.lines():
            name = result.pop("job")
            by_threads[name[-1]].append(same(result))
        self.assertEqual(len(by_threads["1"]), 90)
        self.assertEqual(by_threads["1"], by_threads["2"])

    def test_two_runs_write_the_same_results(self):
        document = replay(jobs=[SHAPE, RANKS, REACH], sinks=[{"file": {"path": "results.jsonl",
                                                                       "vertices": "all"}}])
        first, second = (run(document, stream(3, 5000)) for _ in range(2))
        self.assertEqual([same(line) for line in first.lines()],
                         [same(line) for line in second.lines()])
        self.assertEqual(len(first.lines()), 90)

    def test_how_partitions_interleave_does_not_change_an_answer(self):
        jobs = [{**job, "overrun": {"queue": 100}} for job in (SHAPE, RANKS)]
        document = live(jobs=jobs, time={"unit": "ms", "disorder": "1s", "late": "drop"})
        options = ["--seed", "5", "--event-rate", "2000", "--start", "2026-01-01T00:00:00Z",
                   "--disorder", "3s", "--scale", "8", "--edges", "60000"]
        seen = []
        for rate in ("0", "40000"):  # all at once, and paced
            with Sashd(document) as sashd:
                sashd.generate_all(*options, "--rate", rate)
                lines = sashd.await_lines(2 * 28)
                self.assertEqual(sashd.stop(), 0)
                seen.append([same(line) for line in lines[:2 * 28]])
        self.assertGreater(sum(line["late"] for line in seen[0]), 0, "some events must be late")
        self.assertEqual(seen[0], seen[1])


if __name__ == "__main__":
    unittest.main()
