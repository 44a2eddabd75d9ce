"""Sums of the weights of each vertex's edges; integers exactly."""
from __future__ import annotations

from typing import Any

import numpy

from sash_spark.answer import Answer, Array, Listing, Part, Run
from sash_spark.kernels.paths import unlisted
from sash_spark.ranking import greatest_first, weighed_first
from sash_spark.rows import Block, sums

_LOW = 0xFFFFFFFF
_EXACT = 2**53


def _sums(block: Block) -> tuple[Array, ...]:
    """The sum of the weights of each row; of whole weights, a sum of their high and one of their
    low 32 bits, so that none overflows."""
    assert block.weights is not None
    if block.weights.dtype == numpy.int64:
        return sums(block, block.weights >> 32), sums(block, block.weights & _LOW)
    return (sums(block, block.weights),)


def strength(run: Run) -> Answer:
    graph, direction = run.graph, run.parameters["direction"]
    whole = graph.has_integer_weights
    zero: tuple[Any, ...] = (0, 0) if whole else (0.0,)
    parts = [numpy.zeros(graph.vertices, dtype=numpy.int64 if whole else float) for _ in zero]
    if graph.vertices:
        run.progress.step("adds weights")
        for rows, sign in {"out": [("source", 1)], "in": [("target", 1)],
                           "both": [("source", 1), ("target", 1)],
                           "net": [("target", 1), ("source", -1)]}[direction]:
            found = graph.blocks(rows, True).round(_sums, empty=zero)
            parts = [part + sign * each for part, each in zip(parts, found)]
    return _of_integers(run, *parts) if whole else _of_doubles(run, parts[0])


def _of_doubles(run: Run, values: Array) -> Answer:
    finite = numpy.flatnonzero(numpy.isfinite(values))
    beyond = run.graph.vertices - len(finite)
    return Answer([Part({}, Listing(greatest_first(values, finite, run.limit), {"score": values}))],
                  error=unlisted(beyond, "score") if beyond else None, vectors={"score": values})


def _of_integers(run: Run, high: Array, low: Array) -> Answer:
    high, low = high + (low >> 32), low & _LOW
    about = high * 2.0**32 + low
    fits = (high >= -2**31) & (high < 2**31)
    candidates = run.every_vertex
    if run.limit is not None and run.limit < len(about):
        bound = numpy.partition(about, len(about) - run.limit)[len(about) - run.limit]
        candidates = numpy.flatnonzero(about >= bound - abs(bound) * 1e-8)

    def value(vertex: int) -> Any:
        exact = int(high[vertex]) * 2**32 + int(low[vertex])
        return exact if fits[vertex] else float(exact)

    values = {vertex: value(vertex) for vertex in candidates.tolist()}
    first = weighed_first(list(values.values()), candidates, run.limit)
    whole = fits.all()
    vector = (high << 32) + low if whole else about
    return Answer([Part({}, Listing(first, {"score": values}))], vectors={"score": vector})
