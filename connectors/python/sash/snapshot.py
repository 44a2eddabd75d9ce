"""Frozen snapshots: windows that the daemon wrote as files (`exports` of its configuration)."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import weakref
from typing import TYPE_CHECKING, Any, Optional, Union

from sash import graphs
from sash.adjacency import Adjacency
from sash.errors import SnapshotError
from sash.keys import Keys
from sash.mapping import SNAPSHOT_FILE, Lock, map_array

if TYPE_CHECKING:
    import igraph
    import networkx
    import pyarrow
    import scipy.sparse

FORMAT = 1
_ATTEMPTS = 100  # to lock a snapshot that is removed again and again


class Snapshot:
    """One advance of a window, which never changes. Several threads may read it.

    Its arrays are mapped, not copied. It is locked, so that the daemon does not remove it, until
    close(), until neither the snapshot nor any array of it is in use, or until the process ends.
    """

    def __init__(self, folder: pathlib.Path, about: dict[str, Any], lock: Lock) -> None:
        self.path = folder
        self.about = about  # the content of snapshot.json
        self._lock = lock
        self._files: Optional[weakref.finalize[..., Snapshot]] = None
        self._out = self._direction("out")
        self._in = self._direction("in")
        keys = about["keys"]
        if keys["kind"] == "integer":
            self.keys = Keys(self._array(keys["values"]), None, None)
        else:
            self.keys = Keys(None, self._array(keys["offsets"]), self._array(keys["bytes"]))

    @property
    def out(self) -> Adjacency:
        """Row v: the edges that leave v. SnapshotError: they were not downloaded."""
        return self._downloaded(self._out, "out")

    @property
    def in_(self) -> Adjacency:
        """Row v: the edges that enter v. SnapshotError: they were not downloaded."""
        return self._downloaded(self._in, "in")

    @property
    def window(self) -> str:
        return str(self.about["window"])

    @property
    def number(self) -> int:
        """The number of the advance, as `snapshot` in results."""
        return int(self.about["snapshot"])

    @property
    def window_end(self) -> str:
        """A text in UTC: "2026-01-01T00:00:05.000Z"."""
        return str(self.about["window_end"])

    @property
    def vertex_count(self) -> int:
        return len(self.keys)

    @property
    def edge_count(self) -> int:
        """The number of edges; parallel ones count each."""
        return len((self._out or self.in_).indices)

    @property
    def types(self) -> list[str]:
        """The types of edges by number; the first, empty one means no type."""
        return list(self.about.get("types", [""]))

    def to_scipy(self, merged: bool = False) -> scipy.sparse.csr_array:
        """The out-edges as a sparse matrix; see Adjacency.to_scipy()."""
        return self.out.to_scipy(merged)

    def to_networkx(self) -> networkx.MultiDiGraph[Any]:
        """See sash.graphs.to_networkx()."""
        return graphs.to_networkx(self)

    def to_igraph(self) -> igraph.Graph:
        """See sash.graphs.to_igraph()."""
        return graphs.to_igraph(self)

    def to_arrow(self) -> pyarrow.Table:
        """See sash.graphs.to_arrow()."""
        return graphs.to_arrow(self)

    def close(self) -> None:
        """Releases the lock, and removes a download that is not kept.

        Arrays stay readable, but the daemon may remove the snapshot, and the `limit` of its export
        does not count their memory any more.
        """
        self._lock.close()
        if self._files is not None:
            self._files()

    def remove_files_at_close(self) -> None:
        """Removes the files with close(), or when nothing refers to this object any more."""
        self._files = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (f"<sash.Snapshot {self.window} {self.number}, to {self.window_end}: "
                f"{self.vertex_count} vertices, {self.edge_count} edges>")

    def _array(self, name: str) -> Any:
        return map_array(self.path, name, self._lock)

    def _downloaded(self, edges: Optional[Adjacency], direction: str) -> Adjacency:
        if edges is None:
            raise SnapshotError(f"{self.path}: only the other direction was downloaded; add "
                                f"\"{direction}\" to directions")
        return edges

    def _direction(self, direction: str) -> Optional[Adjacency]:
        """The edges in this direction; None: the other direction alone was downloaded."""
        names = self.about[direction]
        arrays = [names[which] for which in ("pointers_to_1", "indices_1", "values")]
        if not any((self.path / array).exists() for array in arrays):
            return None
        types = self._array(names["types"]) if "types" in names else None
        return Adjacency(self._array(names["pointers_to_1"]), self._array(names["indices_1"]),
                         self._array(names["values"]), types)


def open_snapshot(path: Union[str, os.PathLike[str]]) -> Snapshot:
    """Opens a frozen snapshot, and locks it.

    `path` is the folder of a snapshot, or of a window: then its newest snapshot is opened.
    SnapshotError: there is none, or it cannot be read.
    """
    folder = pathlib.Path(path)
    try:
        return _open(folder)
    except PermissionError as error:
        raise SnapshotError(f"{error.filename}: permission denied; a reader must be in the group "
                            "of sashd's user") from error
    except OSError as error:
        raise SnapshotError(str(error)) from error


def open_same(path: Union[str, os.PathLike[str]], size: int, checksum: str) -> Optional[Snapshot]:
    """The snapshot in this folder, or in one of its folders, whose snapshot.json has this size and
    CRC-32C. None: there is none, or it cannot be read."""
    folder = pathlib.Path(path)
    for text in [folder / SNAPSHOT_FILE, *folder.glob("*/" + SNAPSHOT_FILE)]:
        try:
            if text.stat().st_size == size:
                lock = Lock.take(text.parent)
                if lock is not None and lock.checksum() == checksum:
                    return Snapshot(text.parent, _read(text.parent, lock), lock)
        except (SnapshotError, OSError):
            continue  # removed meanwhile, or not readable
    return None


def _open(folder: pathlib.Path) -> Snapshot:
    for _ in range(_ATTEMPTS):
        newest = _newest(folder)
        if newest is None:
            raise SnapshotError(f"{folder}: there is no snapshot; name the folder of a window of "
                                "`exports`, or of a snapshot in it")
        lock = Lock.take(newest)
        if lock is None:
            continue  # removed meanwhile: a newer one is there
        return Snapshot(newest, _read(newest, lock), lock)
    raise SnapshotError(f"{folder}: each snapshot was removed before it was locked")


def _newest(folder: pathlib.Path) -> Optional[pathlib.Path]:
    if (folder / SNAPSHOT_FILE).exists():
        return folder
    found = []
    trouble: Union[None, SnapshotError, OSError] = None
    for text in folder.glob("*/" + SNAPSHOT_FILE):
        try:
            about = _parsed(text, text.read_bytes())
            _check(text, about)
            # Without the Z, an instant with fewer decimals sorts before those that refine it.
            found.append((str(about["window_end"]).rstrip("Z"), str(about["written"]).rstrip("Z"),
                          text.parent))
        except FileNotFoundError:
            continue
        except (SnapshotError, OSError) as error:  # it does not hide the others
            trouble = error
    if not found and trouble is not None:
        raise trouble
    return max(found)[-1] if found else None


def _read(folder: pathlib.Path, lock: Lock) -> dict[str, Any]:
    about = _parsed(folder / SNAPSHOT_FILE, lock.read())
    if "parquet" in about:
        raise SnapshotError(f"{folder}: it holds Parquet files, which pyarrow, DuckDB or polars "
                            "read; this package opens frozen snapshots")
    if about.get("frozen") != FORMAT:
        raise SnapshotError(f"{folder}: it has a format that this package does not know "
                            f"(`frozen` is not {FORMAT}); install a newer sash-client")
    _check(folder / SNAPSHOT_FILE, about)
    return about


def _parsed(path: pathlib.Path, text: bytes) -> dict[str, Any]:
    try:
        about = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"{path}: it is not JSON: {error}") from error
    if not isinstance(about, dict):
        raise SnapshotError(f"{path}: it is not a JSON object")
    return about


def _check(path: pathlib.Path, about: dict[str, Any]) -> None:
    """SnapshotError: a member is missing or of another type. Other formats may have others."""
    _member(path, about, "window_end", str)
    _member(path, about, "written", str)
    if about.get("frozen") != FORMAT:
        return
    _member(path, about, "window", str)
    _member(path, about, "snapshot", int)
    for direction in ("out", "in"):
        arrays = _member(path, about, direction, dict)
        for name in ("pointers_to_1", "indices_1", "values") + ("types",) * ("types" in arrays):
            _member(path, arrays, name, str)
    keys = _member(path, about, "keys", dict)
    kind = _member(path, keys, "kind", str)
    for name in ("values",) if kind == "integer" else ("offsets", "bytes"):
        _member(path, keys, name, str)


def _member(path: pathlib.Path, about: dict[str, Any], name: str, kind: type) -> Any:
    if name not in about:
        raise SnapshotError(f"{path}: it has no member `{name}`")
    if not isinstance(about[name], kind):
        raise SnapshotError(f"{path}: `{name}` is {about[name]!r}, not of the type {kind.__name__}")
    return about[name]
