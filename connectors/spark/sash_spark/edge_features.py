"""The kernel edge_features: a row of figures for each pair that entered, of both its ends, of the
cycles that pass it, and of its scatter-gather patterns (configs/README.md#features-of-edges).

The pairs of the window are collected on the driver, as for cycles, and the edges of the ends of
those that are listed.
"""
from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any, Optional

import numpy
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Part, Run
from sash_spark.collected_pairs import search_of_pairs, since, total
from sash_spark.content import Content
from sash_spark.cycle_search import CycleSearch, StepsUsedUp
from sash_spark.errors import JobRefused
from sash_spark.scatter_gather import Pair, ScatterGathers

_BYTES_OF_AN_EDGE = 200  # a key and a weight as Python has them
_DIRECTIONS = {"out": ("source", "target"), "in": ("target", "source")}

# By direction and vertex: the other end and the weight of each edge.
Ends = dict[str, dict[Any, list[tuple[Any, Any]]]]


def edge_features(run: Run, now: Content, before: Optional[Content]) -> Answer:
    given = run.parameters
    search = search_of_pairs(run, now, before, None)
    pairs = search.first_entered(run.job.top)
    cycles = _cycles(run, search, pairs)
    run.progress.step("looks for scatter-gather patterns")
    gathers = ScatterGathers(search.out, search.into, given["min_intermediates"],
                             given["max_steps"])
    patterns = gathers.of(pairs)
    key_of = _keys_of(now, pairs)
    ends = _edges_of(run, now, sorted(key_of.values()))
    answer = Answer([Part({"since": since(before), "entered": search.entered,
                           "steps": min(search.steps, given["max_steps"]) + gathers.steps})])
    rows: list[dict[str, Any]] = []
    beyond = 0
    for pair, lengths, pattern in zip(pairs, cycles, patterns):
        row, is_finite = _of_ends(key_of[pair[0]], key_of[pair[1]], ends)
        beyond += not is_finite
        row |= {f"cycles_{length}": None if lengths is None else lengths[length]
                for length in range(2, given["max_length"] + 1)}
        row["scatter_gathers"], row["intermediates"] = pattern or (None, None)
        rows.append(row)
    answer.further["top_features"] = rows
    answer.error = _missing(cycles.count(None), patterns.count(None), beyond, given["max_steps"])
    return answer


def _cycles(run: Run, search: CycleSearch, pairs: list[Pair]) -> list[Optional[Counter[int]]]:
    """For each pair, the cycles that pass it, counted by their number of edges. None: the steps
    were used up before."""
    run.progress.step("looks for cycles")
    found: list[Optional[Counter[int]]] = []
    try:
        for pair in pairs:
            found.append(Counter(len(cycle) for cycle in search.through(*pair)))
    except StepsUsedUp:
        pass
    return [*found, *[None] * (len(pairs) - len(found))]


def _keys_of(now: Content, pairs: list[Pair]) -> dict[int, Any]:
    ids = sorted({end for pair in pairs for end in pair})
    return dict(zip(ids, now.keys.of(numpy.array(ids, dtype=numpy.int64)).to_pylist()))


def _edges_of(run: Run, now: Content, keys: list[Any]) -> Ends:
    """The edges of the vertices with these keys. JobRefused: they are too many for the driver."""
    ends: Ends = {direction: defaultdict(list) for direction in _DIRECTIONS}
    if not keys:
        return ends
    run.progress.step("collects the edges of listed pairs")
    kind = now.edges.schema["source"].dataType.simpleString()
    wanted = run.graph.session.createDataFrame([(key,) for key in keys], f"end {kind}")
    for direction, (end, other) in _DIRECTIONS.items():
        edges = now.edges.withColumnRenamed(end, "end").withColumnRenamed(other, "other").join(
            F.broadcast(wanted), "end").select("end", "other", "exact", "weight").persist()
        try:
            count = edges.count()
            if count * _BYTES_OF_AN_EDGE > run.driver_limit:
                raise JobRefused(
                    f"edge_features collects the edges of the listed pairs' ends, about "
                    f"{_BYTES_OF_AN_EDGE} bytes each; there are {count:,}, and --driver-limit is "
                    f"{run.driver_limit / 1e9:.1f} GB; a smaller `top` lists fewer")
            for row in edges.toArrow().to_pylist():
                weight = row["weight"] if row["exact"] is None else row["exact"]
                ends[direction][row["end"]].append((row["other"], weight))
        finally:
            edges.unpersist()
    return ends


def _of_ends(source: Any, target: Any, ends: Ends) -> tuple[dict[str, Any], bool]:
    """The row without its cycles and patterns, and whether a double holds all of its numbers."""
    parallel = [weight for other, weight in ends["out"][source] if other == target]
    row = {"source": source, "target": target, "edges": len(parallel), "weight": total(parallel)}
    for name, vertex in (("source", source), ("target", target)):
        for direction in _DIRECTIONS:
            edges = ends[direction][vertex]
            figures = {"fan": len({other for other, _ in edges} - {vertex}), "degree": len(edges),
                       **statistics([weight for _, weight in edges])}
            row |= {f"{name}_{direction}_{figure}": value for figure, value in figures.items()}
    infinite = [name for name, value in row.items()
                if isinstance(value, float) and not math.isfinite(value)]
    return {**row, **dict.fromkeys(infinite)}, not infinite


def statistics(weights: list[Any]) -> dict[str, Any]:
    """Sum, mean, least, greatest and variance of weights; all are 0 if there are none. A figure
    beyond the range of a double is infinite or not a number."""
    if not weights:
        return {"sum": 0, "mean": 0.0, "min": 0, "max": 0, "variance": 0.0}
    least, greatest = min(weights), max(weights)
    found = {"sum": total(weights), "mean": math.nan, "min": least, "max": greatest,
             "variance": 0.0 if least == greatest else math.nan}
    try:
        exact = [Fraction(weight) for weight in weights]
        mean = sum(exact) / len(exact)
        found["mean"] = float(mean)
        found["variance"] = float(sum((weight - mean) ** 2 for weight in exact) / len(exact))
    except OverflowError:  # a weight, or what is made of all, is beyond a double
        pass
    return found


def _missing(cycles: int, patterns: int, beyond: int, most_steps: int) -> Optional[str]:
    """Why numbers of the rows read null. None: none does."""
    parts = []
    if cycles or patterns:
        parts.append(f"the {most_steps} steps (`max_steps`) were used up: the cycles of {cycles} "
                     f"listed edges and the scatter-gather patterns of {patterns} read null")
    if beyond:
        what, read = (("edge has a number", "reads") if beyond == 1 else
                      ("edges have numbers", "read"))
        parts.append(f"{beyond} {what} beyond the range of a double (1.8e308), which {read} null")
    return "; ".join(parts) or None
