"""Windows that sashd exported, computed by Spark: each result equals sashd's own."""
import contextlib
import io
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import pyarrow
import pyarrow.parquet
import pyspark  # noqa: F401  (run_test.py reports that it is missing)

from engines import (TWINS, differences, document, open_spark, read_results, records, require_spark,
                     twins_differ)
from sashd_replay import Replay

from sash_spark.command import main

SEED = 20261128
TABLES = os.environ.get("SASH_PARQUET_TABLES", "")
TEXTS = ["twin1", "twin2", "é", "😀", "a", "A", "z\"", "10", "9", *(f"v{i}" for i in range(14))]
INTEGERS = [7, 8, -3, 2**62, 0, -2**62, *range(100, 115)]
STEPS = {"tolerance": 0, "max_iterations": 5}

# (kernel, parameters) for string keys and whole weights, ...
WHOLE: list[tuple[str, dict[str, Any]]] = [
    ("pagerank", {"tolerance": 1e-12, "damping": 0.2}),
    ("pagerank", {"weighted": True, **STEPS}),
    ("pagerank", {"sources": ["a", "nobody"], "direction": "both", **STEPS}),
    ("pagerank", {"sources": ["é"], "weighted": True, "direction": "in", **STEPS}),
    ("hits", STEPS),
    ("hits", {"weighted": True, "rank_by": "hubs", **STEPS}),
    ("bfs", {"roots": ["twin1", "nobody"]}),
    ("bfs", {"roots": ["twin2", "nobody", "é"], "separate": True, "parents": True,
             "direction": "both"}),
    ("sssp", {"roots": ["twin1"], "direction": "both"}),
    ("sssp", {"roots": ["é"], "direction": "in"}),
    ("paths", {"from": ["twin1", "é"], "to": ["twin2", "a", "9", "v1", "nobody"]}),
    ("paths", {"from": ["twin1", "z\""], "to": ["twin2", "A", "10", "v2", "v3", "z\""],
               "by": "weight", "direction": "both", "most": 4}),
    ("paths", {"from": ["v5"], "to": ["v6", "v7", "é"], "by": "weight", "direction": "in"}),
    ("wcc", {}), ("cdlp", {}), ("window", {}), ("scc", {}), ("triangles", {}), ("lcc", {}),
    ("kcore", {}), ("reciprocity", {}), ("degree", {}), ("fanout", {"direction": "both"}),
    ("strength", {}), ("strength", {"direction": "net"})]
# ... and for integer keys, weights that are not whole, and negative ones.
MIXED: list[tuple[str, dict[str, Any]]] = [
    ("pagerank", {"direction": "in", **STEPS}), ("pagerank", {"weighted": True}),
    ("hits", {"weighted": True}), ("sssp", {"roots": [7]}),
    ("paths", {"from": [7, 2**62], "to": [8, 0, 101], "by": "weight"}),
    ("paths", {"from": [-3, 5], "to": [100, 103, -3], "direction": "both"}),
    ("bfs", {"roots": [2**62, 5], "direction": "in", "parents": True}), ("window", {}),
    ("strength", {"direction": "in"}), ("degree", {"direction": "in"}), ("fanout", {})]
POLICIES = [{"duplicates": "keep"}, {"duplicates": "weigh"},
            {"duplicates": "drop", "where": "/big"},
            {"duplicates": "weigh", "identity": "pair_and_type", "types": ["x", "y"]},
            {"duplicates": "keep", "types": ["x"]},
            {"duplicates": "drop", "identity": "pair_and_type"}]


def spread(kernels: list[tuple[str, dict[str, Any]]], policies: list[dict[str, Any]],
           times: int = 1) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Windows, one for each policy, and jobs: each kernel on `times` of them, in turn."""
    windows = [{"name": f"w{i}", **policy} for i, policy in enumerate(policies)]
    jobs = [{"name": f"j{n}-{kernel}-{i}", "kernel": kernel, "parameters": parameters, "top": 5,
             "window": f"w{(n + i) % len(policies)}"}
            for n, (kernel, parameters) in enumerate(kernels) for i in range(times)]
    return windows, jobs


def comparable(column: Any) -> list[Any]:
    """Times as numbers, and doubles by their bits."""
    if pyarrow.types.is_timestamp(column.type):
        return list(column.cast(pyarrow.timestamp("us", "UTC")).cast(pyarrow.int64()).to_pylist())
    values = column.to_pylist()
    if pyarrow.types.is_floating(column.type):
        return [None if value is None else "nan" if value != value else struct.pack("<d", value)
                for value in values]
    return list(values)


def run(arguments: list[str]) -> tuple[int, str, str]:
    """The exit code of the program, what it wrote, and what it said."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code = main(arguments)
    return code, out.getvalue(), said.getvalue()


class SnapshotCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        require_spark()
        cls.spark = open_spark()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()

    def replayed(self, keys: str, content: bytes, windows: list[dict[str, Any]],
                 jobs: list[dict[str, Any]]) -> pathlib.Path:
        replay = Replay(document(keys, windows, jobs, [{"parquet": {
            "path": "export", "windows": [window["name"] for window in windows]}}]), content)
        self.addCleanup(replay.__exit__)
        replay.run()
        return replay.folder

    def compare(self, folder: pathlib.Path, window: str, twins: list[Any], *more: str) -> int:
        """All jobs of a window, over its newest snapshot. Returns how many."""
        every = "--vertices" in more
        code, _, said = run(["--snapshot", str(folder / "export" / window), "--config",
                             str(folder / "sashd.yaml"), "--output", str(folder / f"of-{window}"),
                             *more])
        self.assertEqual(code, 0, said)
        expected = read_results(folder / ("all.jsonl" if every else "top.jsonl"))
        found = read_results(folder / f"of-{window}" / "results.jsonl")
        for identity, result in found.items():
            with self.subTest(window=window, job=identity[0], seed=SEED):
                self.assertEqual(differences(result, expected[identity]), [])
                self.assertEqual(twins_differ(result, twins), [])
        return len(found)

    def compare_all(self, seed: int, times: int) -> pathlib.Path:
        windows, jobs = spread(WHOLE, POLICIES, times)
        folder = self.replayed("string", records(seed, TEXTS, [0, 1, 2, 3, 2**40]), windows, jobs)
        compared = sum(self.compare(folder, window["name"], TEXTS[:TWINS], "--blocks", "2",
                                    "--vertices", "all") for window in windows)
        self.assertEqual(compared, len(WHOLE) * times)
        return folder


class SnapshotTest(SnapshotCase):
    def test_spark_reads_random_tables_as_pyarrow_does(self) -> None:
        """parquet_test.py compares pyarrow with what was written."""
        if not TABLES:
            self.skipTest("SASH_PARQUET_TABLES does not name the program")
        with tempfile.TemporaryDirectory(prefix="sash-spark-") as folder:
            subprocess.run([TABLES, folder, str(SEED)], check=True, timeout=60)
            files = sorted(pathlib.Path(folder).glob("*.parquet"))
            self.assertGreater(len(files), 5)
            for file in files:
                expected = pyarrow.parquet.read_table(file)
                found = self.spark.read.parquet(str(file)).toArrow()
                self.assertEqual(found.column_names, expected.column_names)
                for name in expected.column_names:
                    with self.subTest(file=file.name, column=name):
                        self.assertEqual(comparable(found[name]), comparable(expected[name]))

    def test_every_kernel_gives_what_sashd_gives(self) -> None:
        self.check_vectors(self.compare_all(SEED, 1))

    def test_integer_keys_and_weights_that_are_not_whole(self) -> None:
        windows, jobs = spread(MIXED, POLICIES[:2])
        folder = self.replayed("integer", records(SEED + 1, INTEGERS, [1, 0.5, -2.25, 3]), windows,
                               jobs)
        compared = sum(self.compare(folder, window["name"], INTEGERS[:TWINS])
                       for window in windows)
        self.assertEqual(compared, len(MIXED))

    def check_vectors(self, folder: pathlib.Path) -> None:
        """They have every vertex in the order of keys, with the values of the results."""
        for path in folder.glob("of-*/results.jsonl"):
            for (job, end), result in read_results(path).items():
                if result["kernel"] not in ("pagerank", "strength", "wcc"):
                    continue
                table = pyarrow.parquet.read_table(
                    path.parent / "vectors" / f"{job}-{end.replace(':', '')}.parquet").to_pydict()
                self.assertEqual(table["id"], list(range(result["vertices"])))
                self.assertEqual(table["key"], sorted(table["key"], key=lambda key: key.encode()))
                if result["kernel"] == "wcc":
                    self.assertEqual(dict(zip(table["key"], table["component"])), {
                        row["vertex"]: row["component"] for row in result["members"]})
                else:
                    self.assertEqual(dict(zip(table["key"], table["score"])), {
                        row["vertex"]: row["score"] for row in result["top"]})


