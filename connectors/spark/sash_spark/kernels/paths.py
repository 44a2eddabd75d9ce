"""What roots reach: bfs by levels, 64 searches at a time, and sssp by rounds."""
from __future__ import annotations

from typing import Any

import numpy
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Array, Listing, Part, Run
from sash_spark.ranking import counted_first, nearest_first
from sash_spark.rows import Block, least, reduced

_ROWS = {"out": "target", "in": "source", "both": "both"}
_TOGETHER = 64
_UNREACHED = -1


def _pulled(block: Block, frontier: Array) -> tuple[Array, ...]:
    """For each row, the searches whose frontier has a neighbour of it."""
    return (reduced(block, numpy.bitwise_or, frontier[block.others], 0),)


def _parents(block: Block, depths: Array) -> tuple[Array, ...]:
    """The least neighbour one step nearer; beyond all ids: there is none."""
    none = len(depths)
    nearer = depths[block.others] == numpy.repeat(block.mine(depths), block.lengths()) - 1
    nearer &= depths[block.others] >= 0
    return (least(block, numpy.where(nearer, block.others, none).astype(numpy.int64), none),)


def _nearer(block: Block, distances: Array) -> tuple[Array, ...]:
    assert block.weights is not None
    return (least(block, distances[block.others] + block.weights, numpy.inf),)


def searched(run: Run, roots: list[Array], direction: str) -> list[Array]:
    """The depth of each vertex in each search; -1: it is not reached."""
    blocks = run.graph.blocks(_ROWS[direction])
    depths = [numpy.full(run.graph.vertices, _UNREACHED, dtype=numpy.int32) for _ in roots]
    for begin in range(0, len(roots), _TOGETHER):
        here = range(begin, min(begin + _TOGETHER, len(roots)))
        kind: Any = numpy.uint8 if len(here) <= 8 else numpy.uint64
        visited = numpy.zeros(run.graph.vertices, dtype=kind)
        for bit, search in enumerate(here):
            visited[roots[search]] |= kind(1 << bit)
            depths[search][roots[search]] = 0
        frontier, level = visited.copy(), 0
        while frontier.any():
            level += 1
            run.progress.iteration(level)
            found, = blocks.round(_pulled, frontier)
            frontier = found.astype(kind) & ~visited
            visited |= frontier
            for bit, search in enumerate(here):
                depths[search][(frontier & kind(1 << bit)) != 0] = level
    return depths


def bfs(run: Run) -> Answer:
    given = run.parameters
    separate = given["separate"]
    if run.graph.vertices == 0:
        places: list[Array] = [run.every_vertex] * (len(given["roots"]) if separate else 1)
    elif separate:
        known = run.graph.keys.places(given["roots"])
        places = [numpy.array([known[root]] if root in known else [], dtype=numpy.int64)
                  for root in given["roots"]]
    else:
        places = [run.places(given["roots"])]
    depths = searched(run, places, given["direction"]) if any(map(len, places)) else [
        numpy.full(run.graph.vertices, _UNREACHED, dtype=numpy.int32) for _ in places]
    answer = Answer([], is_separate=separate)
    for at, found in enumerate(depths):
        reached = numpy.flatnonzero(found >= 0)
        levels = numpy.bincount(found[reached]).tolist() if len(reached) else []
        listing = Listing(counted_first(found, reached, run.limit, sign=1), {"depth": found})
        if given["parents"]:
            run.progress.step("finds parents")
            parents = numpy.full(run.graph.vertices, -1, dtype=numpy.int64)
            if len(reached):
                near, = run.graph.blocks(_ROWS[given["direction"]]).round(
                    _parents, found, empty=(run.graph.vertices,))
                parents = numpy.where((found > 0) & (near < len(near)), near, -1)
            listing.values["parent"] = parents
            listing.names_vertex = ("parent",)
        answer.parts.append(Part({"reached": len(reached), "levels": levels}, listing,
                                 given["roots"][at] if separate else None))
        answer.iterations = max(answer.iterations, len(levels))
        answer.vectors[f"depth_{at}" if separate else "depth"] = found
    return answer


def sssp(run: Run) -> Answer:
    """Distances settle when a round changes none. A path has at most as many rounds as edges."""
    graph = run.graph
    run.progress.step("looks at the weights")
    weights = graph.edges.agg(F.count_if(F.col("weight") < 0).alias("negative"),
                              F.max(F.col("weight").cast("double")).alias("greatest")).first()
    distances = numpy.full(graph.vertices, numpy.inf)
    answer = Answer([])
    roots = run.places(run.parameters["roots"])
    if weights["negative"]:
        answer.error = negative_edges(weights["negative"], "distances need")
    elif len(roots):
        distances[roots] = 0.0
        blocks = graph.blocks(_ROWS[run.parameters["direction"]], True)
        changed = True
        while changed:
            answer.iterations += 1
            run.progress.iteration(answer.iterations)
            found, = blocks.round(_nearer, distances, empty=(numpy.inf,))
            changed = bool((found < distances).any())
            distances = numpy.minimum(distances, found)
        if weights["greatest"] * float(graph.vertices) == numpy.inf:
            depths, = searched(run, [roots], run.parameters["direction"])
            beyond = int(((depths >= 0) & numpy.isinf(distances)).sum())
            answer.error = unlisted(beyond, "distance") if beyond else None
    reached = numpy.flatnonzero(numpy.isfinite(distances))
    answer.parts = [Part({"reached": len(reached)}, Listing(
        nearest_first(distances, reached, run.limit), {"distance": distances}))]
    answer.vectors = {"distance": distances}
    return answer


def unlisted(vertices: int, value: str) -> str:
    """The error of values beyond a double."""
    if vertices == 1:
        return f"1 vertex has a {value} beyond the range of a double (1.8e308); it is not listed"
    return (f"{vertices} vertices have a {value} beyond the range of a double (1.8e308); they are "
            "not listed")


def negative_edges(edges: int, needing: str) -> str:
    """The error of weights below 0."""
    return (f"{edges} {'edge has' if edges == 1 else 'edges have'} a negative weight; {needing} "
            "weights of at least 0")
