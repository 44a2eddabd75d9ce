"""The newest slices of a stream, kept in the cluster, and the windows of them.

Invariants: (1) events() has the rows that events_of() reads from the files of a window.
(2) There are at most about (slices / _MOST + 5) tables: two of equally many slices become one, as
digits carry, so that a long window is not a query over a thousand tables.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Iterable, Optional, Sequence

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sash_spark.configuration import WindowSpec
from sash_spark.plan import PlannedWindow
from sash_spark.slice_rows import read_slices
from sash_spark.slices import Part, Slice, filter_text
from sash_spark.window_edges import counting, event_columns

_MOST = 32  # slices of a table that is made of two
_EDGES_OF_A_PARTITION = 500_000


@dataclass
class _Table:
    """`repeated`: what its query needs to be computed again, if executors are lost."""

    slices: list[Slice]
    rows: DataFrame
    repeated: list[DataFrame]

    def drop(self) -> None:
        for each in [self.rows, *self.repeated]:
            each.unpersist()


class SliceCache:
    """Slices are added in their order."""

    def __init__(self, session: SparkSession, windows: Iterable[WindowSpec]) -> None:
        self._session = session
        texts = sorted({filter_text(each.types, each.where) for each in windows} - {""})
        self._columns = {text: f"passes_{place}" for place, text in enumerate(texts)}
        self._tables: list[_Table] = []

    def add(self, slices: Sequence[Slice], repeated: Optional[DataFrame]) -> None:
        """Reads the files of slices. `repeated`: edges that are left out, by PLACE; released with
        the slices."""
        by_columns: dict[tuple[Optional[str], ...], list[tuple[Slice, list[Part]]]] = {}
        for each in slices:
            for part in each.parts:
                names = tuple(part.column_of(text) for text in self._columns)
                by_columns.setdefault(names, []).append((each, [part]))
        made = []
        for names, held in by_columns.items():
            passes = [(F.lit(False) if name is None else F.col(name)).alias(column)
                      for name, column in zip(names, self._columns.values())]
            made.append(counting(read_slices(self._session, held), repeated).select(
                *event_columns(), *passes))
        rows = reduce(DataFrame.union, made)
        self._tables.append(_Table(list(slices), self._kept(rows, slices),
                                   [] if repeated is None else [repeated]))
        while len(self._tables) > 1 and self._are_alike(*self._tables[-2:]):
            self._join()

    def events(self, spec: WindowSpec, window: PlannedWindow) -> DataFrame:
        """The events of a window, as events_of() (window_edges.py) gives them."""
        first, last = window.slices[0].number, window.slices[-1].number
        found = [each.rows for each in self._tables
                 if each.slices[0].number <= last and each.slices[-1].number >= first]
        rows = reduce(DataFrame.union, found).where(F.col("at.slice").between(first, last))
        text = filter_text(spec.types, spec.where)
        if text:
            rows = rows.where(F.col(self._columns[text]))
        return rows.drop(*self._columns.values())

    def forget(self, before: int) -> Optional[int]:
        """Releases tables of which every slice ends at or before this time. Returns the start of
        the oldest slice that is left; None: there is none."""
        gone = [each for each in self._tables if each.slices[-1].end <= before]
        self._tables = [each for each in self._tables if each.slices[-1].end > before]
        for each in gone:
            each.drop()
        return self._tables[0].slices[0].start if self._tables else None

    def edges(self) -> int:
        return sum(one.edges for each in self._tables for one in each.slices)

    def close(self) -> None:
        for each in self._tables:
            each.drop()
        self._tables = []

    def _are_alike(self, before: _Table, last: _Table) -> bool:
        together = len(before.slices) + len(last.slices)
        return len(before.slices) <= len(last.slices) and together <= _MOST

    def _join(self) -> None:
        last, before = self._tables.pop(), self._tables.pop()
        slices = before.slices + last.slices
        rows = self._kept(before.rows.union(last.rows), slices)
        before.rows.unpersist()
        last.rows.unpersist()
        self._tables.append(_Table(slices, rows, before.repeated + last.repeated))

    def _kept(self, rows: DataFrame, slices: Sequence[Slice]) -> DataFrame:
        edges = sum(each.edges for each in slices)
        most = max(self._session.sparkContext.defaultParallelism, edges // _EDGES_OF_A_PARTITION)
        kept = rows.coalesce(most).persist(StorageLevel.MEMORY_AND_DISK)
        kept.count()  # now: its files may be removed later
        return kept
