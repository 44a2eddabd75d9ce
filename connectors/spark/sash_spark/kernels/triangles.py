"""Triangles: triangles, lcc.

Each edge points to the end with more neighbours, so that hubs have few edges (Schank, Wagner, WEA
2005). In a round, the edges of one block are sent to all; each block joins them to its own.
"""
from __future__ import annotations

import functools
from typing import Any, Iterator, NamedTuple

import numpy

from sash_spark.answer import Answer, Array, Run, scored
from sash_spark.graph import Blocks
from sash_spark.kernels.counts import counted, neighbours
from sash_spark.rows import Block

_CANDIDATES = 4_000_000  # pairs that a worker looks at together
_ARCS = numpy.array([0, 1, 1, 2])  # by the bits of a neighbour

Sums = tuple[Array, Array]  # ids, ascending, and the sum of each


class _Found(NamedTuple):
    """Triangles of vertices a, b, c: the places of (a, b) and of (a, c) in a block, and of (b, c)
    in the block sent."""

    ab: Array
    bc: Array
    ac: Array


def oriented(block: Block, places: Array) -> Block:
    """Only edges to places beyond that of the row; a place is the rank by number of neighbours."""
    assert block.bits is not None
    kept = places[block.others] > numpy.repeat(block.mine(places), block.lengths())
    lengths = numpy.bincount(block.row_of_each()[kept], minlength=len(block.indptr) - 1)
    indptr = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int64)
    return block._replace(indptr=indptr, others=block.others[kept], bits=block.bits[kept])


def _triangles(block: Block, sent: Block, vertices: int) -> Iterator[_Found]:
    """Triangles of an edge (a, b) of `block`, an edge (b, c) of `sent`, and (a, c) of `block`."""
    rows = block.row_of_each()
    edges = rows * vertices + block.others  # ascending
    mine = numpy.flatnonzero(block.others % sent.blocks == sent.number)
    b = (block.others[mine] - sent.number) // sent.blocks
    counts = sent.indptr[b + 1] - sent.indptr[b]
    ends = numpy.cumsum(counts)
    begin = 0
    while begin < len(mine):
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(numpy.searchsorted(ends, before + _CANDIDATES, "right")))
        here = slice(begin, end)
        ab = numpy.repeat(mine[here], counts[here])
        first = numpy.repeat(sent.indptr[b[here]] - (ends[here] - counts[here] - before),
                             counts[here])
        bc = first + numpy.arange(len(ab))
        wanted = rows[ab] * vertices + sent.others[bc]
        ac = numpy.minimum(numpy.searchsorted(edges, wanted), len(edges) - 1)
        there = edges[ac] == wanted
        yield _Found(ab[there], bc[there], ac[there])
        begin = end


def _sums(ids: Array, amounts: Array) -> Sums:
    found, inverse = numpy.unique(ids, return_inverse=True)
    sums = numpy.zeros(len(found), dtype=numpy.int64)
    numpy.add.at(sums, inverse, amounts)
    return found, sums


def merged(one: Sums, other: Sums) -> Sums:
    return _sums(numpy.concatenate([one[0], other[0]]), numpy.concatenate([one[1], other[1]]))


def _gains(shared: Any, vertices: int, arcs: bool, block: Block) -> list[tuple[int, Sums]]:
    """What the triangles of a round add to their vertices, by the vertex's block: one for each, or
    the arcs between the other two."""
    sent: Block = shared.value
    result: Sums = (numpy.zeros(0, numpy.int64),) * 2
    assert block.bits is not None and sent.bits is not None
    mine, theirs = _ARCS[block.bits], _ARCS[sent.bits]
    a = block.vertex_of_each()
    for found in _triangles(block, sent, vertices):
        ids = numpy.concatenate([a[found.ab], block.others[found.ab], sent.others[found.bc]])
        amounts = (numpy.concatenate([theirs[found.bc], mine[found.ac], mine[found.ab]]) if arcs
                   else numpy.ones(len(ids), dtype=numpy.int64))
        result = merged(result, (ids.astype(numpy.int64), amounts))
    owners = result[0] % block.blocks
    return [(owner, (result[0][owners == owner], result[1][owners == owner]))
            for owner in numpy.unique(owners).tolist()]


def _added(run: Run, degrees: Array, arcs: bool, answer: Answer) -> Array:
    """The number of triangles of each vertex, by id; or with `arcs`, the number of arcs between the
    other two vertices of its triangles."""
    places = numpy.empty(len(degrees), dtype=numpy.int64)
    places[numpy.lexsort((numpy.arange(len(degrees)), degrees))] = numpy.arange(len(degrees))
    blocks: Blocks = run.graph.blocks("merged").replaced(oriented, places)
    totals = numpy.zeros(len(degrees), dtype=numpy.int64)
    for number in range(blocks.count):
        sent = blocks.one(number)
        if sent is None:
            continue
        answer.iterations += 1
        run.progress.iteration(answer.iterations)
        with run.graph.shared(sent) as shared:
            gains = functools.partial(_gains, shared, len(degrees), arcs)
            for ids, sums in blocks.gathered(gains, merged):
                totals[ids] += sums
    return totals


def triangles(run: Run) -> Answer:
    answer = Answer([])
    degrees = neighbours(run)[0]
    counts = _added(run, degrees, False, answer) if len(degrees) else degrees
    return counted(run, counts, {"triangles": int(counts.sum()) // 3}, answer)


def lcc(run: Run) -> Answer:
    """The arcs among the neighbours of a vertex are those opposite to it in its triangles."""
    answer = Answer([])
    degrees = neighbours(run)[0]
    among = _added(run, degrees, True, answer) if len(degrees) else degrees
    scores = numpy.where(degrees > 1, among / numpy.maximum(degrees * (degrees - 1), 1), 0.0)
    answer.parts, answer.vectors = [scored(run, scores, {})], {"score": scores}
    return answer
