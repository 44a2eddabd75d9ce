"""Ranks by power iteration: pagerank, hits. Doubles; plain ranks start at 1/n."""
from __future__ import annotations

from typing import Optional

import numpy
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Array, Listing, Part, Run, scored
from sash_spark.kernels.paths import negative_edges
from sash_spark.ranking import greatest_first
from sash_spark.rows import Block, reduced, sums

_ROWS = {"out": "target", "in": "source", "both": "both"}


def _received(block: Block, values: Array) -> tuple[Array, ...]:
    found = values[block.others]
    return (sums(block, found if block.weights is None else found * block.weights),)


def _given(block: Block) -> tuple[Array, ...]:
    """For each row: its greatest weight, and the sum of all relative to it."""
    assert block.weights is not None
    weights = block.weights.astype(float)
    greatest = reduced(block, numpy.maximum, weights, 0.0)
    divisors = numpy.where(greatest > 0, greatest, 1.0)
    return greatest, sums(block, weights / numpy.repeat(divisors, block.lengths()))


def _with_shares(block: Block, greatest: Array) -> Block:
    """Weights relative to the greatest one of the vertex that gives: no sum is infinite."""
    assert block.weights is not None
    divisors = numpy.where(greatest > 0, greatest, 1.0)
    return block._replace(weights=block.weights / divisors[block.others])


def unusable_weights(run: Run, without: str) -> tuple[Optional[str], float]:
    """Why weights cannot rank, and the greatest weight. `without` completes the reason of
    infinite ones."""
    run.progress.step("looks at the weights")
    found = run.graph.edges.agg(
        F.count_if(F.col("weight") < 0).alias("negative"),
        F.count_if(F.col("weight").cast("double") == float("inf")).alias("infinite"),
        F.max(F.col("weight").cast("double")).alias("greatest")).first()
    if found["negative"]:
        return str(found["negative"]), found["greatest"] or 0.0
    if found["infinite"]:
        return overflowed_edges(found["infinite"], without), float("inf")
    return None, found["greatest"] or 0.0


def overflowed_edges(edges: int, consequence: str) -> str:
    weight = "edge has a weight" if edges == 1 else "edges have a weight"
    return (f"{edges} {weight} beyond the range of a double (1.8e308), as the sum of its copies; "
            f"{consequence}")


def pagerank(run: Run) -> Answer:
    """Rank that follows no edge goes to the sources, or evenly to all vertices."""
    graph, given = run.graph, run.parameters
    answer = Answer([Part({}, Listing(run.every_vertex[:0], {"score": ()}))], residual=0.0)
    begins = numpy.full(graph.vertices, 1.0 / max(graph.vertices, 1))
    if given["sources"]:
        sources = run.places(given["sources"])
        asked = len(set(given["sources"]))
        answer.parts[0].figures["absent_sources"] = asked - len(sources)
        if not len(sources):
            answer.error = ("the source is not in the window" if asked == 1 else
                            f"none of the {asked} sources is in the window")
            return answer
        begins = numpy.zeros(graph.vertices)
        begins[sources] = 1.0 / len(sources)
    if graph.vertices == 0:
        return answer
    rows = _ROWS[given["direction"]]
    if given["weighted"]:
        why, _ = unusable_weights(run, "nothing is ranked by weight")
        if why is not None:
            answer.error = (negative_edges(int(why), "ranks by weight need") if why.isdigit()
                            else why)
            return answer
        turned = {"target": "source", "source": "target", "both": "both"}[rows]
        greatest, divisor = graph.blocks(turned, True).round(_given, empty=(0.0, 0.0))
        blocks = graph.blocks(rows, True).replaced(_with_shares, greatest)
    else:
        divisor = graph.counts(graph.frame(rows), "other").astype(float)
        blocks = graph.blocks(rows)
    sinks = divisor == 0
    divisor[sinks] = 1.0
    rank = begins
    answer.converged = False
    while not answer.converged and answer.iterations < given["max_iterations"]:
        run.progress.iteration(answer.iterations + 1, answer.residual)
        received, = blocks.round(_received, rank / divisor, empty=(0.0,))
        restart = 1.0 - given["damping"] + given["damping"] * rank[sinks].sum()
        following = given["damping"] * received + restart * begins
        answer.residual = float(numpy.abs(following - rank).sum())
        rank = following
        answer.iterations += 1
        answer.converged = answer.residual <= given["tolerance"]
    answer.parts = [scored(run, rank, answer.parts[0].figures)]
    answer.vectors = {"score": rank}
    return answer


def hits(run: Run) -> Answer:
    """Authorities and hubs, each divided by their sum."""
    graph, given = run.graph, run.parameters
    by_hubs = given["rank_by"] == "hubs"
    names = ("score", "authority" if by_hubs else "hub")
    answer = Answer([Part({}, Listing(run.every_vertex[:0], dict.fromkeys(names, ())))],
                    residual=0.0)
    if graph.vertices == 0:
        return answer
    scale = 1.0
    if given["weighted"]:
        why, greatest = unusable_weights(run, "nothing is ranked by weight")
        if why is not None and why.isdigit():
            why = negative_edges(int(why), "hubs and authorities by weight need")
        elif why is None and greatest <= 0:
            why = "no edge has a weight above 0; hubs and authorities by weight need one"
        if why is not None:
            answer.error = why
            return answer
        scale = float(numpy.ldexp(1.0, min(-int(numpy.frexp(greatest)[1]) + 1, 1023)))
    into = graph.blocks("target", given["weighted"])
    out = graph.blocks("source", given["weighted"])
    authorities = hubs = numpy.full(graph.vertices, 1.0 / graph.vertices)
    answer.converged = False
    while not answer.converged and answer.iterations < given["max_iterations"]:
        run.progress.iteration(answer.iterations + 1, answer.residual)
        before = authorities, hubs
        authorities, = into.round(_received, hubs * scale, empty=(0.0,))
        authorities = authorities / authorities.sum()
        hubs, = out.round(_received, authorities * scale, empty=(0.0,))
        hubs = hubs / hubs.sum()
        answer.residual = float(numpy.abs(authorities - before[0]).sum()
                                + numpy.abs(hubs - before[1]).sum())
        answer.iterations += 1
        answer.converged = answer.residual <= given["tolerance"]
    score, other = (hubs, authorities) if by_hubs else (authorities, hubs)
    first = greatest_first(score, run.every_vertex, run.limit)
    answer.parts = [Part({}, Listing(first, dict(zip(names, (score, other)))))]
    answer.vectors = dict(zip(names, (score, other)))
    return answer
