"""Parquet files that Sash writes, read by pyarrow, DuckDB and polars: each must see every value as
it was written, and all must agree."""
import concurrent.futures
import json
import math
import os
import pathlib
import random
import signal
import struct
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request
from typing import Any

import duckdb
import numpy
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet

from every_window_case import EveryWindowCase, events
from sashd_process import PATIENCE_SECONDS, Sashd, await_that, edges, live, program, replay

TABLES = os.environ.get("SASH_PARQUET_TABLES", "")
KILL_POINTS = os.environ.get("SASH_KILL_POINTS", "")


def bits(value: float) -> int:
    """The bits of a double; all NaN are one, because readers may change their payload."""
    return struct.unpack("<Q", struct.pack("<d", value))[0] if value == value else -1


def by_pyarrow(path: pathlib.Path) -> dict[str, list[Any]]:
    table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    columns = {}
    for name, column in zip(table.column_names, table.columns):
        if pyarrow.types.is_timestamp(column.type):
            assert column.type == pyarrow.timestamp("us", tz="UTC"), column.type
            column = column.cast(pyarrow.int64())
        columns[name] = column.to_pylist()
    return columns


def by_duckdb(path: pathlib.Path) -> dict[str, list[Any]]:
    with duckdb.connect() as database:
        described = database.sql(f"describe from '{path}'").fetchall()
        chosen = ", ".join(
            f"epoch_us({name}) as {name}" if kind == "TIMESTAMP WITH TIME ZONE" else name
            for name, kind, *_ in described)
        rows = database.sql(f"select {chosen} from '{path}'").fetchall()
    return {name: [row[i] for row in rows] for i, (name, *_) in enumerate(described)}


def by_polars(path: pathlib.Path) -> dict[str, list[Any]]:
    table = polars.read_parquet(path)
    for name, kind in table.schema.items():
        if kind == polars.Datetime("us", "UTC"):
            table = table.with_columns(polars.col(name).cast(polars.Int64))
    return table.to_dict(as_series=False)


READERS = (by_pyarrow, by_duckdb, by_polars)


