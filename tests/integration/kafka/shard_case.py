"""The set-up of tests with shards: streams in which partitions are idle or behind, and processes
that read them."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest
from typing import Any

import kafka_broker
from broker_case import START_MS
from oracle import times
from sashd_process import JSON_FORMAT, RESULTS, SHAPE, Sashd, await_that

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
PARTITIONS = 6
SHARDS = 3
PANE_SECONDS = 5
DISORDER_SECONDS = 3
BEHIND, AHEAD = 600, 1200  # the last seconds of partition 4, and of the others that go on
IDLE_SINCE = 60  # the last second of the partitions 2 and 5, which are those of shard 3


def until_of(partition: int) -> int:
    if partition % SHARDS == 2:
        return IDLE_SINCE
    return BEHIND if partition == 4 else AHEAD


def records_of(partition: int, chance: random.Random) -> list[str]:
    """About one record a second, but some seconds have none; some records are late, some are not
    edges."""
    lines = []
    second = 0
    while second < until_of(partition):
        second += chance.choice([0, 1, 1, 2, 9])
        back = chance.choice([0, 0, 0, 1, 2, 20])
        at = START_MS + max(0, min(second, until_of(partition)) - back) * 1000
        if chance.random() < 0.1:
            lines.append('{"from": "broken"}')
        else:
            lines.append(json.dumps({"from": f"a{partition}", "to": f"b{len(lines)}", "ts": at}))
    lines.append(json.dumps({"from": "last", "to": "x",
                             "ts": START_MS + until_of(partition) * 1000}))
    return lines


class ShardCase(unittest.TestCase):
    """One broker for all tests of the class, and processes in one folder."""

    @classmethod
    def setUpClass(cls) -> None:
        try:
            cls.broker = cls.enterClassContext(kafka_broker.KafkaBroker())
        except kafka_broker.Unavailable as reason:
            raise unittest.SkipTest(str(reason)) from None

    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-shards-"))
        self.folder = pathlib.Path(folder)
        self.active_until = 0.0

    def document(self, topic: str, shard: int | None, export: str = "slices", of: int = SHARDS,
                 ) -> dict[str, Any]:
        kafka: dict[str, Any] = {"brokers": self.broker.address, "topics": [topic],
                                 "group": f"group-{topic}{'' if shard else '-one'}"}
        if shard:
            kafka["partitions"] = {"shard": shard, "of": of}
        return {
            "source": {"kafka": kafka, "format": JSON_FORMAT,
                       "time": {"unit": "ms", "disorder": f"{DISORDER_SECONDS}s",
                                "idle_after": "8s", "late": "drop"}},
            "windows": [{"name": "w", "length": "1m", "slide": f"{PANE_SECONDS}s"},
                        {"name": "few", "length": "1m", "slide": "10s",
                         "where": '/from != "a1"'}],
            "jobs": [SHAPE], "sinks": [RESULTS],
            "exports": [{"parquet": {"path": str(self.folder / export), "slices": True,
                                     "keep": "7300d"}}],
            "http": {"listen": f"127.0.0.1:{kafka_broker.free_ports(1)[0]}"}}

    def begin(self, topic: str, shard: int | None, **how: Any) -> Sashd:
        return self.enterContext(Sashd(self.document(topic, shard, **how)))

    def produce(self, topic: str, partition: int, lines: list[str]) -> None:
        subprocess.run(["kcat", "-P", "-q", "-b", self.broker.address, "-t", topic, "-p",
                        str(partition)], check=True, timeout=60,
                       input="".join(line + "\n" for line in lines).encode())

    def manifest(self, shard: int, export: str = "slices") -> dict[str, Any]:
        path = self.folder / export / f"shard-{shard}-of-{SHARDS}" / "shard.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def closed_until(self, shard: int) -> int:
        """The `closed_until` of a shard, in seconds of the stream; -1: it has closed nothing."""
        until = self.manifest(shard).get("closed_until")
        return -1 if until is None else times.from_result(until) // 10**9 - START_MS // 1000

    def await_it(self, what: Any, *processes: Sashd) -> None:
        self.assertTrue(await_that(what), "\n".join(each.log() for each in processes))

    def keep_active(self, topic: str) -> bool:
        """Sends broken records, about once a second, to the partitions that should not be idle:
        otherwise a clock would decide. Returns True."""
        if time.monotonic() > self.active_until:
            self.active_until = time.monotonic() + 1
            for partition in (0, 1, 3, 4):
                self.produce(topic, partition, ['{"from": "broken"}'])
        return True


def slices_closed_in(folder: pathlib.Path) -> int:
    """The end of the newest slice of one process, in seconds of the stream; -1: there is none."""
    ends = [times.from_result(json.loads(path.read_text())["end"])
            for path in folder.glob("slice-*.json")]
    return max(ends) // 10**9 - START_MS // 1000 if ends else -1
