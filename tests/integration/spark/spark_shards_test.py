"""Windows that Spark makes of the slices of three shards: each result equals that of one `sashd`
that reads everything, although one shard is idle, a partition is 10 minutes behind, a shard is
killed, and edges have ids of other shards. `--follow` gives the same results while the shards
write, although it is killed.

SASH_SEED=n makes the stream, and is printed.
"""
import contextlib
import io
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from typing import Any

import pyspark  # noqa: F401  (run_test.py reports that it is missing)

from engines import PACKAGE, differences, open_spark, read_files, read_results, require_spark

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / each)
                for each in ("kafka", "process")]

from shard_case import (BEHIND, DISORDER_SECONDS, PANE_SECONDS, PARTITIONS, SEED, SHARDS, START_MS,
                        Sashd, ShardCase, records_of, slices_closed_in)

from sash_spark.command import main
from sash_spark.times import time_text

IDS = 600  # some come again within a minute
KILLS = 3
PATIENCE_SECONDS = 600


def with_ids(lines: list[str], chance: random.Random) -> list[str]:
    """Some ids come again soon, mostly in another partition."""
    made = []
    for line in lines:
        record = json.loads(line)
        if "to" in record:
            record["id"] = f"i{chance.randrange(IDS)}"
        made.append(json.dumps(record))
    return made


class Following:
    """The process `sash-spark --follow`, killed after some results and started again."""

    def __init__(self, slices: pathlib.Path, configuration: pathlib.Path, output: pathlib.Path
                 ) -> None:
        self.output = output
        self._log = output.parent / f"{output.name}.log"
        self._command = [
            sys.executable, "-m", "sash_spark", "--slices", str(slices), "--config",
            str(configuration), "--follow", "--vertices", "all", "--output", str(output)]
        self.start()

    def start(self) -> None:
        with open(self._log, "wb") as log:
            # A group of its own: Spark's Java is killed with it.
            self.process = subprocess.Popen(
                self._command, cwd=PACKAGE, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1",
                     "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_SUBMIT_ARGS":
                     "--master local[2] --conf spark.ui.enabled=false pyspark-shell"})

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def is_following(self) -> bool:
        return "sash-spark: follows" in self.log()

    def results(self) -> int:
        return len([*(self.output / "results").glob("*.json")])

    def await_it(self, what: Any) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not what():
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(self.log()[-5000:])
            time.sleep(0.05)


