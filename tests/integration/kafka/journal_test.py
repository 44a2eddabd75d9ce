"""`sashd` with windows that depend on clocks and arrival, killed again and again while the stream
runs, with and without checkpoints: after each restart it continues exactly what it has published,
event by event."""
import json
import pathlib
import random
import subprocess
import tempfile
import time
import unittest
from typing import Any

import yaml

import kafka_broker
from kafka_windows_test import DEADLINE_SECONDS, STOP_SECONDS, TOPIC, Daemon
from sashd_replay import program

PARTITIONS = 4
RATE = 4_000  # events a second
SECONDS = 9
KILLS = 4
BATCH = 500  # of the windows by events: the last window is full
IDENTITY = {"numbers": "accepted", "clock": "window_end", "times": "window_end"}


def document(brokers: str) -> dict[str, Any]:
    windows = [{"name": "numbers", "by": "events", "length": BATCH, "slide": BATCH},
               {"name": "clock", "by": "processing_time", "length": "200ms", "slide": "200ms"},
               # Partitions become idle quickly, so the clock decides what is late.
               {"name": "times", "length": "100ms", "slide": "100ms"}]
    return {
        "source": {"kafka": {"brokers": brokers, "topics": [TOPIC], "group": "journal"},
                   "format": {"json": {"source": "/from", "target": "/to", "time": "/ts"}},
                   "time": {"from": "field", "unit": "ms", "disorder": "10ms", "late": "drop",
                            "idle_after": "20ms"}},
        "windows": windows,
        "jobs": [{"name": window["name"], "kernel": "window", "window": window["name"],
                  "overrun": {"queue": 16}} for window in windows],
        "sinks": [{"file": {"path": "results.jsonl"}}], "state": {"interval": "700ms"},
        "http": {"listen": "off"}}


class JournalTest(unittest.TestCase):
    RECOVERY = "checkpoint"
    GOES_ON = "windows go on from the checkpoint in state"
    STATES = "manifest"  # a pattern for the files in the folder

    def setUp(self) -> None:
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))
        self.broker.create_topic(TOPIC, PARTITIONS)
        self.folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="sash-journal-")))
        (self.folder / "sashd.yaml").write_text(
            yaml.safe_dump(document(self.broker.address) | {"recovery": self.RECOVERY}))

    def test_what_is_cut_by_clocks_and_arrival_is_cut_there_again(self) -> None:
        generator = subprocess.Popen(
            [program("SASH_GENERATE", "generate/sash-generate"), "--seed", "3", "--edges",
             str(RATE * SECONDS), "--rate", str(RATE), "--event-rate", str(RATE), "--start", "now",
             "--scale", "8", "--format", "json", "--to", "kafka", "--brokers", self.broker.address,
             "--topic", TOPIC, "--partitions-count", str(PARTITIONS)], stdout=subprocess.DEVNULL)
        self.addCleanup(generator.kill)
        chance = random.Random(5)
        for kill in range(KILLS):
            with Daemon(self.folder) as daemon:
                self.await_results(daemon, lambda: self.has_gone_on(kill))
                time.sleep(chance.uniform(0, 1))  # at any moment
                daemon.process.kill()
                daemon.process.wait(STOP_SECONDS)
        with Daemon(self.folder) as daemon:
            self.await_results(daemon, lambda: self.has_gone_on(KILLS)
                               and generator.poll() is not None
                               and self.numbered() == RATE * SECONDS)
        log = (self.folder / "sashd.log").read_text()
        self.assertGreater(log.count("rounds of the journal are repeated"), 0, log)
        self.assertNotIn(" warning ", log)
        self.expect_sound_state()
        for job in ("numbers", "clock"):
            self.expect_each_event_once(job)
        self.expect_each_event_once("times", late_are_dropped=True)

    def expect_sound_state(self) -> None:
        """The output of `--verify`, while nothing is written there."""
        verdict = subprocess.run([program("SASHD", "sashd"), "--verify", "state"], cwd=self.folder,
                                 capture_output=True, text=True, timeout=STOP_SECONDS)
        self.assertEqual(verdict.returncode, 0, verdict.stdout + verdict.stderr)
        self.assertIn(": sound: ", verdict.stdout)

    def has_gone_on(self, kills: int) -> bool:
        """Whether the newest process has reached the live stream, and has a checkpoint."""
        log = (self.folder / "sashd.log").read_text()
        return (log.count(self.GOES_ON) == kills and log.count("kafka: reading") > kills
                and any((self.folder / "state").glob(self.STATES))
                and len(self.results("clock")) > 3)

    def numbered(self) -> int:
        return max(result["accepted"] for result in self.results("numbers"))

    def results(self, job: str) -> list[dict[str, Any]]:
        path = self.folder / "results.jsonl"
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        return [result for result in map(json.loads, lines) if result["job"] == job]

    def expect_each_event_once(self, job: str, late_are_dropped: bool = False) -> None:
        """For windows that do not overlap, each partition's spans of offsets follow one another."""
        results = self.results(job)
        identities = [result[IDENTITY[job]] for result in results]
        self.assertEqual(identities, sorted(set(identities)), f"{job}: twice, or out of order")
        reached: dict[str, int] = {}
        for result in results:
            for partition, (first, last) in result["offsets"].get(TOPIC, {}).items():
                before = reached.get(partition, -1)
                where = f"{job}: partition {partition} before {result[IDENTITY[job]]}"
                if late_are_dropped:
                    self.assertGreater(first, before, where)
                else:
                    self.assertEqual(first, before + 1, where)
                reached[partition] = last
        self.assertEqual(len(reached), PARTITIONS)

    def await_results(self, daemon: Daemon, what: Any) -> None:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not what():
            log = (self.folder / "sashd.log").read_text()[-3000:]
            self.assertIsNone(daemon.process.poll(), log)
            self.assertLess(time.monotonic(), deadline, log)
            time.sleep(0.05)


class RewindJournalTest(JournalTest):
    """The events are read again; only the journal is on disk."""
    RECOVERY = "replay"
    GOES_ON = "windows are read again according to the journal in state/rewind"
    STATES = "rewind/rewind-*"


if __name__ == "__main__":
    unittest.main()