class EveryPolicyTest(SnapshotCase):
    """Each kernel on each policy."""

    def test_every_kernel_on_every_policy_gives_what_sashd_gives(self) -> None:
        self.compare_all(SEED + 2, len(POLICIES))

    def test_windows_without_edges_and_weights_beyond_a_double(self) -> None:
        def rows(*events: tuple[str, str, float, int, str]) -> bytes:
            names = ("s", "t", "w", "ts", "op")
            return "".join(json.dumps({"k": "", "big": True, **dict(zip(names, event))}) + "\n"
                           for event in events).encode()

        beyond = rows(("a", "b", 1e308, 1, "add"), ("a", "b", 1e308, 2, "add"),
                      ("b", "c", 1e308, 3, "add"), ("b", "a", 1e308, 3, "add"),
                      ("c", "é", 2**63 - 1, 4, "add"), ("c", "a", 2**63 - 1, 4, "add"),
                      ("v1", "v2", 1.5, 4, "add"))
        empty = rows(("a", "b", 1, 1, "add"), ("a", "a", 1, 25, "add"), ("a", "a", 1, 39, "remove"))
        for content in (beyond, empty):
            windows, jobs = spread(WHOLE, [{"duplicates": "weigh"}])
            folder = self.replayed("string", content, windows, jobs)
            self.assertEqual(self.compare(folder, "w0", [], "--vertices", "all"), len(WHOLE))


class InputTest(unittest.TestCase):
    """What is refused, with the reason; and what does not hinder the other jobs."""

    @classmethod
    def setUpClass(cls) -> None:
        require_spark()
        cls.spark = open_spark()
        jobs = [{"name": "d", "kernel": "degree", "window": "w"},
                {"name": "new", "kernel": "new_edges", "window": "w", "every": 1},
                {"name": "of-v", "kernel": "wcc", "window": "v"}]
        windows = [{"name": "w"}, {"name": "v"}]
        cls.replay = Replay(document("string", windows, jobs, [
            {"parquet": {"path": "export", "windows": ["w"], "keep": 9}}]),
            records(SEED, TEXTS, [1], 60))
        cls.replay.run()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.replay.__exit__()
        cls.spark.stop()

    def setUp(self) -> None:
        self.folder = self.replay.folder
        self.snapshots = self.folder / "export" / "w"

    def ran(self, snapshot: pathlib.Path, *more: str) -> tuple[int, str, str]:
        return run(["--snapshot", str(snapshot), "--config", str(self.folder / "sashd.yaml"),
                    *more])

    def copy(self) -> pathlib.Path:
        copied = self.folder / f"copy-{random.random()}"
        shutil.copytree(max(self.snapshots.iterdir()), copied)
        self.addCleanup(shutil.rmtree, copied)
        return copied

    def assert_refused(self, snapshot: pathlib.Path, why: str, *more: str) -> None:
        code, out, said = self.ran(snapshot, *more)
        self.assertEqual((code, out), (78, ""), said)
        self.assertIn(why, said)

    def test_a_job_that_needs_the_window_before_is_refused_and_the_others_run(self) -> None:
        code, out, said = self.ran(self.snapshots)
        self.assertEqual(code, 1, said)
        self.assertEqual([json.loads(line)["job"] for line in out.splitlines()], ["d"])
        self.assertIn("job new is refused: new_edges compares with the window of the job's", said)
        for key in ("source", "sinks", "exports"):
            self.assertEqual(said.count(f"`{key}` of"), 1, said)

    def test_beyond_the_limit_a_job_is_refused_with_the_number(self) -> None:
        code, out, said = self.ran(self.snapshots, "--jobs", "d", "--driver-limit", "100")
        self.assertEqual((code, out), (1, ""), said)
        self.assertIn("holds 24 bytes on the driver for each vertex", said)
        self.assertIn("enough for 4 vertices", said)

    def test_what_is_not_a_whole_snapshot_is_refused(self) -> None:
        torn = self.copy()
        (torn / "snapshot.json").unlink()
        self.assert_refused(torn, "has no snapshot.json, which is written last")
        shorter = self.copy()
        table = shorter / "edges-00000.parquet"
        table.write_bytes(table.read_bytes()[:-1])
        self.assert_refused(shorter, "export the window again", "--jobs", "d")
        damaged = self.copy()
        content = bytearray((damaged / "vertices.parquet").read_bytes())
        content[len(content) // 2] ^= 1
        (damaged / "vertices.parquet").write_bytes(content)
        self.assert_refused(damaged, "is damaged: its CRC-32C is", "--jobs", "d")
        newer = self.copy()
        about = json.loads((newer / "snapshot.json").read_text())
        (newer / "snapshot.json").write_text(json.dumps({**about, "parquet": 2}))
        self.assert_refused(newer, "install a newer sash-spark")

    def test_jobs_that_are_not_there_are_refused(self) -> None:
        self.assert_refused(self.snapshots, "there is no job `x`; jobs: d, new, of-v", "--jobs",
                            "d,x")
        self.assert_refused(self.snapshots, "`of-v` runs on the window `v`", "--jobs", "of-v")

    def test_results_are_not_overwritten(self) -> None:
        output = self.folder / "twice"
        self.assertEqual(self.ran(self.snapshots, "--jobs", "d", "--output", str(output))[0], 0)
        self.assert_refused(self.snapshots, "exists; give another --output", "--jobs", "d",
                            "--output", str(output))


if __name__ == "__main__":
    sys.exit(unittest.main())
