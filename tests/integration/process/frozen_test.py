"""Frozen snapshots: what sashd exports, read by NumPy and SciPy as other programs read it."""
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import numpy
import scipy.sparse

from every_window_case import EveryWindowCase, events
from sashd_process import Sashd, await_that, edges, live, replay, run

READER = """
import fcntl, os, sys, time
lock = open(sys.argv[1])
fcntl.flock(lock, fcntl.LOCK_SH)
print("locked" if os.fstat(lock.fileno()).st_nlink else "too late", flush=True)
time.sleep(3600 if os.fstat(lock.fileno()).st_nlink else 0)
"""


def array(folder: pathlib.Path, name: str) -> numpy.ndarray:
    return numpy.load(folder / f"{name}.npy", mmap_mode="r")


def keys_of(folder: pathlib.Path) -> list[str]:
    if (folder / "keys.npy").exists():
        return array(folder, "keys").tolist()
    offsets, text = array(folder, "keys.offsets"), array(folder, "keys.bytes").tobytes()
    return [text[begin:end].decode() for begin, end in zip(offsets[:-1], offsets[1:])]


def matrix(folder: pathlib.Path, direction: str) -> scipy.sparse.csr_array:
    starts = array(folder, f"{direction}.indptr")
    return scipy.sparse.csr_array(
        (array(folder, f"{direction}.weights"), array(folder, f"{direction}.indices"), starts),
        shape=(len(starts) - 1,) * 2)


def listed(folder: pathlib.Path, about: dict[str, Any], direction: str) -> list[tuple[Any, ...]]:
    """The edges as (source, target, type, weight), by the keys of the snapshot."""
    keys, types = keys_of(folder), about.get("types", [""])
    starts, ends = array(folder, f"{direction}.indptr"), array(folder, f"{direction}.indices")
    weights = array(folder, f"{direction}.weights")
    numbers = (array(folder, f"{direction}.types") if "types" in about
               else numpy.zeros(len(ends), dtype=int))
    rows = []
    for vertex, key in enumerate(keys):
        for i in range(starts[vertex], starts[vertex + 1]):
            source, target = (key, keys[ends[i]]) if direction == "out" else (keys[ends[i]], key)
            rows.append((source, target, types[numbers[i]], weights[i].item()))
    return rows


def records_of(seed: int, integer_keys: bool) -> bytes:
    """Random records; with two seeds out of six, some remove edges."""
    chance = random.Random(seed)
    return events(chance, 3_000, integer_keys, seed % 3 == 0, lambda: {
        "w": chance.choice([1, -3, 2**60, 0.25]) if seed % 2 else chance.randrange(9),
        "type": chance.choice(["paid", "logged-in", ""])})


class ReplayedSnapshotsTest(EveryWindowCase):
    EXPORT = "frozen"
    SLIDE = "20s"

    def compare_one(self, folder: pathlib.Path, result: dict[str, Any]) -> None:
        about = self.about(folder, result)
        as_stored = {"int64": int, "float64": float}[
            about["out"]["binsparse"]["data_types"]["values"]]
        expected = sorted((edge["source"], edge["target"], edge.get("type", ""),
                           as_stored(edge["weight"])) for edge in result["top_edges"])
        for direction in ("out", "in"):
            self.assertEqual(sorted(listed(folder, about, direction)), expected)
        self.check_keys(about, keys_of(folder))
        out, entering = matrix(folder, "out"), matrix(folder, "in")
        for read in (out, entering):
            self.assertTrue(read.has_sorted_indices)
            self.assertEqual(read.nnz, about["edges"])
        self.assertEqual(abs(out - entering.T).sum(), 0)

    def test_every_policy_and_both_kinds_of_keys(self):
        compared = 0
        for seed, duplicates in enumerate(("keep", "drop", "weigh") * 2):
            with (self.subTest(seed=seed, duplicates=duplicates),
                  tempfile.TemporaryDirectory(prefix="sash-frozen-", dir="/dev/shm") as shared):
                compared += self.compare(f"{shared}/snapshots", duplicates, seed >= 3,
                                         records_of(seed, seed >= 3))
        self.assertGreater(compared, 100)

    def test_scipy_shares_the_mapped_arrays(self):
        with tempfile.TemporaryDirectory(prefix="sash-frozen-", dir="/dev/shm") as shared:
            document = replay(exports=[{"frozen": {"path": f"{shared}/s", "windows": ["w"],
                                                     "keep": 1}}])
            records = edges((f"a{i % 50}", f"b{i % 37}", i) for i in range(5_000))
            with Sashd(document, records) as sashd:
                self.assertEqual(sashd.wait(), 0, sashd.log())
            [folder] = [text.parent for text in pathlib.Path(shared, "s", "w").glob("*/*.json")]
            data = array(folder, "out.weights")
            indices, starts = array(folder, "out.indices"), array(folder, "out.indptr")
            for mapped in (data, indices, starts):
                self.assertEqual(mapped.offset % 64, 0)
            read = scipy.sparse.csr_array((data, indices, starts), shape=(len(starts) - 1,) * 2)
            self.assertTrue(numpy.shares_memory(read.data, data))
            self.assertTrue(numpy.shares_memory(read.indices, indices))
            self.assertTrue(numpy.shares_memory(read.indptr, starts))


