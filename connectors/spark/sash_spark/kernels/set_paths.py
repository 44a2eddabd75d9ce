"""The shortest paths between two sets of vertices, by rounds: one for each edge of a path.

A round gives each vertex that a lighter path reaches than one with fewer edges a place in the layer
of that number of edges. Places are in the order of the paths: by the place that the path has in the
layer before, then by key; so the first of several shortest paths is known at once.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Array, Part, Run
from sash_spark.collected_pairs import total
from sash_spark.kernels.paths import negative_edges
from sash_spark.rows import Block, least

_ROWS = {"out": "target", "in": "source", "both": "both"}
_NOWHERE = numpy.iinfo(numpy.int64).max
# (weight of each vertex in a layer, its place there) -> (least weight with one edge more, the least
# place that it comes from).
Step = Callable[[Array, Array], tuple[Array, ...]]


def continued(block: Block, weights: Array, places: Array) -> tuple[Array, ...]:
    """What a Step gives for the rows of a block: infinity and _NOWHERE if no path reaches a row."""
    sums = weights[block.others] + (0.0 if block.weights is None else block.weights)
    lightest = least(block, sums, numpy.inf)
    is_lightest = sums == numpy.repeat(lightest, block.lengths())
    origins = numpy.where(is_lightest & (sums < numpy.inf), places[block.others], _NOWHERE)
    return lightest, least(block, origins, _NOWHERE)


class _Layer:
    """`vertices` in the order of their paths; `origins`: the place of each in the layer before."""

    def __init__(self, vertices: Array, origins: Array) -> None:
        order = numpy.lexsort((vertices, origins))
        self.vertices, self.origins = vertices[order], origins[order]

    def places(self, count: int) -> Array:
        """The place of each vertex, by id; _NOWHERE: it is not in the layer."""
        found = numpy.full(count, _NOWHERE, dtype=numpy.int64)
        found[self.vertices] = numpy.arange(len(self.vertices))
        return found


def first_paths(vertices: int, starts: Array, ends: Array, most: int, step: Step,
                on_round: Callable[[int], None]) -> tuple[list[list[int]], int]:
    """The first shortest path to each end that is reached, the nearest end first; and the number of
    rounds that reached something."""
    lightest = numpy.full(vertices, numpy.inf)
    lightest[starts] = 0.0
    edges = numpy.zeros(vertices, dtype=numpy.int64)  # of that lightest path
    layers = [_Layer(starts, numpy.zeros(len(starts), dtype=numpy.int64))]
    current = lightest
    while len(layers) <= most and len(ends):
        bound = lightest[ends].max()
        current = numpy.where(current < bound, current, numpy.inf)
        if not numpy.isfinite(current).any():
            break
        on_round(len(layers))
        found, origins = step(current, layers[-1].places(vertices))
        current = numpy.where((found < lightest) & (found < bound), found, numpy.inf)
        reached = numpy.flatnonzero(numpy.isfinite(current))
        if not len(reached):
            break
        lightest[reached], edges[reached] = current[reached], len(layers)
        layers.append(_Layer(reached, origins[reached]))
    nearest = sorted((lightest[end], edges[end], end) for end in ends.tolist()
                     if numpy.isfinite(lightest[end]))
    return [_path(layers, int(hops), end) for _, hops, end in nearest], len(layers) - 1


def _path(layers: list[_Layer], hops: int, end: int) -> list[int]:
    path = [end]
    place = int(numpy.flatnonzero(layers[hops].vertices == end)[0])
    for at in range(hops, 0, -1):
        place = int(layers[at].origins[place])
        path.append(int(layers[at - 1].vertices[place]))
    return path[::-1]


def paths(run: Run) -> Answer:
    given, graph = run.parameters, run.graph
    by_weight = given["by"] == "weight"
    answer = Answer([])
    found: list[list[int]] = []
    negative = 0
    if by_weight:
        run.progress.step("looks at the weights")
        negative = graph.edges.where(F.col("weight") < 0).count()
    starts, ends = run.places(given["from"]), run.places(given["to"])
    if negative:
        answer.error = negative_edges(negative, "paths by weight need")
    elif len(starts):
        blocks = graph.blocks(_ROWS[given["direction"]], by_weight)

        def step(weights: Array, places: Array) -> tuple[Array, ...]:
            return blocks.round(continued, weights, places, empty=(numpy.inf, _NOWHERE))

        found, answer.iterations = first_paths(graph.vertices, starts, ends, given["most"], step,
                                               run.progress.iteration)
    answer.parts = [Part({"reached": len(found)})]
    answer.further = {"top_paths": _rows(run, found[:run.job.top])}
    return answer


def _rows(run: Run, found: list[list[int]]) -> list[dict[str, Any]]:
    lightest = _lightest(run, {pair for path in found for pair in zip(path, path[1:])})
    rows = []
    for path in found:
        keys = run.graph.keys.of(numpy.array(path)).to_pylist()
        weights = [lightest[pair] for pair in zip(path, path[1:])]
        rows.append({"from": keys[0], "to": keys[-1], "hops": len(weights),
                     "weight": total(weights), "vertices": keys})
    return rows


def _lightest(run: Run, steps: set[tuple[int, int]]) -> dict[tuple[int, int], Any]:
    """The least weight of the edges that a path can take for each of its steps."""
    if not steps:
        return {}
    run.progress.step("looks at the weights of paths")
    direction = run.parameters["direction"]
    wanted = sorted({pair for step in steps for pair in _pairs(step, direction)})
    pairs = run.graph.session.createDataFrame(wanted, "source long, target long")
    edges = run.graph.edges.join(F.broadcast(pairs), ["source", "target"]).groupBy(
        "source", "target").agg(F.min("weight").alias("weight")).collect()
    known = {(row["source"], row["target"]): row["weight"] for row in edges}
    found = {}
    for step in steps:
        weights = [known[pair] for pair in _pairs(step, direction) if pair in known]
        found[step] = min(weights)
    return found


def _pairs(step: tuple[int, int], direction: str) -> list[tuple[int, int]]:
    """The source and target of edges that lead along a step."""
    return [pair for pair, follows in ((step, "in"), (step[::-1], "out")) if direction != follows]
