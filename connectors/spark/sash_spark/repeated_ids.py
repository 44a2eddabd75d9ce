"""`source.dedupe` over the slices of shards, which do not compare ids (windows/semantics.md, "Ids
of edges")."""
from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, Sequence

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sash_spark.shards import ShardFolders
from sash_spark.slice_rows import PLACE, at, read_slices
from sash_spark.slices import Slice, Slices

Row = tuple[int, tuple[Any, ...]]  # time, place of the edge (PLACE)


_PLACES = "topic string, partition long, offset long, place long"


def repeated_ids(session: SparkSession, slices: Slices, within: Optional[int]
                 ) -> Optional[DataFrame]:
    """The edges that do not count, by PLACE; they stay in the cluster. `within`: in nanoseconds.
    Returns None if ids are not compared here: without `within` or slices, or if one process wrote
    the slices, which has compared them. Edges of removed slices are not known."""
    if within is None or not isinstance(slices, ShardFolders) or not slices.slices:
        return None
    return _repeated_in(session, _rows_with_ids(session, slices.slices), within).persist(
        StorageLevel.MEMORY_AND_DISK)


class IdsSeen:
    """The edges that do not count, for slices that come one after the other. What it must know of
    earlier ones is in the cluster: the edges that counted in the last `within`. If executors that
    hold it are lost, Spark cannot make it again, and the process ends; a restart reads the slices.
    """

    def __init__(self, session: SparkSession, within: int) -> None:
        self._session, self._within = session, within
        self._counted: Optional[DataFrame] = None

    def repeated_in(self, slices: Sequence[Slice]) -> DataFrame:
        """The edges of these slices that do not count, by PLACE; in the cluster until
        unpersist()."""
        rows = _rows_with_ids(self._session, slices).persist(StorageLevel.MEMORY_AND_DISK)
        every = rows if self._counted is None else rows.union(self._counted)
        # An edge that counted does so again: those that would prevent it are not there.
        found = _repeated_in(self._session, every, self._within).persist(
            StorageLevel.MEMORY_AND_DISK)
        since = slices[-1].end - self._within
        before = self._counted
        kept = every.where(F.col("time") >= since).join(
            found, [F.col(f"at.{name}") == F.col(name) for name in PLACE], "left_anti")
        self._counted = kept.localCheckpoint()
        rows.unpersist()
        if before is not None:
            _release(before)
        return found


def _rows_with_ids(session: SparkSession, slices: Sequence[Slice]) -> DataFrame:
    """id, at, time: the event time of an edge, or the start of the slice that it was moved to."""
    rows = read_slices(session, [(each, each.parts) for each in slices])
    return rows.where(F.col("id").isNotNull()).select(
        "id", at(), F.greatest("time_ns", "slice_start").alias("time"))


def _repeated_in(session: SparkSession, rows: DataFrame, within: int) -> DataFrame:
    groups = (rows.groupBy("id")
              .agg(F.array_sort(F.collect_list(F.struct("at", "time"))).alias("rows"))
              .where(F.size("rows") > 1).select("rows"))

    def repeated_of(found: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        for each in found:
            yield from repeated(((row["time"], tuple(row["at"][name] for name in PLACE))
                                 for row in each["rows"]), within)
    return session.createDataFrame(groups.rdd.mapPartitions(repeated_of), _PLACES)


def _release(checkpointed: DataFrame) -> None:
    """Spark frees what localCheckpoint() made only when its collector runs; this is at once."""
    rows = checkpointed._jdf.queryExecution().analyzed().rdd()
    rows.sparkContext().unpersistRDD(rows.id(), False)  # RDD.unpersist() would warn each time


def repeated(rows: Iterable[Row], within: int) -> Iterator[tuple[Any, ...]]:
    """The places of the edges of one id that do not count: an edge of another record, that counted,
    is at most `within` before. `rows`: in the order of effect, in which times do not fall."""
    counted: list[Row] = []
    for time, place in rows:
        counted = [each for each in counted if time - each[0] <= within]
        if any(record[:3] != place[:3] for _, record in counted):
            yield place
        else:
            counted.append((time, place))