class LiveSnapshotsTest(unittest.TestCase):
    """A stream by the clock, whose snapshots another process locks."""

    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-frozen-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.path = pathlib.Path(shared.name, "snapshots")

    def document(self, **frozen: Any) -> dict[str, Any]:
        return live(
            windows=[{"name": "w", "length": "2s", "slide": "200ms"}],
            exports=[{"frozen": {"path": str(self.path), "windows": ["w"], "keep": 1, **frozen}}])

    def snapshots(self) -> list[str]:
        return sorted(text.parent.name for text in self.path.glob("w/*/snapshot.json"))

    def await_written(self, sashd: Sashd, more: int) -> None:
        before = sashd.metric("sash_export_written_total")
        self.assertTrue(await_that(
            lambda: sashd.metric("sash_export_written_total") >= before + more), sashd.log())

    def start(self, sashd: Sashd) -> None:
        # About 200 edges in a window: each array takes one page, so all snapshots have one size.
        sashd.generate("--rate", "100", "--scale", "5")
        self.await_written(sashd, 1)

    def reader(self) -> tuple[subprocess.Popen, str]:
        """A process that holds a lock on the newest snapshot, and the name of that."""
        while True:
            for name in self.snapshots():
                process = subprocess.Popen(
                    [sys.executable, "-c", READER, str(self.path / "w" / name / "snapshot.json")],
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                self.addCleanup(process.communicate)
                self.addCleanup(process.kill)
                if process.stdout.readline() == "locked\n":
                    return process, name

    def test_a_locked_snapshot_stays_until_its_reader_is_killed(self):
        with Sashd(self.document()) as sashd:
            self.start(sashd)
            reader, name = self.reader()
            self.await_written(sashd, 4)
            self.assertIn(name, self.snapshots())
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_export_overdue_snapshots") == 1), sashd.log())
            # Equal between two snapshots; a snapshot that is being written counts in one of them.
            self.assertTrue(await_that(lambda: sashd.metric("sash_export_bytes")
                                       == sashd.metric("sash_memory_shared_bytes") > 0))
            reader.kill()
            reader.wait()
            self.assertTrue(await_that(lambda: name not in self.snapshots()), sashd.log())
            self.assertEqual(sashd.stop(), 0)
            self.assertEqual(len(self.snapshots()), 1, "it stays for readers")

    def test_the_limit_is_a_state_that_names_the_reader(self):
        with Sashd(self.document(limit="100KiB")) as sashd:
            self.start(sashd)
            reader, name = self.reader()
            sashd.await_log(rf"export\.at_limit .*snapshot w/{name} is locked by process "
                            rf"{reader.pid}")
            self.assertEqual(sashd.metric("sash_export_failing"), 1)
            self.assertGreater(sashd.metric("sash_export_skipped_total", reason="limit"), 0)
            self.assertEqual(sashd.get("/readyz")[0], 200)
            sashd.await_lines(len(sashd.lines()) + 3)
            reader.kill()
            reader.wait()
            sashd.await_log(r"export\.resumed ")

    def test_a_restart_removes_what_is_torn_and_keeps_what_is_whole(self):
        with Sashd(self.document()) as sashd:
            self.start(sashd)
            sashd.send(signal.SIGKILL)
            sashd.wait()
            # Two, if the kill came between a new snapshot and the removal of the one before.
            newest = max(self.snapshots(), key=int)
            torn = self.path / "w" / "4711"
            torn.mkdir()
            (torn / "out.indptr.npy").write_bytes(b"half")
            sashd.start()
            self.assertTrue(await_that(lambda: not torn.exists()), sashd.log())
            self.assertIn(newest, self.snapshots())


class RefusedFoldersTest(unittest.TestCase):
    def refused(self, path: pathlib.Path) -> str:
        done = run(replay(exports=[{"frozen": {"path": str(path), "windows": ["w"]}}]),
                   edges([("a", "b", 1)]))
        self.assertEqual(done.code, 1, done.log)
        return done.log

    def test_a_folder_that_is_not_ours_alone_is_refused(self):
        with tempfile.TemporaryDirectory(prefix="sash-frozen-", dir="/dev/shm") as shared:
            link, loose = pathlib.Path(shared, "link"), pathlib.Path(shared, "loose")
            link.symlink_to("/dev/shm")
            self.assertIn("exports[0].frozen.path: open", self.refused(link))
            self.assertIn("it is a link or a file", self.refused(link))
            loose.mkdir()
            loose.chmod(0o777)
            self.assertIn("its mode is 0777", self.refused(loose))
            self.assertEqual(list(loose.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
