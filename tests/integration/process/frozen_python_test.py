"""The Python package `sash`: frozen snapshots of a running sashd."""
import fcntl
import gc
import json
import pathlib
import shutil
import sys
import tempfile
import unittest
from typing import Any

import numpy
import scipy.sparse

from sashd_process import ROOT, Sashd, replay

sys.path[:0] = [str(ROOT / "connectors" / "python")]
import sash  # noqa: E402

KEYS = {"string": ("é", "a", "b", "aa"), "integer": (7, -3, 2**62, 0)}


def records(kind: str) -> bytes:
    """Three windows of 10 s, of which the last one has parallel edges and two types."""
    e, a, b, aa = KEYS[kind]
    rows = [(e, a, 1, "", 1_000), (a, b, 1, "", 11_000),
            (e, a, 5, "paid", 21_000), (a, b, -2, "", 22_000), (e, a, 3, "logged-in", 23_000),
            (aa, aa, 0, "", 24_000)]
    return "".join(json.dumps({"from": source, "to": target, "w": weight, "type": kind_of_edge,
                               "ts": time}) + "\n"
                   for source, target, weight, kind_of_edge, time in rows).encode()


class PythonSnapshotTest(unittest.TestCase):
    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-frozen-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.path = pathlib.Path(shared.name, "snapshots")

    def write(self, kind: str = "string", export: str = "frozen") -> pathlib.Path:
        """The folder of the window, with three snapshots."""
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts", "weight": "/w",
                             "type": "/type"}, "keys": kind},
            windows=[{"name": "w", "length": "10s", "slide": "10s"}],
            exports=[{export: {"path": str(self.path), "windows": ["w"], "keep": 3}}])
        with Sashd(document, records(kind)) as sashd:
            self.assertEqual(sashd.wait(), 0, sashd.log())
        return self.path / "w"

    def is_locked(self, folder: pathlib.Path) -> bool:
        gc.collect()
        with open(folder / "snapshot.json", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def check_newest(self, snapshot: sash.Snapshot, kind: str) -> None:
        e, a, b, aa = KEYS[kind]
        self.assertEqual((snapshot.window, snapshot.number), ("w", 3))
        self.assertEqual(snapshot.window_end, "1970-01-01T00:00:30.000Z")
        self.assertEqual((snapshot.vertex_count, snapshot.edge_count), (4, 4))
        keys = snapshot.keys
        self.assertEqual(list(keys), ["a", "aa", "b", "é"] if kind == "string"
                         else [-3, 0, 7, 2**62])
        self.assertEqual(keys.to_numpy().tolist(), list(keys))
        self.assertEqual(keys[-1], list(keys)[-1])
        self.assertEqual(keys[1:3], list(keys)[1:3])
        for key in (e, a, b, aa):
            self.assertEqual(keys[keys.place(key)], key)
            self.assertIn(key, keys)
            self.assertEqual(keys.index(key), keys.place(key))
        places = {key: keys.place(key) for key in keys}
        out, entering = snapshot.out, snapshot.in_
        self.assertEqual(out.neighbours(places[e]).tolist(), [places[a]] * 2)
        self.assertEqual(out.weights_of(places[e]).tolist(), [3, 5])
        self.assertEqual(entering.neighbours(places[a]).tolist(), [places[e]] * 2)
        self.assertEqual(entering.neighbours(places[aa]).tolist(), [places[aa]])
        self.assertEqual(out.degrees()[places[b]], 0)
        self.assertEqual(entering.degrees()[places[b]], 1)
        self.assertEqual(snapshot.types, ["", "logged-in", "paid"])
        begin = out.indptr[places[e]]
        self.assertEqual(out.types[begin:begin + 2].tolist(), [1, 2])
        self.assertIn("<sash.Snapshot w 3, ", repr(snapshot))

    def test_the_newest_snapshot_of_a_window_is_what_was_in_it(self):
        for kind in KEYS:
            with self.subTest(kind), sash.open_snapshot(self.write(kind)) as snapshot:
                self.check_newest(snapshot, kind)
                for missing in ("c", "", 1, -2**70, None, 3.5):
                    self.assertNotIn(missing, snapshot.keys)
                for vertex in (4, -1):
                    with self.assertRaises(IndexError):
                        snapshot.out.neighbours(vertex)
                with self.assertRaises(IndexError):
                    snapshot.keys[4]

    def test_a_snapshot_can_be_named(self):
        with sash.open_snapshot(self.write() / "1") as snapshot:
            self.assertEqual(list(snapshot.keys), ["a", "é"])
            self.assertIsNone(snapshot.out.types)
            self.assertEqual(snapshot.types, [""])

    def test_arrays_are_shared_read_only_and_mapped(self):
        with sash.open_snapshot(self.write()) as snapshot:
            matrix = snapshot.to_scipy()
            self.assertIsInstance(matrix, scipy.sparse.csr_array)
            for array, of_matrix in ((snapshot.out.indptr, matrix.indptr),
                                     (snapshot.out.indices, matrix.indices),
                                     (snapshot.out.weights, matrix.data)):
                self.assertTrue(numpy.shares_memory(array, of_matrix))
                self.assertEqual(array.ctypes.data % 64, 0)
                self.assertFalse(array.flags.writeable)
                self.assertFalse(array.flags.owndata)
            merged = snapshot.to_scipy(merged=True)
            self.assertEqual((matrix.nnz, merged.nnz, merged.sum()), (4, 3, 6))
            self.assertEqual(merged.toarray().tolist(), matrix.toarray().tolist())
            self.assertFalse(numpy.shares_memory(snapshot.out.weights, merged.data))
            self.assertEqual(snapshot.in_.to_scipy().T.toarray().tolist(),
                             matrix.toarray().tolist())

    def test_graphs_and_tables_of_other_libraries_have_the_same_edges(self):
        for kind in KEYS:
            with self.subTest(kind), sash.open_snapshot(self.write(kind)) as snapshot:
                out, keys, types = snapshot.out, list(snapshot.keys), snapshot.types
                expected = sorted(
                    ((keys[v], keys[int(out.indices[at])], int(out.weights[at]),
                      types[out.types[at]] or None)
                     for v in range(len(keys)) for at in range(out.indptr[v], out.indptr[v + 1])),
                    key=str)
                self.assertEqual(len(expected), 4)
                graph = snapshot.to_networkx()
                self.assertEqual(list(graph), keys)
                self.assertEqual(sorted(((a, b, of["weight"], of.get("type")) for a, b, of
                                         in graph.edges(data=True)), key=str), expected)
                graph = snapshot.to_igraph()
                self.assertEqual(graph.vs["name"], [str(key) for key in keys])
                self.assertTrue(graph.is_directed())
                self.assertEqual(sorted(((keys[e.source], keys[e.target], e["weight"], e["type"])
                                         for e in graph.es), key=str), expected)
                table = snapshot.to_arrow()
                self.assertEqual(table.column_names, ["source", "target", "weight", "type"])
                self.assertEqual(sorted((tuple(row.values()) for row in table.to_pylist()),
                                        key=str), expected)
                chunk = table["target"].chunk(0)
                self.assertEqual(chunk.indices.buffers()[1].address, out.indices.ctypes.data)
                self.assertEqual(chunk.dictionary.to_pylist(), keys)
        with sash.open_snapshot(self.write() / "1") as snapshot:  # no edge has a type
            self.assertEqual(snapshot.to_arrow().to_pylist(),
                             [{"source": "é", "target": "a", "weight": 1}])
            self.assertEqual(list(snapshot.to_networkx().edges(data=True)),
                             [("é", "a", {"weight": 1})])
            self.assertEqual(snapshot.to_igraph().es.attributes(), ["weight"])

    def test_the_lock_is_held_as_long_as_something_is_in_use(self):
        folder = self.write()
        with sash.open_snapshot(folder) as snapshot:
            self.assertTrue(self.is_locked(folder / "3"))
            self.assertFalse(self.is_locked(folder / "2"))
        self.assertFalse(self.is_locked(folder / "3"))
        self.assertEqual(snapshot.out.weights.tolist(), [-2, 0, 3, 5])
        snapshot = sash.open_snapshot(folder)
        matrix = snapshot.to_scipy()
        part = snapshot.in_.indices[1:2]
        del snapshot
        self.assertTrue(self.is_locked(folder / "3"))
        del matrix
        self.assertTrue(self.is_locked(folder / "3"), "a view of one array is in use")
        del part
        self.assertFalse(self.is_locked(folder / "3"))

    def assert_refused(self, path: Any, why: str) -> None:
        with self.assertRaises(sash.SnapshotError) as refused:
            sash.open_snapshot(path)
        self.assertIn(why, str(refused.exception))

    def test_what_cannot_be_read_is_refused_with_the_reason(self):
        folder = self.write()
        self.assert_refused(self.path, "there is no snapshot; name the folder of a window")
        self.assert_refused(self.path / "no", "there is no snapshot")
        (folder / "3" / "snapshot.json").unlink()
        with sash.open_snapshot(folder) as snapshot:
            self.assertEqual(snapshot.number, 2, "a folder without snapshot.json is not one")
        self.assert_refused(folder / "3", "there is no snapshot")
        indices = folder / "2" / "out.indices.npy"
        indices.write_bytes(indices.read_bytes()[:-1])
        self.assert_refused(folder / "2", "out.indices.npy: the file is cut off")
        indices.write_bytes(b"no array")
        self.assert_refused(folder / "2", "out.indices.npy: ")
        indices.unlink()
        self.assert_refused(folder / "2", "out.indices.npy: ")
        self.assertFalse(self.is_locked(folder / "2"))
        about = json.loads((folder / "1" / "snapshot.json").read_text())
        (folder / "1" / "snapshot.json").write_text(json.dumps({**about, "frozen": 2}))
        self.assert_refused(folder / "1", "a format that this package does not know")

    def test_a_broken_snapshot_json_is_refused_and_does_not_hide_the_others(self):
        folder = self.write()
        text = folder / "3" / "snapshot.json"
        whole = json.loads(text.read_text())

        def without(*names: str) -> bytes:
            about = json.loads(json.dumps(whole))
            place = about
            for name in names[:-1]:
                place = place[name]
            del place[names[-1]]
            return json.dumps(about).encode()
        broken = [(b'{"', "it is not JSON: "), (b"", "it is not JSON: "),
                  (b"\xff\xfe", "it is not JSON: "), (b"[" * 100_000, "it is not JSON: "),
                  (b"[1]", "it is not a JSON object"),
                  (json.dumps({**whole, "window_end": 7}).encode(),
                   "`window_end` is 7, not of the type str"),
                  (json.dumps({**whole, "out": "x"}).encode(),
                   "`out` is 'x', not of the type dict")]
        broken += [(without(*names), f"it has no member `{names[-1]}`") for names in
                   (("window_end",), ("written",), ("window",), ("snapshot",), ("out",), ("in",),
                    ("keys",), ("keys", "kind"), ("keys", "offsets"), ("out", "values"),
                    ("in", "indices_1"))]
        for content, why in broken:
            with self.subTest(why):
                text.write_bytes(content)
                with sash.open_snapshot(folder) as snapshot:
                    self.assertEqual(snapshot.number, 2)
                self.assert_refused(folder / "3", f"{text}: {why}")
        for other in ("1", "2"):
            (folder / other / "snapshot.json").unlink()
        self.assert_refused(folder, f"{text}: it has no member `indices_1`")

    def test_parquet_is_refused_with_the_programs_that_read_it(self):
        self.assert_refused(self.write(export="parquet"), "it holds Parquet files, which pyarrow")

    def test_a_snapshot_that_is_removed_meanwhile_is_not_opened(self):
        folder = self.write()
        take = sash.snapshot.Lock.take

        def too_late(of: pathlib.Path) -> Any:
            shutil.rmtree(of)
            sash.snapshot.Lock.take = take
            return take(of)
        sash.snapshot.Lock.take = too_late
        self.addCleanup(setattr, sash.snapshot.Lock, "take", take)
        with sash.open_snapshot(folder) as snapshot:
            self.assertEqual(snapshot.number, 2)


if __name__ == "__main__":
    unittest.main()
