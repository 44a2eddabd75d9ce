"""A million edges through a real broker, `sashd` stopped and killed on the way: every window exact.

Some events are late, some remove edges; one window keeps copies, one has sums. The topic has 4
partitions; record i of the generator is offset i / 4 of partition i % 4, and the same seed to
standard output gives the oracle the same records. And records without value, made with kcat.
"""
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest
from typing import Any, Iterator

import yaml

import kafka_broker
from oracle import configuration, records
from oracle.compare import compare, read_lines
from oracle.expectations import Expectation, expectations
from oracle.slices import Slices, cut
from sashd_replay import program

EDGES = int(os.environ.get("SASH_KAFKA_EDGES", "1000000"))
PARTITIONS = 4
TOPIC = "edges"
EVENT_RATE = EDGES / 1000  # of event time: about 100 windows, whatever the number of edges
DEADLINE_SECONDS = 300
STOP_SECONDS = 30


def generate(*destination: str) -> list[str]:
    return [program("SASH_GENERATE", "generate/sash-generate"),
            "--seed", "7", "--edges", str(EDGES), "--rate", "0", "--event-rate", f"{EVENT_RATE:g}",
            "--start", "2026-01-01T00:00:00Z", "--disorder", "3s", "--graph", "rmat",
            "--scale", "14", "--duplicates", "0.2", "--removals", "0.03", "--weights", "integer",
            "--format", "json", *destination]


def source(brokers: str, **format: Any) -> dict[str, Any]:
    mapping = {"source": "/from", "target": "/to", "time": "/ts", "weight": "/amount"}
    return {"kafka": {"brokers": brokers, "topics": [TOPIC], "group": "sash-test",
                      "start": "committed"},
            "format": {"json": {**mapping, **format.pop("mapping", {})}, **format},
            "time": {"from": "field", "unit": "ms", "disorder": "2s"}}


def job(name: str, kernel: str, window: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "kernel": kernel, "window": window, "overrun": {"queue": 4}, **more}


RANKS = {"top": 20, "parameters": {"tolerance": 1e-12, "max_iterations": 500}}


def document(brokers: str, root: str) -> dict[str, Any]:
    return {
        "source": source(brokers, mapping={"operation": "/op"}),
        "windows": [{"name": "copies", "length": "60s", "slide": "10s", "duplicates": "keep"},
                    {"name": "sums", "length": "30s", "slide": "10s", "duplicates": "weigh"}],
        "jobs": [job("ranks", "pagerank", "copies", **RANKS),
                 job("reach", "bfs", "copies", parameters={"roots": [root]}),
                 job("shape", "window", "copies"),
                 job("ranks-of-sums", "pagerank", "sums", **RANKS),
                 job("sums", "window", "sums")],
        "sinks": [{"file": {"path": "results.jsonl"}}],
        "http": {"listen": "off"}}


def tombstone_document(brokers: str) -> dict[str, Any]:
    windows = [{"name": f"{duplicates}-{length}-{kind}", "length": f"{length}s", "slide": "5s",
                "duplicates": duplicates, "implementation": kind}
               for duplicates in ("keep", "drop", "weigh") for length in (10, 60)
               for kind in ("multiversioned", "rebuild")]
    return {
        "source": source(brokers, tombstone="remove"), "windows": windows,
        "jobs": [job(window["name"], "window", window["name"]) for window in windows],
        "sinks": [{"file": {"path": "results.jsonl", "vertices": "all"}}],
        "http": {"listen": "off"}}


def with_tombstones(seed: int, count: int) -> list[tuple[bytes, bytes]]:
    """Keys and values, ten a second of event time; if there is no value, the key names the edge."""
    chance = random.Random(seed)
    pairs: list[dict[str, str]] = []
    made = []
    for number in range(count):
        pair = {"from": f"v{chance.randrange(30)}", "to": f"v{chance.randrange(30)}"}
        if pairs and chance.random() < 0.4:
            pair = chance.choice(pairs[-200:])
        pairs.append(pair)
        edge = {**pair, "ts": 1_767_225_600_000 + number * 100 - chance.randrange(1900)}
        lot = chance.random()
        if lot < 0.3:
            made.append((json.dumps(edge) if lot > 0.01 else "no key", ""))
        else:
            made.append(("", json.dumps({**edge, "amount": chance.randrange(-9, 9)})))
    return [(key.encode(), value.encode()) for key, value in made]


def decode(place: records.Place, key: bytes, value: bytes,
           stream: configuration.Stream) -> records.Event | records.Refused:
    [event] = records.decode_json([(place, value or key)], stream)
    if value or isinstance(event, records.Refused):
        return event
    return event._replace(operation="remove", weight=1)


def due_until(slices: Slices, disorder: int) -> int:
    """A live source never ends: windows are complete up to the slowest partition's watermark."""
    assert len(slices.newest) == PARTITIONS
    return min(slices.newest.values()) - disorder


