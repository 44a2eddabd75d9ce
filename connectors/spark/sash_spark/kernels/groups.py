"""Sets of vertices: wcc, scc, cdlp. A set is named by an id, and so by the least key."""
from __future__ import annotations

import numpy

from sash_spark.answer import Answer, Array, Listing, Part, Run
from sash_spark.graph import Blocks
from sash_spark.ranking import counted_first
from sash_spark.rows import Block, least


def grouped(run: Run, labels: Array, one: str, many: str, answer: Answer) -> Answer:
    """The sets, largest first."""
    sizes = numpy.bincount(labels, minlength=1) if len(labels) else numpy.zeros(0, numpy.int64)
    groups = numpy.flatnonzero(sizes)
    answer.parts = [Part({many: len(groups)}, Listing(
        counted_first(sizes, groups, run.limit), {"size": sizes}, one))]
    answer.group_name, answer.groups = one, labels
    return answer


def _least_label(block: Block, labels: Array) -> tuple[Array, ...]:
    return (least(block, labels[block.others], len(labels)),)


def wcc(run: Run) -> Answer:
    """Each root hangs itself below the least label that its tree sees, then trees get flat
    (Zhang, Azad, Buluc: FastSV, PP 2020)."""
    labels = run.every_vertex
    answer = Answer([])
    blocks = run.graph.blocks("both") if len(labels) else None
    while blocks is not None:
        answer.iterations += 1
        run.progress.iteration(answer.iterations)
        seen, = blocks.round(_least_label, labels, empty=(len(labels),))
        seen = numpy.minimum(seen, labels)
        following = numpy.minimum(seen, labels)
        numpy.minimum.at(following, labels, seen)
        while True:
            above = following[following]
            if numpy.array_equal(above, following):
                break
            following = above
        if numpy.array_equal(following, labels):
            break
        labels = following
    return grouped(run, labels, "component", "components", answer)


def _active_label(block: Block, labels: Array) -> tuple[Array, ...]:
    """The least label of the other neighbours that have one; beyond all ids: there is none."""
    found = numpy.where(block.others == block.vertex_of_each(), len(labels), labels[block.others])
    return (least(block, found, len(labels)),)


def _same_label_reaches(block: Block, labels: Array, reaching: Array) -> tuple[Array, ...]:
    """Whether a neighbour with the row's label reaches the vertex of that label."""
    mine = numpy.repeat(block.mine(labels), block.lengths())
    found = reaching[block.others] & (labels[block.others] == mine)
    return (~least(block, ~found, True),)


def scc(run: Run) -> Answer:
    """Vertices without in-neighbours or out-neighbours left are sets of their own. The others take
    the least id that reaches them; what reaches that id back is its set (Orzan: On Distributed
    Verification and Verified Distribution, 2004)."""
    count = run.graph.vertices
    labels = numpy.full(count, -1, dtype=numpy.int64)
    answer = Answer([])
    while (labels < 0).any():
        into, out = run.graph.blocks("target"), run.graph.blocks("source")

        def seen(blocks: Blocks, colours: Array) -> Array:
            answer.iterations += 1
            run.progress.iteration(answer.iterations)
            return blocks.round(_active_label, colours, empty=(count,))[0]

        own = numpy.arange(count, dtype=numpy.int64)
        for blocks in (into, out):
            trimmed = True
            while trimmed:
                active = labels < 0
                lonely = active & (seen(blocks, numpy.where(active, own, count)) == count)
                labels[lonely] = own[lonely]
                trimmed = bool(lonely.any()) and bool((labels < 0).any())
        active = labels < 0
        if not active.any():
            break
        colours = numpy.where(active, own, count)
        changed = True
        while changed:
            found = numpy.where(active, numpy.minimum(colours, seen(into, colours)), count)
            changed = not numpy.array_equal(found, colours)
            colours = found
        reaching = active & (colours == own)
        grown = True
        while grown:
            answer.iterations += 1
            run.progress.iteration(answer.iterations)
            more, = out.round(_same_label_reaches, colours, reaching, empty=(False,))
            following = reaching | (more & active)
            grown = not numpy.array_equal(following, reaching)
            reaching = following
        labels[reaching] = colours[reaching]
    return grouped(run, labels, "component", "components", answer)


def _most_frequent(block: Block, labels: Array) -> tuple[Array, ...]:
    """The label that most neighbours of a row have, of several the least; -1: without neighbours.
    Self-loops do not count."""
    rows = block.row_of_each()
    others = block.others != rows * block.blocks + block.number
    rows, found = rows[others], labels[block.others][others]
    result = numpy.full(len(block.indptr) - 1, -1, dtype=numpy.int64)
    if not len(rows):
        return (result,)
    order = numpy.lexsort((found, rows))
    rows, found = rows[order], found[order]
    first = numpy.ones(len(rows), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]) | (found[1:] != found[:-1])
    starts = numpy.flatnonzero(first)
    votes = numpy.diff(numpy.append(starts, len(rows)))
    best = numpy.lexsort((found[starts], -votes, rows[starts]))
    rows, found = rows[starts][best], found[starts][best]
    winner = numpy.ones(len(rows), dtype=bool)
    winner[1:] = rows[1:] != rows[:-1]
    result[rows[winner]] = found[winner]
    return (result,)


def cdlp(run: Run) -> Answer:
    labels = run.every_vertex
    answer = Answer([])
    if len(labels):
        blocks = run.graph.blocks("both")
        answer.converged = False
        while not answer.converged and answer.iterations < run.parameters["max_iterations"]:
            answer.iterations += 1
            run.progress.iteration(answer.iterations)
            found, = blocks.round(_most_frequent, labels, empty=(-1,))
            following = numpy.where(found < 0, labels, found)
            answer.converged = numpy.array_equal(following, labels)
            labels = following
    return grouped(run, labels, "community", "communities", answer)
