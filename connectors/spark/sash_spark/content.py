"""Content: the visible edges of one window, with keys and as a graph."""
from __future__ import annotations

from functools import cached_property
from typing import Any, Callable, Optional

import pyarrow
import pyarrow.compute
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sash_spark.configuration import WindowSpec
from sash_spark.errors import JobRefused
from sash_spark.graph import Graph
from sash_spark.keys import ArrayKeys
from sash_spark.plan import PlannedWindow
from sash_spark.window_edges import visible_edges

_BYTES_OF_A_KEY = 32


class Content:
    """Edges stay in the cluster until close(), the keys of the vertices on the driver."""

    def __init__(self, session: SparkSession, spec: WindowSpec, window: PlannedWindow,
                 are_integers: bool, limit: int, blocks: Optional[int],
                 events: Callable[[WindowSpec, PlannedWindow], DataFrame]) -> None:
        self.window = window
        self._spec = spec
        self._events = events
        self._session = session
        self._limit = limit
        self._blocks = blocks
        if window.slices:
            edges = visible_edges(events(spec, window), spec)
        else:
            key = "long" if are_integers else "string"
            edges = session.createDataFrame([], f"source {key}, target {key}, weight double, "
                                                "exact long, type string")
        self.edges = edges.persist(StorageLevel.MEMORY_AND_DISK)
        counts = self.edges.agg(F.count("*").alias("edges"),
                                F.count("exact").alias("exact")).first()
        self.edge_count: int = counts["edges"]
        self._is_whole = bool(counts["exact"] == counts["edges"])

    @cached_property
    def graph(self) -> Graph:
        """JobRefused: the window has too many vertices for the driver."""
        keys = self._ordered_keys()
        self.keys = ArrayKeys(keys)
        table = pyarrow.table({"key": keys, "id": pyarrow.array(range(len(keys)), pyarrow.int64())})
        ids = self._session.createDataFrame(table)
        edges = self.edges
        for end in ("source", "target"):
            edges = edges.join(ids.select(F.col("key").alias(end), F.col("id").alias(f"{end}_id")),
                               end)
        weight = F.col("exact" if self._is_whole else "weight").alias("weight")
        placed = edges.select(
            F.col("source_id").alias("source"), F.col("target_id").alias("target"), weight,
            "type").persist(StorageLevel.MEMORY_AND_DISK)
        self._placed = placed
        return Graph(self._session, self.keys, len(keys), placed, self.edge_count,
                     self._blocks)

    def close(self) -> None:
        """Releases what is in the cluster; `edges` would be computed again."""
        if "graph" in self.__dict__:
            self.graph.close()
            self._placed.unpersist()
            del self.__dict__["graph"]
        self.edges.unpersist()

    def pairs(self) -> DataFrame:
        return self.edges.select("source", "target").distinct()

    def heavy_pairs(self, least: Optional[float]) -> DataFrame:
        """The pairs of different vertices with an edge of at least this weight (None: any)."""
        edges = self.edges if least is None else self.edges.where(F.col("weight") >= least)
        return edges.where("source != target").select("source", "target").distinct()

    def dated_pairs(self, least: Optional[float]) -> DataFrame:
        """The same with `slices`: the numbers of the slices in which those edges came, ascending.
        The window has a slice."""
        edges = visible_edges(self._events(self._spec, self.window), self._spec, dated=True)
        if least is not None:
            edges = edges.where(F.col("weight") >= least)
        came = F.array_sort(F.array_distinct(F.flatten(F.collect_list("slices"))))
        return edges.where("source != target").groupBy("source", "target").agg(
            came.alias("slices"))

    def _ordered_keys(self) -> Any:
        """The keys of all vertices, ascending: texts by their UTF-8 bytes, integers as numbers.
        JobRefused: they are too many for the driver."""
        ends = self.edges.select(F.explode(F.array("source", "target")).alias("key")).distinct()
        if 2 * self.edge_count * _BYTES_OF_A_KEY > self._limit:
            count = ends.count()
            if count * _BYTES_OF_A_KEY > self._limit:
                raise JobRefused(
                    f"the keys of a window are on the driver, about {_BYTES_OF_A_KEY} bytes each; "
                    f"it has {count:,} vertices, and --driver-limit is {self._limit / 1e9:.1f} GB")
        found = ends.toArrow()["key"].combine_chunks()
        if isinstance(found, pyarrow.ChunkedArray):
            found = pyarrow.concat_arrays(found.chunks)
        return found.take(pyarrow.compute.sort_indices(found))
