"""Counts of each vertex: degree, fanout, reciprocity, kcore."""
from __future__ import annotations

import numpy

from sash_spark.answer import Answer, Array, Listing, Part, Run, scored
from sash_spark.ranking import counted_first
from sash_spark.rows import IN, OUT, Block, sums


def counted(run: Run, counts: Array, figures: dict[str, int], answer: Answer) -> Answer:
    """All vertices, greatest count first."""
    first = counted_first(counts, run.every_vertex, run.limit)
    answer.parts = [Part(dict(figures), Listing(first, {"score": counts}))]
    answer.vectors = {"score": counts}
    return answer


def degree(run: Run) -> Answer:
    """The number of edges, parallel ones included; with both directions, a self-loop counts twice.
    """
    run.progress.step("counts edges")
    ends = {"out": ["source"], "in": ["target"], "both": ["source", "target"]}
    counts = numpy.zeros(run.graph.vertices, dtype=numpy.int64)
    if run.graph.vertices:
        for end in ends[run.parameters["direction"]]:
            counts += run.graph.counts(run.graph.edges, end)
    return counted(run, counts, {}, Answer([]))


def _neighbours(block: Block) -> tuple[Array, ...]:
    """For each row, the neighbours in all, out, in, and those with edges both ways."""
    assert block.bits is not None
    out, into = (block.bits & OUT) != 0, (block.bits & IN) != 0
    return tuple(sums(block, chosen.astype(numpy.int64))
                 for chosen in (out | into, out, into, out & into))


def neighbours(run: Run) -> tuple[Array, ...]:
    """Different other vertices, by id: in all, out, in, and both ways."""
    if not run.graph.vertices:
        return (numpy.zeros(0, dtype=numpy.int64),) * 4
    run.progress.step("counts neighbours")
    return run.graph.blocks("merged").round(_neighbours, empty=(0, 0, 0, 0))


def fanout(run: Run) -> Answer:
    every, out, into, _ = neighbours(run)
    chosen = {"both": every, "out": out, "in": into}[run.parameters["direction"]]
    return counted(run, chosen, {}, Answer([]))


def reciprocity(run: Run) -> Answer:
    _, out, _, back = neighbours(run)
    shares = numpy.where(out > 0, back / numpy.maximum(out, 1), numpy.nan)
    pairs = int(out.sum())
    share = int(back.sum()) / pairs if pairs else None
    return Answer([scored(run, shares, {"reciprocity": share})], vectors={"score": shares})


def _h_index(block: Block, cores: Array) -> tuple[Array, ...]:
    """For each row, the greatest h for which h neighbours have at least h."""
    rows, values = block.row_of_each(), cores[block.others]
    order = numpy.lexsort((-values, rows))
    places = numpy.arange(len(rows)) - block.indptr[rows[order]] + 1
    return (sums(block, (values[order] >= places).astype(numpy.int64)),)


def kcore(run: Run) -> Answer:
    """Core numbers are the fixed point of h-indexes, from the degrees (Lu et al.: The H-index of a
    network node, Nature Communications 7, 2016)."""
    answer = Answer([])
    cores = neighbours(run)[0]
    changed = bool(len(cores))
    while changed:
        answer.iterations += 1
        run.progress.iteration(answer.iterations)
        found, = run.graph.blocks("merged").round(_h_index, cores)
        changed = not numpy.array_equal(found, cores)
        cores = found
    return counted(run, cores, {"degeneracy": int(cores.max(initial=0))}, answer)