class RandomTablesTest(unittest.TestCase):
    """Tables with every type of column, nulls, extreme values, pages and row groups."""
    KINDS = ("whole", "whole", "time", "time", "real", "real", "text", "text", "text", "text",
             "truth", "truth")

    def setUp(self) -> None:
        if not TABLES:
            self.skipTest("SASH_PARQUET_TABLES does not name the program")
        scratch = tempfile.TemporaryDirectory(prefix="sash-parquet-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def same(self, kind: str, read: list[Any], written: list[Any]) -> bool:
        if kind == "real":
            return [value if value is None else bits(value) for value in read] == [
                bits(struct.unpack("<d", struct.pack("<Q", value))[0])
                if value is not None else None for value in written]
        return read == written

    def test_every_reader_reads_what_was_written(self) -> None:
        for seed in (100_000 * i for i in range(1, 4)):
            subprocess.run([TABLES, self.folder, str(seed)], check=True,
                           timeout=PATIENCE_SECONDS)
        files = sorted(self.folder.glob("*.parquet"))
        self.assertEqual(len(files), 24)
        for file in files:
            written = json.loads(file.with_suffix(".json").read_text())
            for reader in READERS:
                columns = reader(file)
                self.assertEqual(len(columns), len(self.KINDS))
                for i, kind in enumerate(self.KINDS):
                    with self.subTest(file=file.name, reader=reader.__name__, column=f"c{i}"):
                        self.assertTrue(self.same(kind, columns[f"c{i}"], written[i]))

    def test_statistics_bound_the_values(self) -> None:
        subprocess.run([TABLES, self.folder, "7"], check=True, timeout=PATIENCE_SECONDS)
        seen = 0
        for file in self.folder.glob("*.parquet"):
            about = pyarrow.parquet.ParquetFile(file)
            self.assertTrue(about.metadata.created_by.startswith("sash version "))
            for group in range(about.metadata.num_row_groups):
                table = about.read_row_group(group)
                for i in range(table.num_columns):
                    stated = about.metadata.row_group(group).column(i).statistics
                    values = [value for value in table.column(i).to_pylist()
                              if value is not None and value == value]
                    self.assertEqual(stated.null_count, table.column(i).null_count)
                    if stated.has_min_max:
                        self.assertEqual(stated.min, min(values))
                        self.assertEqual(stated.max, max(values))
                        seen += 1
        self.assertGreater(seen, 50)

    def test_a_filter_finds_the_same_rows_with_statistics(self) -> None:
        subprocess.run([TABLES, self.folder, "8"], check=True, timeout=PATIENCE_SECONDS)
        file = self.folder / "table-8-1500.parquet"
        whole = by_pyarrow(file)
        for name in ("c0", "c1"):
            for value in (value for value in whole[name][::100] if value is not None):
                expected = sum(other is not None and other >= value for other in whole[name])
                found = polars.scan_parquet(file).filter(polars.col(name) >= value)
                self.assertEqual(len(found.collect()), expected)
                counted = duckdb.sql(f"select count(*) from '{file}' where {name} >= {value}")
                self.assertEqual(counted.fetchall(), [(expected,)])


def records_of(seed: int, integer_keys: bool) -> bytes:
    """Random records with ten types, or none; with half of the seeds, some remove edges."""
    chance = random.Random(seed)
    weights = [1, -3, 2**60] if seed % 2 else [-0.0, 1.7e308, 0.25, 3]

    def edge() -> dict[str, Any]:
        edge = {"w": chance.choice(weights)}
        if seed % 3:
            edge["type"] = chance.choice(["", *(f"typé {i}" for i in range(10))])
        return edge
    return events(chance, 2_000, integer_keys, seed >= 3, edge)


class WindowsTest(EveryWindowCase):
    EXPORT = "parquet"
    SLIDE = "30s"

    def compare_one(self, folder: pathlib.Path, result: dict[str, Any]) -> None:
        about = self.about(folder, result)
        self.assertEqual([job["kernel"] for job in about["jobs"]], ["window"])
        self.assertEqual({name: file["bytes"] for name, file in about["files"].items()},
                         {file.name: file.stat().st_size for file in folder.glob("*.parquet")})
        as_stored = {"int64": int, "float64": float}[about["weights"]]
        expected = sorted(((edge["source"], edge["target"], edge.get("type", ""),
                            math.inf if edge["weight"] is None  # JSON has no infinity
                            else as_stored(edge["weight"]))
                           for edge in result["top_edges"]), key=repr)
        for reader in READERS:
            vertices = reader(folder / "vertices.parquet")
            keys = vertices["key"]
            self.assertEqual(vertices["id"], list(range(len(keys))))
            self.check_keys(about, keys)
            table = reader(folder / "edges-00000.parquet")
            self.assertEqual("type" in table, about["types"])
            ends = list(zip(table["source"], table["target"]))
            self.assertEqual(ends, sorted(ends))
            types = table.get("type", [None] * len(ends))
            self.assertEqual(about["files"]["edges-00000.parquet"]["rows"], len(ends))
            self.assertEqual(sorted(((keys[source], keys[target], word or "", weight)
                                     for (source, target), word, weight
                                     in zip(ends, types, table["weight"])), key=repr), expected)

    def test_every_policy_and_both_kinds_of_keys(self) -> None:
        compared = 0
        for seed, duplicates in enumerate(("keep", "drop", "weigh") * 2):
            with (self.subTest(seed=seed, duplicates=duplicates),
                  tempfile.TemporaryDirectory(prefix="sash-parquet-") as scratch):
                compared += self.compare(f"{scratch}/export", duplicates, seed >= 3,
                                         records_of(seed, seed >= 3))
        self.assertGreater(compared, 80)


class ManyRowsTest(unittest.TestCase):
    """Ten million edges: two files of edges, and row groups of their full size."""
    ROWS = 10_000_000
    KEYS = 1_000_000

    def test_every_reader_reads_all_rows(self) -> None:
        scratch = pathlib.Path(self.enterContext(
            tempfile.TemporaryDirectory(prefix="sash-parquet-")))
        random_ = numpy.random.default_rng(5)
        source, target = ((random_.random(self.ROWS)**power * self.KEYS).astype(numpy.int64)
                          - self.KEYS // 2 for power in (3, 2))
        weight = random_.integers(-2**63, 2**63 - 1, self.ROWS)
        pyarrow.csv.write_csv(pyarrow.table({
            "source": source, "target": target, "weight": weight,
            "time": numpy.zeros(self.ROWS, dtype=numpy.int64)}), scratch / "events.csv")
        document = replay(
            path=str(scratch / "events.csv"),
            format={"csv": {name: name for name in ("source", "target", "weight", "time")},
                    "keys": "integer"},
            exports=[{"parquet": {"path": str(scratch / "export"), "windows": ["w"], "keep": 1}}])
        with Sashd(document) as sashd:
            self.assertEqual(sashd.wait(15 * PATIENCE_SECONDS), 0, sashd.log())
        [folder] = (scratch / "export" / "w").iterdir()
        parts = sorted(folder.glob("edges-*.parquet"))
        self.assertEqual(len(parts), 2)
        keys = numpy.unique(numpy.concatenate([source, target]))
        order = numpy.lexsort((weight, target, source))
        expected = {"source": numpy.searchsorted(keys, source[order]),
                    "target": numpy.searchsorted(keys, target[order]), "weight": weight[order]}
        readers = {
            "pyarrow": lambda paths: {name: column.to_numpy() for name, column in zip(
                ("source", "target", "weight"), pyarrow.concat_tables(
                    [pyarrow.parquet.read_table(path) for path in paths]).columns)},
            "duckdb": lambda paths: duckdb.sql(
                f"from read_parquet({[str(path) for path in paths]})").fetchnumpy(),
            "polars": lambda paths: {
                column.name: column.to_numpy()
                for column in polars.concat([polars.read_parquet(path) for path in paths])}}
        for name, reader in readers.items():
            found = reader(parts)
            for column, values in expected.items():
                with self.subTest(reader=name, column=column):
                    self.assertTrue(numpy.array_equal(found[column], values))
        vertices = pyarrow.parquet.read_table(folder / "vertices.parquet")
        self.assertTrue(numpy.array_equal(vertices["key"].to_numpy(), keys))


def ask(address: str) -> tuple[int, Any]:
    request = urllib.request.Request(address, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


class LiveTest(unittest.TestCase):
    def test_snapshots_appear_whole_and_keep_bounds_them(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sash-parquet-") as scratch:
            path = pathlib.Path(scratch, "export")
            document = live(windows=[{"name": "w", "length": "2s", "slide": "200ms"}],
                            exports=[{"parquet": {"path": str(path), "windows": ["w"],
                                                  "keep": 2}}])
            with Sashd(document) as sashd:
                sashd.generate("--rate", "500", "--scale", "5")
                self.assertTrue(await_that(
                    lambda: sashd.metric("sash_export_written_total") > 5), sashd.log())
                self.assertEqual(sashd.metric("sash_export_failing"), 0)
                self.assertEqual(sashd.metric("sash_export_limit_bytes"), 4 << 30)
                self.assertEqual(sashd.stop(), 0)
            whole = list(path.glob("w/*/snapshot.json"))
            self.assertEqual(len(whole), 2)
            self.assertEqual(len(list(path.glob("w/*"))), 2)
            for about in whole:
                rows = json.loads(about.read_text())["files"]["edges-00000.parquet"]["rows"]
                counted = duckdb.sql(f"select count(*) from '{about.parent}/edges-*.parquet'")
                self.assertEqual(counted.fetchall(), [(rows,)])

    def test_a_window_is_written_on_request(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sash-parquet-") as scratch:
            path = pathlib.Path(scratch, "export")
            document = live(windows=[{"name": "w", "length": "2s", "slide": "1s"},
                                     {"name": "v", "length": "2s", "slide": "1s"}],
                            exports=[{"parquet": {"path": str(path), "windows": ["w"],
                                                  "every": 1_000_000}}])
            with Sashd(document) as sashd:
                address = sashd.url("/api/v1/windows/")
                refused = ask(address + "nobody/exports")
                self.assertEqual(refused[0], 404)
                sashd.generate("--rate", "500", "--scale", "5")
                sashd.await_lines(2)
                status, said = ask(address + "w/exports")
                self.assertEqual(status, 202)
                self.assertEqual([each["export"] for each in said["exports"]],
                                 [f"parquet:{path}"])
                about = path / "w" / str(said["snapshot"]) / "snapshot.json"
                self.assertTrue(await_that(about.exists), sashd.log())
                status, said = ask(address + "v/exports")
                self.assertEqual((status, "no export lists window 'v'" in
                                  said["error"]["message"]), (409, True))
                done = subprocess.run([program("SASHCTL", "control/sashctl"), "export", "w"],
                                      env={"SASHCTL_URL": sashd.url("")}, capture_output=True,
                                      text=True, check=True, timeout=PATIENCE_SECONDS)
                self.assertRegex(done.stdout, rf"snapshot \d+ of window w is (in|written to) "
                                       rf"parquet:{path}")
                self.copy_a_snapshot(sashd, pathlib.Path(scratch))

    def copy_a_snapshot(self, sashd: Sashd, scratch: pathlib.Path) -> None:
        """`sashctl export` with a folder waits until the snapshot is whole. The copy is the same,
        and the folder has no other files."""
        def export(*words: str) -> subprocess.CompletedProcess:
            return subprocess.run([program("SASHCTL", "control/sashctl"), "export", "w", *words],
                                  env={"SASHCTL_URL": sashd.url("")}, capture_output=True,
                                  text=True, check=False, timeout=PATIENCE_SECONDS)
        done = export(str(scratch / "copies" / "one"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rf"snapshot \d+ of window w is in {scratch}/copies/one\n")
        copied = {file.name: file.read_bytes() for file in (scratch / "copies/one").iterdir()}
        about = json.loads(copied["snapshot.json"])
        self.assertEqual(sorted(copied), sorted([*about["files"], "snapshot.json"]))
        for name, content in copied.items():
            exported = scratch / "export" / "w" / str(about["snapshot"]) / name
            self.assertEqual(exported.read_bytes(), content)
        self.assertEqual(len(by_pyarrow(scratch / "copies/one/edges-00000.parquet")["source"]),
                         about["edges"])
        again = export(str(scratch / "copies" / "one"))
        self.assertEqual((again.returncode, "is not an empty folder" in again.stderr), (2, True))

    def test_a_replay_ends_when_its_last_advance_is_written(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sash-parquet-") as scratch:
            path = pathlib.Path(scratch, "export")
            document = replay(exports=[{"parquet": {"path": str(path), "windows": ["w"],
                                                    "keep": 1}}])
            with Sashd(document, edges((f"a{i % 50}", f"b{i % 37}", i)
                                       for i in range(5_000))) as sashd:
                self.assertEqual(sashd.wait(), 0, sashd.log())
                newest = sashd.lines()[-1]
            [about] = path.glob("w/*/snapshot.json")
            self.assertEqual(json.loads(about.read_text())["snapshot"], newest["snapshot"])


class KillTest(unittest.TestCase):
    """A process that dies at any of its file operations leaves no snapshot and no slice that is not
    whole, and the next process removes what is torn."""
    RECORDS = edges((f"a{i % 7}", f"b{i % 5}", i * 100) for i in range(25))

    def setUp(self) -> None:
        if not pathlib.Path(KILL_POINTS).exists():
            self.skipTest("SASH_KILL_POINTS does not name the library")

    def run_once(self, slices: bool, **environment: str) -> list[str]:
        """The operations that were done."""
        with tempfile.TemporaryDirectory(prefix="sash-parquet-") as scratch:
            path, trace = pathlib.Path(scratch, "export"), pathlib.Path(scratch, "trace")
            what = {"slices": True, "keep": "1h"} if slices else {"windows": ["w"], "keep": 1000}
            document = replay(windows=[{"name": "w", "length": "2s", "slide": "1s"}], sinks=[],
                              exports=[{"parquet": {"path": str(path), **what}}])
            killed = "SASH_KILL_AT" in environment
            with Sashd(document, self.RECORDS, env={
                    **os.environ, "LD_PRELOAD": KILL_POINTS, "SASH_KILL_UNDER": str(path),
                    "SASH_KILL_TRACE": str(trace), **environment}) as sashd:
                code = sashd.wait()
                self.assertEqual(code, -signal.SIGKILL if killed else 0, sashd.log())
            self.check(path)
            if killed:
                with Sashd(document, self.RECORDS) as sashd:
                    self.assertEqual(sashd.wait(), 0, sashd.log())
                left = [*path.glob("*.parquet"), *path.glob("w/*")]
                self.assertEqual(self.check(path), len(left))
                self.assertEqual([*path.rglob("*.new")], [])
                self.assertGreaterEqual(len(left), 3)
            return trace.read_text().splitlines()

    def check(self, path: pathlib.Path) -> int:
        """How many snapshots or slices there are; each is whole."""
        whole = [*path.glob("w/*/snapshot.json"), *path.glob("slice-*.json")]
        for text in whole:
            about = json.loads(text.read_text())
            files = about["files"] if "files" in about else {about["file"]["name"]: about["file"]}
            for name, file in files.items():
                self.assertEqual((text.parent / name).stat().st_size, file["bytes"])
                table = by_pyarrow(text.parent / name)
                self.assertEqual({len(column) for column in table.values()}, {file["rows"]})
        return len(whole)

    def test_at_every_operation_on_a_snapshot(self) -> None:
        self.kill_at_every_operation(False)

    def test_at_every_operation_on_a_slice(self) -> None:
        self.kill_at_every_operation(True)

    def kill_at_every_operation(self, slices: bool) -> None:
        operations = self.run_once(slices)
        self.assertTrue({line.split()[0] for line in operations} >=
                        {"open", "write", "fsync", "rename"}, operations)
        # The operations of the second of four advances, or of the second of three slices.
        each = len(operations) // (3 if slices else 4)
        points = [(way, number) for way in ("done", "torn", "power")
                  for number in range(each + 1, 2 * each + 1)]
        self.assertGreater(len(points), 30)

        def kill(point: tuple[str, int]) -> None:
            way, number = point
            self.run_once(slices, SASH_KILL_AT=str(number), SASH_KILL_HOW=way)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(kill, points))


if __name__ == "__main__":
    unittest.main()
