"""The keys of the vertices of a graph, in the order of ids."""
from __future__ import annotations

import pathlib
from typing import Any, Iterable, Iterator, Protocol, Union

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.parquet

Array = numpy.ndarray[Any, Any]
Key = Union[str, int]


class Keys(Protocol):
    """Ids are places in the order of keys: texts by their UTF-8 bytes, integers as numbers."""

    def of(self, ids: Array) -> Any:
        """A pyarrow array: the keys of these ids, in their order."""

    def places(self, keys: Iterable[Key]) -> dict[Key, int]:
        """The ids of those keys that are in the window."""

    def batches(self) -> Iterator[Any]:
        """All keys as pyarrow arrays, one after the other."""


class FileKeys:
    """The keys in `vertices.parquet`; one row group at a time is in memory."""

    def __init__(self, path: pathlib.Path) -> None:
        self._file = pyarrow.parquet.ParquetFile(path)
        groups = [self._file.metadata.row_group(i).num_rows
                  for i in range(self._file.metadata.num_row_groups)]
        self._starts = numpy.cumsum([0, *groups])

    def of(self, ids: Array) -> Any:
        order = numpy.argsort(ids, kind="stable")
        ascending = ids[order]
        bounds = numpy.searchsorted(ascending, self._starts)
        parts = []
        for group, start in enumerate(self._starts[:-1]):
            here = ascending[bounds[group]:bounds[group + 1]]
            if len(here):
                parts.append(self._group(group).take(pyarrow.array(here - start)))
        if not parts:
            return pyarrow.array([], self._file.schema_arrow.field("key").type)
        inverse = numpy.empty(len(order), dtype=numpy.int64)
        inverse[order] = numpy.arange(len(order))
        return pyarrow.concat_arrays(parts).take(pyarrow.array(inverse))

    def places(self, keys: Iterable[Key]) -> dict[Key, int]:
        wanted = pyarrow.array(sorted(set(keys)), self._file.schema_arrow.field("key").type)
        found: dict[Key, int] = {}
        for group, start in enumerate(self._starts[:-1]):
            here = self._group(group)
            at = pyarrow.compute.index_in(wanted, here)
            found.update((key, int(start) + place) for key, place
                         in zip(wanted.to_pylist(), at.to_pylist()) if place is not None)
        return found

    def batches(self) -> Iterator[Any]:
        for group in range(len(self._starts) - 1):
            yield self._group(group)

    def _group(self, group: int) -> Any:
        return self._file.read_row_group(group, columns=["key"])["key"].combine_chunks()


class ArrayKeys:
    """The keys in a sorted pyarrow array on the driver."""

    def __init__(self, keys: Any) -> None:
        self._keys = keys

    def of(self, ids: Array) -> Any:
        return self._keys.take(pyarrow.array(ids.astype(numpy.int64)))

    def places(self, keys: Iterable[Key]) -> dict[Key, int]:
        wanted = pyarrow.array(sorted(set(keys)), self._keys.type)
        at = pyarrow.compute.index_in(wanted, self._keys)
        return {key: place for key, place in zip(wanted.to_pylist(), at.to_pylist())
                if place is not None}

    def ids(self, keys: Any) -> Array:
        """The ids of keys, a pyarrow array, which are all in the window."""
        found: Array = pyarrow.compute.index_in(keys, self._keys).to_numpy().astype(numpy.int64)
        return found

    def batches(self) -> Iterator[Any]:
        yield self._keys
