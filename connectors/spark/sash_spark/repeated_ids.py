"""`source.dedupe` over the slices of shards, which do not compare ids (windows/semantics.md, "Ids
of edges")."""
from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sash_spark.shards import ShardFolders
from sash_spark.slice_rows import PLACE, at, read_slices
from sash_spark.slices import Slices

Row = tuple[int, tuple[Any, ...]]  # time, place of the edge (PLACE)


def repeated_ids(session: SparkSession, slices: Slices, within: Optional[int]
                 ) -> Optional[DataFrame]:
    """The edges that do not count, by PLACE; they stay in the cluster. `within`: in nanoseconds.
    None: ids are not compared here. Edges of removed slices are not known."""
    if within is None or not isinstance(slices, ShardFolders) or not slices.slices:
        return None
    rows = read_slices(session, [(each, each.parts) for each in slices.slices])
    time = F.greatest("time_ns", "slice_start").alias("time")  # of an edge that was moved
    groups = (rows.where(F.col("id").isNotNull())
              .groupBy("id").agg(F.array_sort(F.collect_list(F.struct(at(), time))).alias("rows"))
              .where(F.size("rows") > 1).select("rows"))

    def repeated_of(found: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        for each in found:
            yield from repeated(((row["time"], tuple(row["at"][name] for name in PLACE))
                                 for row in each["rows"]), within)
    places = groups.rdd.mapPartitions(repeated_of)
    return session.createDataFrame(
        places, "topic string, partition long, offset long, place long").persist(
            StorageLevel.MEMORY_AND_DISK)


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
