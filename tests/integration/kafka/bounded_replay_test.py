"""`sashd --replay` with a real broker: the windows of a span equal those of a process that read
everything."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import kafka_broker
from oracle import configuration, records
from oracle.compare import compare, read_lines
from sashd_process import Sashd, edges, program

PARTITIONS = 3
EDGES = int(os.environ.get("SASH_REPLAY_EDGES", "60000"))
SECONDS = 600  # of event time
START_MS = 1_767_225_600_000
FROM, TO = START_MS + 203_000, START_MS + 407_000
SHARED = "edges"


def document(brokers: str) -> dict[str, Any]:
    windows = [{"name": "copies", "length": "60s", "slide": "10s"},
               {"name": "sums", "length": "20s", "slide": "20s", "duplicates": "weigh"}]
    return {
        "source": {
            "kafka": {"brokers": brokers, "topics": [SHARED], "group": "live"},
            "format": {"json": {"source": "/from", "target": "/to", "time": "/ts",
                                "weight": "/amount", "operation": "/op"}},
            "time": {"unit": "ms", "disorder": "2s", "late": "dead_letter"}},
        "windows": windows,
        "jobs": [{"name": f"{kernel}-{window['name']}", "kernel": kernel, "window": window["name"],
                  "overrun": {"queue": 4}}
                 for window in windows for kernel in ("window", "degree")],
        "sinks": [{"file": {"path": "results.jsonl"}}], "http": {"listen": "127.0.0.1:0"}}


def generate(*destination: str) -> list[str]:
    return [program("SASH_GENERATE", "generate/sash-generate"), "--seed", "5", "--edges",
            str(EDGES), "--rate", "0", "--event-rate", f"{EDGES / SECONDS:g}", "--start",
            "2026-01-01T00:00:00Z", "--disorder", "3s", "--graph", "rmat", "--scale", "10",
            "--duplicates", "0.2", "--removals", "0.03", "--weights", "integer", "--format", "json",
            *destination]


def alerts_of(lines: str) -> list[dict[str, Any]]:
    """The alerts sorted by their texts, without the watermark, which depends on the order of
    arrival."""
    alerts = [json.loads(line) for line in lines.splitlines()]
    for alert in alerts:
        alert["row"].pop("watermark", None)
    return sorted(alerts, key=json.dumps)


class BoundedReplayTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-span-"))
        self.folder = pathlib.Path(folder)
        self.broker.create_topic(SHARED, PARTITIONS)
        (self.folder / "sashd.yaml").write_text(json.dumps(document(self.broker.address)))

    def fill(self) -> list[bytes]:
        """Record i is offset i / 3 of partition i % 3; Kafka's timestamps are the event times."""
        subprocess.run(generate("--to", "kafka", "--brokers", self.broker.address, "--topic",
                                SHARED, "--partitions-count", str(PARTITIONS)),
                       check=True, timeout=120, stdout=subprocess.DEVNULL)
        return subprocess.run(generate("--to", "-"), stdout=subprocess.PIPE, check=True,
                              timeout=120).stdout.splitlines()

    def produce(self, records: bytes) -> None:
        """Produces to partition 0, in the records' order."""
        subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", SHARED, "-p", "0"],
                       check=True, timeout=60, input=records)

    def replay(self, *arguments: str, begin: int | str = FROM, end: int | str = TO,
               folder: pathlib.Path | None = None) -> subprocess.CompletedProcess:
        return subprocess.run(
            [program("SASHD", "sashd"), "--replay", "--from", str(begin), "--to", str(end),
             "--config", str(self.folder / "sashd.yaml"), *arguments],
            cwd=folder or self.folder, capture_output=True, text=True, timeout=240, check=False,
            stdin=subprocess.DEVNULL)

    def bounds(self, path: pathlib.Path) -> set[tuple[str, str]]:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return {(line["window_start"], line["window_end"]) for line in lines}

    def test_every_window_of_the_span_is_exact_and_nothing_else_is_emitted(self) -> None:
        lines = self.fill()
        done = self.replay()
        self.assertEqual(done.returncode, 0, done.stderr)
        given = configuration.load(str(self.folder / "sashd.yaml"))
        events = list(records.decode_json(
            [(records.Place(SHARED, number % PARTITIONS, number // PARTITIONS), line)
             for number, line in enumerate(lines)], given.stream))
        begin, end = FROM * 1_000_000, TO * 1_000_000

        def is_due(expected: Any, _: Any) -> bool:
            return begin <= expected.window.start and expected.window.end <= end

        differences, compared = compare(
            given, events, lambda path: read_lines(str(self.folder / path)), is_due)
        self.assertEqual(str(differences), "")
        self.assertEqual(compared, 2 * (14 + 9), "copies: 210-270 to 340-400; sums: 220-240 to ...")
        emitted = self.bounds(self.folder / "results.jsonl")
        self.assertGreaterEqual(min(start for start, _ in emitted), "2026-01-01T00:03:23.000Z")
        self.assertLessEqual(max(stop for _, stop in emitted), "2026-01-01T00:06:47.000Z")

        # It read little more than the span, and committed nothing for the group.
        read = re.search(r"end of the source: (\d+) records", done.stderr)
        assert read, done.stderr
        share = int(read[1]) / len(lines)
        self.assertLess(share, (TO - FROM) / 1000 / SECONDS + 0.1)
        with Sashd(document(self.broker.address)) as live:
            live.await_log(r"\[0\]: reading starts at offset 0\s")
            self.assertNotIn("where it stopped", live.log())

    def test_a_live_process_and_its_files_are_left_alone(self) -> None:
        self.fill()
        with Sashd(document(self.broker.address)) as live:
            # All results it will write: ends at 10 to 590 and at 20 to 580 s, which the watermark
            # has passed.
            live.await_lines(2 * (59 + 29))
            copy = live.folder / "results.jsonl"
            before = copy.read_bytes()
            (self.folder / "sashd.yaml").write_text(json.dumps(document(self.broker.address)))
            refused = self.replay(folder=live.folder)
            self.assertEqual(refused.returncode, 78, refused.stderr)
            self.assertIn("sinks[0].file.path: `results.jsonl` is not empty",
                          refused.stderr)
            self.assertEqual(copy.read_bytes(), before)

            done = self.replay()
            self.assertEqual(done.returncode, 0, done.stderr)
            # The results that both have are the same.
            of_live = {(each["job"], each["window_end"]): each for each in live.lines()}
            results = self.results()
            self.assertEqual(len(results), 2 * (14 + 9))
            for result in results:
                other = of_live[result["job"], result["window_end"]]
                for name in ("window_start", "edges", "vertices", "late", "refused", "offsets",
                             "gap"):
                    self.assertEqual(result[name], other[name], (name, result, other))
            self.assertEqual(live.stop(), 0, live.log())

    def test_one_record_far_ahead_neither_ends_its_partition_nor_makes_the_rest_late(self) -> None:
        times = [START_MS + second * 1000 for second in range(600)]
        far = START_MS + 30 * 86_400_000  # after the span, and before the clock
        self.produce(edges(  # all pairs differ: equal ones would be one edge of the window
            ("a", f"b{time}", time) for time in [*times[:300], far, *times[300:]]))
        done = self.replay()
        self.assertEqual(done.returncode, 0, done.stderr)
        sums = [line for line in self.results() if line["job"] == "window-sums"]
        self.assertEqual([line["edges"] for line in sums], [20] * 9)
        self.assertEqual([line["late"] for line in sums], [0] * 9)
        self.assertEqual(sum(line["refused"] for line in sums), 1)
        letters = [json.loads(line) for line in
                   (self.folder / "dead-letters.jsonl").read_text().splitlines()]
        self.assertEqual([(each["reason"], each["offset"]) for each in letters], [("ahead", 300)])

    def results(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in
                (self.folder / "results.jsonl").read_text().splitlines()]

    def test_a_dry_run_prints_the_alerts_that_a_replay_sends_and_sends_nothing(self) -> None:
        self.fill()
        given = document(self.broker.address)
        given["alerts"] = [
            {"name": "new", "job": "degree-copies", "on": "entered"},
            {"name": "busy", "job": "window-sums", "on": "result", "where": "edges > 1000"},
            {"name": "never", "job": "window-sums", "on": "result", "where": "edges < 0"}]
        given["sinks"] += [{"file": {"path": "alerts.jsonl", "content": "alerts"}}]
        (self.folder / "sashd.yaml").write_text(json.dumps(given))
        done = self.replay()
        self.assertEqual(done.returncode, 0, done.stderr)
        sent = (self.folder / "alerts.jsonl").read_text().splitlines()
        names = [json.loads(line)["alert"] for line in sent]
        self.assertGreater(names.count("new"), 5)
        self.assertGreater(names.count("busy"), 5)

        # It may run where the process runs: it neither reads nor writes that process's files. A
        # receiver that cannot be reached does not matter.
        given["sinks"] += [{"webhook": {"name": "hook", "url": "http://127.0.0.1:9/",
                                        "content": "alerts", "outbox": {"path": "hook"}}}]
        (self.folder / "sashd.yaml").write_text(json.dumps(given))
        before = {each: each.read_bytes() for each in self.folder.iterdir()}
        dry = self.replay("--dry-run")
        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertEqual(alerts_of(dry.stdout), alerts_of("\n".join(sent)))
        self.assertIn(f"sashd: {len(sent)} alerts would have been sent: busy "
                      f"{names.count('busy')}, never 0, new {names.count('new')}\n", dry.stderr)
        self.assertEqual({each: each.read_bytes() for each in self.folder.iterdir()}, before)

        del given["alerts"]
        (self.folder / "sashd.yaml").write_text(json.dumps(given))
        dry = self.replay("--dry-run")
        self.assertEqual(dry.returncode, 78, dry.stderr)
        self.assertIn("alerts: there are none", dry.stderr)

    def test_what_cannot_be_is_said(self) -> None:
        for begin, end, code, message in (
                ("yesterday", TO, 2, "--from: `yesterday` is not a time from 1970 on"),
                (TO, FROM, 2, "--from: must be before --to"),
                ("2026-01-01T00:00:01Z", "2026-01-01T00:00:10Z", 2, "--to: no window of the")):
            done = self.replay(begin=begin, end=end)
            self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
            self.assertIn(message, done.stderr)
        # A replay of an empty topic ends at once; a missing topic is an error, not awaited.
        done = self.replay()
        self.assertEqual(done.returncode, 0, done.stderr)
        wrong = document(self.broker.address)
        wrong["source"]["kafka"]["topics"] = ["nowhere"]
        (self.folder / "sashd.yaml").write_text(json.dumps(wrong))
        done = self.replay()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("topic nowhere: ", done.stderr)
        wrong["source"]["kafka"]["brokers"] = "embedded"
        (self.folder / "sashd.yaml").write_text(json.dumps(wrong))
        done = self.replay()
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("the embedded broker has no history", done.stderr)


if __name__ == "__main__":
    unittest.main()
