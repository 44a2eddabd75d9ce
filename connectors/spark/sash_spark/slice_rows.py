"""The rows of slices, each with the slice that it is in: files of shards have numbers of their own,
and a late edge has a time before its slice."""
from __future__ import annotations

import re
from typing import Any, Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from sash_spark.slices import Part, Slice

# What distinguishes the tables: without characters that are escaped in the URL of a file.
_FILE = r"((?:shard-\d+-of-\d+/)?slice-\d+\.parquet)$"
PLACE = ["topic", "partition", "offset", "place"]  # identifies a row


def at() -> Column:
    """The place of a row of read_slices() in the order of effect."""
    return F.struct("slice", "time_ns", *PLACE).alias("at")


def read_slices(session: SparkSession, held: Sequence[tuple[Slice, Sequence[Part]]]) -> DataFrame:
    """The rows of these parts, with `slice` (its number) and `slice_start` (nanoseconds)."""
    files = [(str(part.table), each) for each, parts in held for part in parts]
    rows: list[Any] = []
    for name, each in files:
        match = re.search(_FILE, name)
        assert match is not None, name
        rows.append((match[1], each.number, each.start))
    known = session.createDataFrame(rows, "file string, slice long, slice_start long")
    return (session.read.parquet(*[name for name, _ in files])
            .withColumn("file", F.regexp_extract("_metadata.file_path", _FILE, 1))
            .join(F.broadcast(known), "file").drop("file"))