class Daemon:
    """One run of `sashd`; it is killed with the test."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._log = open(folder / "sashd.log", "a", encoding="utf-8")
        self._results = folder / "results.jsonl"
        self.process = subprocess.Popen(
            [program("SASHD", "sashd"), "--config", "sashd.yaml"], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT,
            preexec_fn=kafka_broker.end_with_parent)

    def __enter__(self) -> "Daemon":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._log.close()

    def wait_for_results(self, count: int) -> bool:
        """Whether this number of lines was written in time, with the daemon still running."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while self.written() < count:
            if self.process.poll() is not None or time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True

    def written(self) -> int:
        return self._results.read_bytes().count(b"\n") if self._results.exists() else 0


class KafkaWindowsTest(unittest.TestCase):
    def setUp(self):
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-windows-"))
        self.folder = pathlib.Path(folder)

    def test_every_window_is_exact_although_the_daemon_stops_and_dies(self):
        lines = subprocess.run(generate("--to", "-"), stdout=subprocess.PIPE, check=True,
                               timeout=DEADLINE_SECONDS).stdout.splitlines()
        self.assertEqual(len(lines), EDGES)
        self.broker.create_topic(TOPIC, PARTITIONS)
        subprocess.run(generate("--to", "kafka", "--brokers", self.broker.address, "--topic", TOPIC,
                                "--partitions-count", str(PARTITIONS)),
                       check=True, timeout=DEADLINE_SECONDS, stdout=subprocess.DEVNULL)
        root = collections.Counter(json.loads(line)["from"] for line in lines[:1000])
        (self.folder / "sashd.yaml").write_text(
            yaml.safe_dump(document(self.broker.address, root.most_common(1)[0][0])))

        given = configuration.load(str(self.folder / "sashd.yaml"))
        events = list(records.decode_json(self.places(lines), given.stream))
        slices = cut(events, given)
        until = due_until(slices, given.stream.disorder)
        slide = given.windows[0].slide
        due = (until // slide - slices.first // slide) * len(given.jobs)
        self.assertGreater(due, 60 * len(given.jobs))

        self.stop_in_the_middle(due // 4, due, signal.SIGTERM, 0)
        self.stop_in_the_middle(due // 2, due, signal.SIGKILL, -signal.SIGKILL)
        with Daemon(self.folder) as daemon:
            self.assertTrue(daemon.wait_for_results(due), self.report(daemon, due))
            self.end(daemon, signal.SIGTERM, 0)

        def is_due(expected: Expectation, _: Slices) -> bool:
            return expected.window.end <= until

        differences, compared = compare(
            given, events, lambda path: read_lines(str(self.folder / path)), is_due)
        self.assertEqual(str(differences), "")
        self.assertGreaterEqual(compared, due)
        print(f"{EDGES} edges, {compared} results equal")

    def test_records_without_value_remove_the_edge_that_their_key_names(self):
        self.broker.create_topic(TOPIC, PARTITIONS)
        (self.folder / "sashd.yaml").write_text(
            yaml.safe_dump(tombstone_document(self.broker.address)))
        given = configuration.load(str(self.folder / "sashd.yaml"))
        events = []
        for partition in range(PARTITIONS):
            made = with_tombstones(partition, 2500)
            subprocess.run(
                ["kcat", "-P", "-q", "-b", self.broker.address, "-t", TOPIC, "-p", str(partition),
                 "-K", "\t", "-Z"], check=True, timeout=DEADLINE_SECONDS,
                input=b"".join(key + b"\t" + value + b"\n" for key, value in made))
            events += [decode(records.Place(TOPIC, partition, offset), key, value, given.stream)
                       for offset, (key, value) in enumerate(made)]
        slices = cut(events, given)
        until = due_until(slices, given.stream.disorder)
        due = sum(each.window.end <= until for each in expectations(given, slices))
        self.assertGreater(due, 40 * len(given.windows))

        with Daemon(self.folder) as daemon:
            self.assertTrue(daemon.wait_for_results(due), self.report(daemon, due))
            self.end(daemon, signal.SIGTERM, 0)
        differences, compared = compare(
            given, events, lambda path: read_lines(str(self.folder / path)),
            lambda expected, _: expected.window.end <= until)
        self.assertEqual(str(differences), "")
        print(f"{len(events)} records, {compared} results equal")

    @staticmethod
    def places(lines: list[bytes]) -> Iterator[tuple[records.Place, bytes]]:
        for number, line in enumerate(lines):
            yield records.Place(TOPIC, number % PARTITIONS, number // PARTITIONS), line

    def stop_in_the_middle(self, count: int, due: int, how: signal.Signals, status: int) -> None:
        with Daemon(self.folder) as daemon:
            self.assertTrue(daemon.wait_for_results(count), self.report(daemon, count))
            self.end(daemon, how, status)
            self.assertLess(daemon.written(), due, "the stream had ended before the daemon did")

    def end(self, daemon: Daemon, how: signal.Signals, status: int) -> None:
        daemon.process.send_signal(how)
        self.assertEqual(daemon.process.wait(STOP_SECONDS), status, self.report(daemon, 0))

    def report(self, daemon: Daemon, wanted: int) -> str:
        log = (self.folder / "sashd.log").read_text(errors="replace")[-3000:]
        return f"{daemon.written()} results of {wanted}; sashd's log ends:\n{log}"


if __name__ == "__main__":
    unittest.main()
