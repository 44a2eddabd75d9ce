"""The visible edges of a window, from the events of its slices: duplicates policies and removals,
in the order of effect (windows/semantics.md)."""
from __future__ import annotations

from typing import Optional

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from sash_spark.configuration import WindowSpec
from sash_spark.plan import PlannedWindow
from sash_spark.slice_rows import PLACE, at, read_slices
from sash_spark.slices import filter_text

_PAIR = ["source", "target"]
_INT64 = 2**63


def events_of(session: SparkSession, spec: WindowSpec, window: PlannedWindow,
              repeated: Optional[DataFrame]) -> DataFrame:
    """The events that the window shows: source, target, operation, weight, exact (the weight as an
    integer, or null), type, and `at`, their place in the order of effect. `repeated`: edges that
    are left out, by PLACE (repeated_ids.py)."""
    text = filter_text(spec.types, spec.where)
    found: Optional[DataFrame] = None
    columns = {part.column_of(text) if text else None for each in window.slices
               for part in each.parts}
    for column in sorted(columns, key=str):
        read = read_slices(session, [
            (each, [part for part in each.parts if not text or part.column_of(text) == column])
            for each in window.slices])
        read = read if column is None else read.where(F.col(column))
        read = counting(read, repeated).select(*event_columns())
        found = read if found is None else found.union(read)
    assert found is not None, "a window has slices"
    return found


def counting(rows: DataFrame, repeated: Optional[DataFrame]) -> DataFrame:
    """The rows of read_slices() that are not duplicates by id."""
    counted = rows.where(~F.col("duplicate"))
    return counted if repeated is None else counted.join(repeated, PLACE, "left_anti")


def event_columns() -> list[Column]:
    """The columns of events_of(), of rows of read_slices()."""
    return [F.col("source"), F.col("target"), F.col("operation"), F.col("weight"),
            F.col("weight_int64").alias("exact"), F.col("type"), at()]


def visible_edges(events: DataFrame, spec: WindowSpec, dated: bool = False) -> DataFrame:
    """source, target, weight, exact, type: every copy with `keep`, otherwise one row for each
    edge. `dated`: with `slices`, the numbers of those in which it came: in `drop` its newest copy,
    in `weigh` each copy that its sum holds."""
    by_type = spec.duplicates == "keep" or spec.identity == "pair_and_type"
    alive = _alive(events, by_type)
    if spec.duplicates == "keep":
        came = [F.array("at.slice").alias("slices")] if dated else []
        return alive.select(*_PAIR, "weight", "exact", "type", *came)
    identity = [*_PAIR, "type"] if by_type else _PAIR
    newest = F.max_by(F.struct("weight", "exact", "type"), "at").alias("newest")
    if spec.duplicates == "drop":
        came = [F.array(F.max("at.slice")).alias("slices")] if dated else []
        shown = alive.groupBy(*identity).agg(newest, *came)
        return shown.select(*_PAIR, "newest.weight", "newest.exact", "newest.type",
                            *(["slices"] if dated else []))
    whole = F.sum(F.col("exact").cast("decimal(38,0)"))
    sums = alive.groupBy(*identity).agg(
        newest, F.sum("weight").alias("sum"),
        F.when(F.count("exact") == F.count("*"), whole).alias("whole"),
        *([F.collect_set("at.slice").alias("slices")] if dated else []))
    fits = F.col("whole").between(F.lit(-_INT64).cast("decimal(38,0)"),
                                  F.lit(_INT64 - 1).cast("decimal(38,0)"))
    return sums.select(
        *_PAIR, F.coalesce(F.col("whole").cast("double"), F.col("sum")).alias("weight"),
        F.when(fits, F.col("whole").cast("long")).alias("exact"), F.col("newest.type"),
        *(["slices"] if dated else []))


def _alive(events: DataFrame, by_type: bool) -> DataFrame:
    """The adds after which no removal of them came."""
    removal = F.col("operation") == "remove"
    wide = removal & F.col("type").isNull() if by_type else removal
    marked = events.where(F.col("operation") != "remove_vertex").withColumn(
        "ended", _newest(wide).over(Window.partitionBy(*_PAIR)))
    if by_type:
        narrow = removal & F.col("type").isNotNull()
        marked = marked.withColumn(
            "ended_type", _newest(narrow).over(Window.partitionBy(*_PAIR, "type")))
    found = marked.where((F.col("operation") == "add") & _comes_after("ended"))
    if by_type:
        found = found.where(_comes_after("ended_type"))
    gone = (events.where(F.col("operation") == "remove_vertex")
            .groupBy(F.col("source").alias("key")).agg(F.max("at").alias("gone")))
    for end in _PAIR:
        found = found.join(F.broadcast(gone), F.col(end) == F.col("key"), "left").where(
            _comes_after("gone")).drop("key", "gone")
    return found


def _newest(condition: Column) -> Column:
    return F.max(F.when(condition, F.col("at")))


def _comes_after(removed: str) -> Column:
    return F.col(removed).isNull() | (F.col("at") > F.col(removed))