class SparkShardsTest(ShardCase):
    @classmethod
    def setUpClass(cls) -> None:
        require_spark()
        super().setUpClass()
        cls.spark = open_spark()
        cls.addClassCleanup(cls.spark.stop)

    def document(self, *given: Any, **how: Any) -> dict[str, Any]:
        made = super().document(*given, **how)
        mapping = made["source"]["format"]["json"]
        made["source"]["format"] = {"json": {**mapping, "id": "/id"}}
        made["source"]["dedupe"] = {"within": "1m"}
        made["windows"] = [{"name": "w", "length": f"{PANE_SECONDS}s", "slide": f"{PANE_SECONDS}s"},
                           {"name": "all", "length": "4m", "slide": "2m"},
                           {"name": "few", "length": "3m", "slide": "3m", "duplicates": "drop",
                            "where": '/from != "a1"'}]
        made["jobs"] = [{"name": f"{window}-edges", "kernel": "window", "window": window,
                         "overrun": {"queue": 100}}
                        for window in ("all", "few")]
        made["sinks"] = [{"file": {"path": "results.jsonl", "vertices": "all"}}]
        return made

    def ran(self, configuration: pathlib.Path, *more: str) -> tuple[int, str]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = main(["--slices", str(self.folder / "slices"), "--config", str(configuration),
                         *more])
        return code, said.getvalue()

    def test_windows_are_those_of_one_process(self) -> None:
        print(f"SASH_SEED={SEED}", flush=True)
        chance = random.Random(SEED)
        topic = f"spark-{SEED}"
        self.broker.create_topic(topic, PARTITIONS)
        parts = [with_ids(records_of(partition, chance), chance) for partition in range(PARTITIONS)]
        shards = [self.begin(topic, number) for number in range(1, SHARDS + 1)]
        one = self.begin(topic, None, export="one")
        following = Following(self.folder / "slices", one.folder / "sashd.yaml",
                              self.folder / "follow")
        self.addCleanup(following.kill)
        for partition, lines in enumerate(parts):
            self.produce(topic, partition, lines[:len(lines) // 2])
        self.await_it(lambda: self.keep_active(topic) and self.closed_until(1) > 100, *shards)
        shards[0].process.send_signal(signal.SIGKILL)
        shards[0].process.wait()
        for partition, lines in enumerate(parts):
            self.produce(topic, partition, lines[len(lines) // 2:])
        shards[0].start()
        end = (BEHIND - DISORDER_SECONDS) // PANE_SECONDS * PANE_SECONDS
        self.await_it(lambda: self.keep_active(topic) and slices_closed_in(
            self.folder / "one") >= end and all(
                self.closed_until(number) >= end for number in range(1, SHARDS + 1)), one, *shards)
        for each in (one, *shards):
            each.send(signal.SIGTERM)
        for each in (one, *shards):
            self.assertEqual(each.process.wait(30), 0, each.log())
        found = self.compare(one)
        self.compare_followed(following, one, found, chance)
        self.assert_a_missing_shard_is_named(one)

    def compare_followed(self, live: Following, one: Sashd, expected: dict[Any, dict[str, Any]],
                         chance: random.Random) -> None:
        """Compares `expected` with the results of `live`, which followed while the shards wrote,
        and with those of a process that is killed again and again."""
        killed = Following(self.folder / "slices", one.folder / "sashd.yaml",
                           self.folder / "killed")
        self.addCleanup(killed.kill)
        for kill in range(KILLS):
            least = killed.results() + chance.choice([1, 1, 2])
            killed.await_it(lambda: killed.results() >= min(least, len(expected)))
            time.sleep(chance.random())
            print(f"kill {kill + 1} after {killed.results()} results", flush=True)
            killed.kill()
            killed.start()
        behind = time_text((START_MS // 1000 + self.closed_until(2)) * 10**9)
        live.await_it(lambda: re.search("waits for the window all until .*`closed_until` of "
                                        f"shard-2-of-3 is {behind}", live.log()))
        for each in (live, killed):
            each.await_it(lambda: each.results() >= len(expected) and each.is_following())
            each.process.send_signal(signal.SIGTERM)
            self.assertEqual(each.process.wait(PATIENCE_SECONDS), 0, each.log()[-5000:])
            found = read_files(each.output)
            self.assertEqual(sorted(found), sorted(expected))
            for identity, result in found.items():
                with self.subTest(identity=identity, seed=SEED):
                    self.assertEqual(differences(result, expected[identity]), [])
                    self.assertEqual(result["snapshot"], expected[identity]["snapshot"])

    def compare(self, one: Sashd) -> dict[Any, dict[str, Any]]:
        closed = min(self.closed_until(number) for number in range(1, SHARDS + 1))
        limit = time_text((START_MS // 1000 + closed) * 10**9)
        code, said = self.ran(one.folder / "sashd.yaml", "--vertices", "all", "--output",
                              str(self.folder / "out"))
        self.assertEqual(code, 0, said)
        found = read_results(self.folder / "out" / "results.jsonl")
        expected = {identity: result
                    for identity, result in read_results(one.folder / "results.jsonl").items()
                    if identity[1] <= limit}
        self.assertEqual(sorted(found), sorted(expected))
        for identity, result in found.items():
            with self.subTest(identity=identity, seed=SEED):
                self.assertEqual(differences(result, expected[identity]), [])
        sums = {name: sum(result[name] for result in found.values())
                for name in ("edges", "late", "refused")}
        print(f"{len(found)} results: {sums}", flush=True)
        self.assertGreater(len(found), 5)
        self.assertGreater(min(sums.values()), 10)
        document = json.loads((one.folder / "sashd.yaml").read_text())
        del document["source"]["dedupe"]
        without = self.folder / "without.yaml"
        without.write_text(json.dumps(document))
        code, said = self.ran(without, "--jobs", "few-edges", "--output", str(self.folder / "more"))
        self.assertEqual(code, 0, said)
        more = sum(result["edges"] for result in read_results(
            self.folder / "more" / "results.jsonl").values())
        self.assertGreater(more, sum(result["edges"] for identity, result in found.items()
                                     if identity[0] == "few-edges"), "no id came twice")
        return found

    def assert_a_missing_shard_is_named(self, one: Sashd) -> None:
        shutil.rmtree(self.folder / "slices" / f"shard-2-of-{SHARDS}")
        code, said = self.ran(one.folder / "sashd.yaml")
        self.assertEqual(code, 78)
        self.assertIn(f"has no shard-2-of-{SHARDS}; windows need the slices of all shards", said)


if __name__ == "__main__":
    unittest.main()
