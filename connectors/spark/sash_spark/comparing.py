"""Kernels that compare a window with that of the job's previous result: new_edges, vanished_edges,
cycles, and edge_features, which has a file of its own."""
from __future__ import annotations

import math
from typing import Any, Callable, Optional

import numpy
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Part, Run
from sash_spark.collected_pairs import by_id, check_pairs, search_of_pairs, since, total
from sash_spark.content import Content
from sash_spark.cycle_search import Cycle, CycleSearch, StepsUsedUp
from sash_spark.edge_features import edge_features
from sash_spark.timed_cycle_search import Pair, TimedCycleSearch


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
    """The search over the collected pairs. JobRefused: they are too many for the driver."""
    given = run.parameters
    least = given["min_weight"] or None
    if given["in_time_order"]:
        run.progress.step("collects pairs and their slices")
        since = min((each.number for each in now.window.slices
                     if before is None or each.end > before.window.end), default=math.inf)
        return TimedCycleSearch(_dated_pairs(run, now, least), since, given["max_length"],
                                given["max_steps"])
    return search_of_pairs(run, now, before, least)


def _dated_pairs(run: Run, now: Content, least: Optional[float]) -> dict[Pair, list[int]]:
    """The pairs by id, each with the numbers of the slices in which its edges came."""
    if not now.window.slices:
        return {}
    pairs = now.dated_pairs(least).persist()
    try:
        check_pairs(run, pairs.count())
        table = pairs.toArrow()
    finally:
        pairs.unpersist()
    ends = by_id(now.keys, table)
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


def comparing_kernel(kernel: str, now: Content,
                     before: Optional[Content]) -> Callable[[Run], Answer]:
    """The kernel, with the content of the window of the job's previous result."""
    if kernel == "cycles":
        return lambda run: _cycles(run, now, before)
    if kernel == "edge_features":
        return lambda run: edge_features(run, now, before)
    if kernel == "new_edges":
        return lambda run: _pairs_only_in(run, now, before, before)
    return lambda run: _pairs_only_in(run, before, now, before)
