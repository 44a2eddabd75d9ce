"""Slices that a replay exports, read by pyarrow, DuckDB and polars: every accepted edge is there
once, as the oracle has it.

SASH_SLOW=1 runs many more streams; SASH_SEED=n starts at another seed, which is printed.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
from typing import Any

import duckdb
import polars

import slice_files
from replay_oracle_test import POLICIES, Case
from sashd_replay import REPLAY_SECONDS, Replay, program

SLOW = os.environ.get("SASH_SLOW") == "1"
SEED = int(os.environ.get("SASH_SEED", "1"))
KILL_POINTS = os.environ.get("SASH_KILL_POINTS", "")


def by_duckdb(path: pathlib.Path) -> slice_files.Columns:
    with duckdb.connect() as database:
        found = database.sql(f"select * replace (epoch_us(time) as time) from '{path}'")
        rows = found.fetchall()
        return {name: [row[i] for row in rows] for i, name in enumerate(found.columns)}


def by_polars(path: pathlib.Path) -> slice_files.Columns:
    table = polars.read_parquet(path).with_columns(polars.col("time").cast(polars.Int64))
    return table.to_dict(as_series=False)


OTHER_READERS = (by_duckdb, by_polars)
FILES_FOR_OTHERS = 20  # of a stream: they open each file for long


def with_slices(document: dict[str, Any], path: str = "slices") -> dict[str, Any]:
    """Only the slices are compared, so one small job is enough."""
    return {**document, "exports": [{"parquet": {"path": path, "slices": True, "keep": "7300d",
                                                 "limit": "10GiB"}}],
            "jobs": [{"name": "shape", "kernel": "window",
                      "window": document["windows"][0]["name"], "every": 1000}],
            "sinks": [{"file": {"path": "results.jsonl"}}]}


class RandomStreamsTest(unittest.TestCase):
    def test_every_accepted_edge_is_in_one_slice(self) -> None:
        print(f"SASH_SEED={SEED}", flush=True)
        rows = 0
        for seed, policy in itertools.product(range(SEED, SEED + (30 if SLOW else 2)), POLICIES):
            case = Case(seed, policy, "event_time")
            with self.subTest(str(case)):
                document, stream = case.build()
                with Replay(with_slices(document), stream.content) as replay:
                    replay.run()
                    rows += self.compare(replay)
        self.assertGreater(rows, 5000)

    def compare(self, replay: Replay) -> int:
        comparison = slice_files.Comparison(replay.events(), replay.configuration)
        files = slice_files.read(replay.folder / "slices")
        self.assertEqual(comparison.whole(files)[:3], [])
        for file, reader in itertools.product(files[:FILES_FOR_OTHERS], OTHER_READERS):
            table = replay.folder / "slices" / file.about["file"]["name"]
            self.assertEqual(reader(table), file.columns, reader.__name__)
        return comparison.rows

    def test_the_slices_of_all_files_are_one_table(self) -> None:
        document, stream = Case(SEED, "keep", "event_time").build()
        with Replay(with_slices(document), stream.content) as replay:
            replay.run()
            files = slice_files.read(replay.folder / "slices")
            expected = sum(each.about["edges"] for each in files)
            pattern = f"{replay.folder}/slices/slice-*.parquet"
            self.assertEqual(duckdb.sql(f"select count(*), count(distinct (topic, partition, "
                                        f'"offset", place)) from \'{pattern}\'').fetchall(),
                             [(expected, expected)])
            self.assertEqual(len(polars.scan_parquet(pattern).collect()), expected)


class RestartTest(unittest.TestCase):
    DOCUMENT = {"source": {"replay": {"path": "events"}, "time": {"unit": "s", "disorder": "0s"},
                           "format": {"json": {"source": "/s", "target": "/t", "time": "/at"}}},
                "windows": [{"name": "w", "length": "20s", "slide": "10s"}]}
    CONTENT = "".join(json.dumps({"s": f"a{i % 7}", "t": f"b{i % 5}", "at": i}) + "\n"
                      for i in range(45)).encode()

    def run_in(self, folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
        (folder / "events").write_bytes(self.CONTENT)
        (folder / "sashd.yaml").write_text(json.dumps(
            {**with_slices(self.DOCUMENT, str(folder / "slices")), "http": {"listen": "off"}}))
        return subprocess.run([program("SASHD", "sashd"), "--config", "sashd.yaml"], cwd=folder,
                              env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=REPLAY_SECONDS, check=False)

    def test_a_process_killed_at_any_file_operation_leaves_whole_slices(self) -> None:
        if not KILL_POINTS:
            self.skipTest("SASH_KILL_POINTS does not name the library")
        operations = self.kill_at(0, "")
        self.assertTrue({line.split()[0] for line in operations} >=
                        {"open", "write", "fsync", "rename"}, operations)
        each = len(operations) // 5  # slices
        points = [(number, way) for way in ("done", "torn", "power")
                  for number in range(each + 1, 2 * each + 3)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda point: self.kill_at(*point), points))

    def kill_at(self, number: int, way: str) -> list[str]:
        """The operations that were done; number 0: it is not killed."""
        with tempfile.TemporaryDirectory(prefix="sash-slices-") as scratch:
            folder = pathlib.Path(scratch)
            trace, path = folder / "trace", folder / "slices"
            killed = {"SASH_KILL_AT": str(number), "SASH_KILL_HOW": way} if number else {}
            done = self.run_in(folder, LD_PRELOAD=KILL_POINTS, SASH_KILL_UNDER=str(path),
                               SASH_KILL_TRACE=str(trace), **killed)
            self.assertEqual(done.returncode, -signal.SIGKILL if number else 0, done.stderr)
            slice_files.read(path)
            if number:
                again = self.run_in(folder)
                self.assertEqual(again.returncode, 0, again.stderr)
            files = slice_files.read(path)
            self.assertEqual([each.about["edges"] for each in files], [10, 10, 10, 10, 5])
            self.assertEqual(len(list(path.iterdir())), 10)
            return trace.read_text().splitlines()


if __name__ == "__main__":
    unittest.main()
