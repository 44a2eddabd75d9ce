"""`sashd` with checkpoints, killed again and again while it reads from a real broker: every result
equals that of a process that was never killed, and the files are whole after each kill."""
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
from typing import Any, Callable

import yaml

import kafka_broker
from kafka_windows_test import DEADLINE_SECONDS, STOP_SECONDS, TOPIC, Daemon
from sashd_replay import program

EDGES = 300_000
SECONDS = 1000  # of event time
SLIDE = 10
BATCH = EDGES // 60  # for windows by events
ENDS = 90  # windows that are compared; the last windows of a live stream stay open
VOLATILE = ("seconds", "watermark", "snapshot")


def document(brokers: str, group: str, by_events: bool, **more: Any) -> dict[str, Any]:
    windows = [{"name": "copies", "length": "60s", "slide": f"{SLIDE}s", "duplicates": "keep"},
               {"name": "sums", "length": "30s", "slide": f"{SLIDE}s", "duplicates": "weigh"}]
    if by_events:
        windows.append({"name": "numbers", "by": "events", "length": 3 * BATCH, "slide": BATCH,
                        "duplicates": "drop"})
    return {
        "source": {"kafka": {"brokers": brokers, "topics": [TOPIC], "group": group},
                   "format": {"json": {"source": "/from", "target": "/to", "time": "/ts",
                                       "weight": "/amount", "operation": "/op"}},
                   "time": {"from": "field", "unit": "ms", "disorder": "1s"}},
        "windows": windows,
        "jobs": [{"name": f"shape-of-{window['name']}", "kernel": "window",
                  "window": window["name"],
                  "overrun": {"queue": 4}} for window in windows],
        "sinks": [{"file": {"path": "results.jsonl"}}],
        "http": {"listen": "off"}, **more}


class RecoveryTest(unittest.TestCase):
    def setUp(self):
        try:
            self.broker = self.enterContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            self.skipTest(str(reason))

    def test_several_partitions_by_event_time(self):
        self.compare(partitions=4, by_events=False)

    def test_one_partition_by_events_too(self):
        self.compare(partitions=1, by_events=True)

    def compare(self, partitions: int, by_events: bool) -> None:
        self.broker.create_topic(TOPIC, partitions)
        # Two seconds of disorder, one second allowed: some events are late.
        subprocess.run([program("SASH_GENERATE", "generate/sash-generate"), "--seed", "11",
                        "--edges", str(EDGES), "--rate", "0", "--event-rate", str(EDGES // SECONDS),
                        "--start", "2026-01-01T00:00:00Z", "--disorder", "2s", "--scale", "8",
                        "--duplicates", "0.2", "--removals", "0.03", "--weights", "integer",
                        "--format", "json", "--to", "kafka", "--brokers", self.broker.address,
                        "--topic", TOPIC, "--partitions-count", str(partitions)],
                       check=True, timeout=DEADLINE_SECONDS, stdout=subprocess.DEVNULL)
        unkilled = self.folder(document(self.broker.address, "unkilled", by_events))
        with Daemon(unkilled) as daemon:
            self.wait_for(daemon, unkilled, lambda: self.is_complete(unkilled, by_events))
        killed = self.folder(document(self.broker.address, "killed", by_events,
                                      recovery="checkpoint", state={"interval": "20ms"}))
        in_the_middle = 0
        for kills, share in enumerate((0.2, 0.4, 0.6, 0.8)):
            with Daemon(killed) as daemon:
                # Even if the previous processes have written everything, each has to complete its
                # own start.
                self.wait_for(daemon, killed, lambda: (killed / "state" / "manifest").exists()
                              and self.recoveries(killed) == kills
                              and self.written(killed) > share * self.written(unkilled))
                daemon.process.send_signal(signal.SIGKILL)
                self.assertEqual(daemon.process.wait(STOP_SECONDS), -signal.SIGKILL)
            in_the_middle += not self.is_complete(killed, by_events)
            verified = subprocess.run([program("SASHD", "sashd"), "--verify", "state"], cwd=killed,
                                      capture_output=True, text=True, timeout=STOP_SECONDS,
                                      check=False)
            self.assertEqual((verified.returncode, verified.stderr), (0, ""), verified.stdout)
        with Daemon(killed) as daemon:
            self.wait_for(daemon, killed, lambda: self.is_complete(killed, by_events)
                          and self.recoveries(killed) == 4)
        self.assertGreater(in_the_middle, 0, "the first kill came after the last record")
        expected, found = self.results(unkilled), self.results(killed)
        self.assertGreater(sum(line["late"] for line in expected.values()), 0)
        for identity in expected.keys() | found.keys():
            if not self.is_compared(identity):
                continue
            self.assertEqual(found.get(identity), expected.get(identity), identity)

    def folder(self, configuration: dict[str, Any]) -> pathlib.Path:
        folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="sash-recovery-")))
        (folder / "sashd.yaml").write_text(yaml.safe_dump(configuration))
        return folder

    @staticmethod
    def recoveries(folder: pathlib.Path) -> int:
        return (folder / "sashd.log").read_text().count("windows go on from the checkpoint in "
                                                        "state")

    def wait_for(self, daemon: Daemon, folder: pathlib.Path, what: Callable[[], bool]) -> None:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not what():
            log = (folder / "sashd.log").read_text()[-3000:]
            self.assertIsNone(daemon.process.poll(), log)
            self.assertLess(time.monotonic(), deadline, log)
            time.sleep(0.01)

    def results(self, folder: pathlib.Path) -> dict[tuple[str, Any], dict[str, Any]]:
        """The results by identity: (window, end or number of the last event)."""
        found: dict[tuple[str, Any], dict[str, Any]] = {}
        path = folder / "results.jsonl"
        for text in path.read_bytes().split(b"\n")[:-1] if path.exists() else []:
            line = json.loads(text)
            identity = (line["window"], line.get("accepted", line["window_end"]))
            self.assertNotIn(identity, found, "twice")
            found[identity] = {key: value for key, value in line.items() if key not in VOLATILE}
        return found

    @staticmethod
    def is_compared(identity: tuple[str, Any]) -> bool:
        _, end = identity
        if isinstance(end, int):
            return end <= 50 * BATCH
        return end <= f"2026-01-01T00:{ENDS * SLIDE // 60:02}:00.000Z"

    def is_complete(self, folder: pathlib.Path, by_events: bool) -> bool:
        if self.written(folder) < 2 * ENDS + (50 if by_events else 0):
            return False
        compared = sum(self.is_compared(identity) for identity in self.results(folder))
        return compared >= 2 * ENDS + (50 if by_events else 0)

    @staticmethod
    def written(folder: pathlib.Path) -> int:
        path = folder / "results.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    unittest.main()
