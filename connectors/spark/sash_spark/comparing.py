"""Kernels that compare a window with that of the job's previous result: new_edges, vanished_edges,
cycles."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Optional

import numpy
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Part, Run
from sash_spark.content import Content
from sash_spark.cycle_search import Cycle, CycleSearch, StepsUsedUp
from sash_spark.errors import JobRefused
from sash_spark.keys import ArrayKeys
from sash_spark.timed_cycle_search import Pair, TimedCycleSearch
from sash_spark.times import time_text

_BYTES_OF_A_PAIR = 128  # with both directions, and places of those that entered


def since(before: Optional[Content]) -> Optional[str]:
    return None if before is None else time_text(before.window.end)


def _pairs_only_in(run: Run, content: Optional[Content], other: Optional[Content],
                   before: Optional[Content]) -> Answer:
    """The pairs of a window that the other one does not have, and the first of them."""
    answer = Answer([Part({"since": since(before), "pairs": 0})], further={"top_edges": []})
    if content is None:
        return answer
    run.progress.step("compares pairs")
    edges = content.edges
    if other is not None:
        edges = edges.join(other.pairs(), ["source", "target"], "left_anti")
    grouped = edges.groupBy("source", "target").agg(
        F.count("*").alias("edges"), F.collect_list(F.struct("exact", "weight")).alias("weights"),
        F.array_sort(F.collect_set("type")).alias("types")).persist()
    answer.parts[0].figures["pairs"] = grouped.count()
    first = grouped.orderBy("source", "target").limit(run.job.top).collect()
    grouped.unpersist()
    has_types = any(row["types"] for row in first)
    answer.further["top_edges"] = [
        {"source": row["source"], "target": row["target"], "edges": row["edges"],
         "weight": total([each["weight"] if each["exact"] is None else each["exact"]
                          for each in row["weights"]]),
         **({"types": row["types"]} if has_types else {})} for row in first]
    return answer


def _search(run: Run, now: Content, before: Optional[Content]) -> CycleSearch | TimedCycleSearch:
    """Collects the pairs. JobRefused: they are too many for the driver."""
    given, keys = run.parameters, now.keys
    least = given["min_weight"] or None
    if given["in_time_order"]:
        run.progress.step("collects pairs and their slices")
        since = min((each.number for each in now.window.slices
                     if before is None or each.end > before.window.end), default=math.inf)
        return TimedCycleSearch(_dated_pairs(run, now, least), since, given["max_length"],
                                given["max_steps"])
    pairs = now.heavy_pairs(least).persist()
    try:
        run.progress.step("collects pairs")
        check_pairs(run, pairs.count())
        entered = pairs if before is None else pairs.join(
            before.heavy_pairs(least), ["source", "target"], "left_anti")
        return CycleSearch(run.graph.vertices, _by_id(keys, pairs.toArrow()),
                           _by_id(keys, entered.toArrow()),
                           given["max_length"], given["max_steps"])
    finally:
        pairs.unpersist()


def _dated_pairs(run: Run, now: Content, least: Optional[float]) -> dict[Pair, list[int]]:
    """By id, with the numbers of the slices in which their edges came."""
    if not now.window.slices:
        return {}
    pairs = now.dated_pairs(least).persist()
    try:
        check_pairs(run, pairs.count())
        table = pairs.toArrow()
    finally:
        pairs.unpersist()
    ends = _by_id(now.keys, table)
    return dict(zip(map(tuple, ends.tolist()), table["slices"].to_pylist()))


def _cycles(run: Run, now: Content, before: Optional[Content]) -> Answer:
    given, keys = run.parameters, now.keys
    search = _search(run, now, before)
    answer = Answer([])
    through = given["through"] or ()
    passed = keys.places(through) if through and run.graph.vertices else {}
    count = 0
    first: list[Cycle] = []
    try:
        for cycle in search.cycles():
            if len(passed) == len(set(through)) and set(passed.values()) <= set(cycle):
                count += 1
                if len(first) < run.job.top:
                    first.append(cycle)
    except StepsUsedUp:
        answer.error = (f"the search used its {given['max_steps']} steps (`max_steps`); there may "
                        "be more cycles")
    answer.parts = [Part({"since": since(before), "entered": search.entered, "cycles": count,
                          "steps": search.steps})]
    named = [keys.of(numpy.array(cycle)).to_pylist() for cycle in first]
    heaviest = _heaviest(run, now, {pair for cycle in named for pair in edges_of(cycle)})
    answer.further["top_cycles"] = [
        {"vertices": cycle, "weight": min(heaviest[pair] for pair in edges_of(cycle))}
        for cycle in named]
    return answer


def edges_of(cycle: list[Any]) -> list[tuple[Any, Any]]:
    return list(zip(cycle, cycle[1:] + cycle[:1]))


def check_pairs(run: Run, pairs: int) -> None:
    """JobRefused: the driver cannot hold the pairs."""
    if pairs * _BYTES_OF_A_PAIR > run.driver_limit:
        raise JobRefused(f"cycles collects the pairs of the window, {_BYTES_OF_A_PAIR} bytes each; "
                         f"it has {pairs:,}, and --driver-limit is {run.driver_limit / 1e9:.1f} GB")


def _by_id(keys: ArrayKeys, table: Any) -> Any:
    """As an array of (source, target)."""
    return numpy.stack([keys.ids(table[end]) for end in ("source", "target")], axis=1)


def _heaviest(run: Run, content: Content, pairs: set[tuple[Any, Any]]) -> dict[Any, Any]:
    """The greatest weight of the edges of each pair; of an integer and an equal double the
    integer."""
    if not pairs:
        return {}
    run.progress.step("looks at the weights of cycles")
    wanted = run.graph.session.createDataFrame(sorted(pairs), content.pairs().schema)
    found = content.edges.join(F.broadcast(wanted), ["source", "target"]).groupBy(
        "source", "target").agg(F.max(F.struct("weight", "exact")).alias("most")).collect()
    return {(row["source"], row["target"]): row["most"]["weight"] if row["most"]["exact"] is None
            else row["most"]["exact"] for row in found}


def total(weights: list[Any]) -> Any:
    """Exact; an integer if all are integers and the sum fits into 64 bits."""
    if all(isinstance(weight, int) for weight in weights):
        whole = sum(weights)
        if -2**63 <= whole < 2**63:
            return whole
    try:
        return float(sum(Fraction(weight) for weight in weights))
    except OverflowError:  # a weight, or the sum, is beyond the range of a double
        return sum(float(weight) for weight in weights)


def comparing_kernel(kernel: str, now: Content,
                     before: Optional[Content]) -> Callable[[Run], Answer]:
    """The kernel, with the content of the window of the job's previous result."""
    if kernel == "cycles":
        return lambda run: _cycles(run, now, before)
    if kernel == "new_edges":
        return lambda run: _pairs_only_in(run, now, before, before)
    return lambda run: _pairs_only_in(run, before, now, before)
