"""Graph: the edges of a window in Spark, and its blocks."""
from __future__ import annotations

import contextlib
import pickle
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Optional

import numpy
import pyarrow
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sash_spark.keys import Keys
from sash_spark.rows import IN, OUT, Array, Block, make_block

_EDGES_OF_A_BLOCK = 4_000_000
_EDGES_WORTH_A_CORE = 100_000


@dataclass(frozen=True)
class _Gathering:
    """What a worker does with the edges of one block."""

    count: int
    vertices: int

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        columns: dict[str, list[Array]] = {}
        for batch in batches:
            for name in batch.schema.names:
                columns.setdefault(name, []).append(
                    batch.column(name).to_numpy(zero_copy_only=False))
        joined = {name: numpy.concatenate(parts) for name, parts in columns.items()}
        if not joined or not len(joined["row"]):
            return
        number = int(joined["row"][0]) % self.count
        block = make_block(number, self.count, self.vertices, joined["row"], joined["other"],
                           joined.get("weight"), joined.get("bits"))
        yield pyarrow.RecordBatch.from_pydict({"block": [pickle.dumps(tuple(block), protocol=5)]})


@dataclass(frozen=True)
class _Round:
    """What a worker does with its blocks in one round: `function` of each, and of the vectors."""

    function: Callable[..., tuple[Array, ...]]
    vectors: Any  # broadcast

    def __call__(self, blocks: Iterable[Block]) -> list[Any]:
        with numpy.errstate(over="ignore", invalid="ignore"):  # results say so
            return [(block.number, self.function(block, *self.vectors.value)) for block in blocks]


class Blocks:
    """The blocks of one kind of rows, kept in the cluster."""

    def __init__(self, graph: Graph, blocks: Any, count: int) -> None:
        self._graph = graph
        self._blocks = blocks.persist(StorageLevel.MEMORY_AND_DISK)
        self.count = count

    def round(self, function: Callable[..., tuple[Array, ...]], *vectors: Array,
              empty: tuple[Any, ...] = (0,)) -> tuple[Array, ...]:
        """One round: each block gets the vectors, and gives one value or several for each of its
        rows. `empty` are the values of rows in blocks without edges. Returns vectors by id."""
        with self._graph.shared(vectors) as shared:
            parts = self._blocks.mapPartitions(_Round(function, shared)).collect()
        results: list[Array] = []
        for at, value in enumerate(empty):
            kind = parts[0][1][at].dtype if parts else numpy.asarray(value).dtype
            results.append(numpy.full(self._graph.vertices, value, dtype=kind))
        for number, values in parts:
            for result, part in zip(results, values):
                result[number::self.count] = part
        return tuple(results)

    def replaced(self, function: Callable[..., Block], *vectors: Array) -> Blocks:
        """Blocks that `function` makes of these."""
        shared = self._graph.session.sparkContext.broadcast(vectors)
        made = self._blocks.map(lambda block: function(block, *shared.value))
        found = Blocks(self._graph, made, self.count)
        self._graph.also_drop(found)
        return found

    def one(self, number: int) -> Optional[Block]:
        """A block, on the driver; None: it has no edges."""
        found: list[Block] = self._blocks.filter(lambda block: block.number == number).collect()
        return found[0] if found else None

    def gathered(self, function: Callable[[Block], Iterable[tuple[int, Any]]],
                 merged: Callable[[Any, Any], Any]) -> list[Any]:
        """Each block gives pairs of a number and a value; values of one number are merged."""
        pairs = self._blocks.flatMap(function)
        return list(pairs.reduceByKey(merged, self.count).values().collect())

    def drop(self) -> None:
        self._blocks.unpersist()


class Graph:
    """`edges` has the columns source and target (ids), weight, and maybe type.

    Weights are int64 if all of the window are integers, otherwise doubles. Blocks are made when a
    kernel first needs them, and kept until close().
    """

    def __init__(self, session: SparkSession, keys: Keys, vertices: int, edges: DataFrame,
                 edge_count: int, blocks: Optional[int] = None) -> None:
        self.session = session
        self.keys = keys
        self.vertices = vertices
        self.edges = edges
        self.edge_count = edge_count
        self.has_integer_weights = dict(edges.dtypes)["weight"] == "bigint"
        self._wanted_blocks = blocks
        self._made: dict[tuple[str, bool], Blocks] = {}
        self._others: list[Blocks] = []

    def frame(self, rows: str) -> DataFrame:
        """The edges as (row, other, weight): each row's neighbours.

        `target`: the sources of its in-edges; `source`: the targets of its out-edges; `both`: both,
        a self-loop once.
        """
        into = self.edges.select(F.col("target").alias("row"), F.col("source").alias("other"),
                                 "weight")
        out = self.edges.select(F.col("source").alias("row"), F.col("target").alias("other"),
                                "weight")
        if rows == "both":
            return into.union(out.where(F.col("row") != F.col("other")))
        return into if rows == "target" else out

    def merged_frame(self) -> DataFrame:
        """(row, other, bits) without self-loops; a pair may have several rows."""
        into = self.frame("target").select("row", "other", F.lit(IN).cast("long").alias("bits"))
        out = self.frame("source").select("row", "other", F.lit(OUT).cast("long").alias("bits"))
        return into.union(out).where(F.col("row") != F.col("other"))

    def blocks(self, rows: str, weighted: bool = False) -> Blocks:
        """As frame(); `merged`: each neighbour once, with bits."""
        asked = (rows, weighted)
        if asked not in self._made:
            if rows == "merged":
                frame, edges = self.merged_frame(), 2 * self.edge_count
            else:
                frame = self.frame(rows)
                frame = frame if weighted else frame.drop("weight")
                edges = self.edge_count * (2 if rows == "both" else 1)
            self._made[asked] = self._gathered(frame, self._count(edges))
        return self._made[asked]

    def counts(self, frame: DataFrame, column: str) -> Array:
        """How many rows of the frame name each vertex, by id."""
        found = frame.groupBy(column).count().toArrow()
        result = numpy.zeros(self.vertices, dtype=numpy.int64)
        result[found[column].to_numpy()] = found["count"].to_numpy()
        return result

    @contextlib.contextmanager
    def shared(self, value: Any) -> Iterator[Any]:
        """A value that executors read, for as long as the context."""
        found = self.session.sparkContext.broadcast(value)
        try:
            yield found
        finally:
            found.destroy()

    def also_drop(self, blocks: Blocks) -> None:
        self._others.append(blocks)

    def close(self) -> None:
        for each in [*self._made.values(), *self._others]:
            each.drop()

    def _count(self, edges: int) -> int:
        if self._wanted_blocks:
            return max(1, min(self._wanted_blocks, self.vertices))
        cores = int(self.session.sparkContext.defaultParallelism)
        least = -(-edges // _EDGES_OF_A_BLOCK)
        return max(1, least, min(cores, edges // _EDGES_WORTH_A_CORE))

    def _gathered(self, frame: DataFrame, count: int) -> Blocks:
        block = F.pmod(F.col("row"), F.lit(count)).cast("int")
        made = frame.repartitionById(count, block).mapInArrow(
            _Gathering(count, self.vertices), "block binary")
        return Blocks(self, made.rdd.map(_unpacked), count)


def _unpacked(row: Any) -> Block:
    return Block(*pickle.loads(bytes(row[0])))
