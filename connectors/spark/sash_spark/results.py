"""Results: one JSON object for each, as sashd writes them (connectors/sinks/results.md)."""
from __future__ import annotations

import json
import math
from typing import Any

import numpy

from sash_spark.answer import Answer, Listing, Part, Run
from sash_spark.parameters import written

PROVENANCE = ("window", "snapshot", "window_start", "window_end", "watermark", "empty", "final",
              "gap", "accepted", "edges", "vertices", "late", "refused", "offsets")


def result_of(run: Run, answer: Answer, about: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The result of a run; `about` has where it comes from, such as the manifest of a snapshot."""
    result: dict[str, Any] = {"schema": 1, "job": run.job.name, "kernel": run.job.kernel}
    result |= {name: about[name] for name in PROVENANCE if name in about}
    result |= {"parameters": written(run.job.kernel, run.parameters), "mode": "full",
               "iterations": answer.iterations}
    if answer.residual is not None:
        result["residual"] = answer.residual
    result |= {"converged": answer.converged, "seconds": seconds}
    if answer.error is not None:
        result["error"] = answer.error
    parts = [_part(run, part) for part in answer.parts]
    if answer.is_separate:
        result["traversals"] = parts
    else:
        result |= parts[0]
    if run.limit is None and answer.groups is not None:
        result["members"] = _members(run, answer)
    result |= answer.further
    lost = _without_infinities(result)
    if lost and "error" not in result:
        result["error"] = (f"{lost} number is beyond the range of a double (1.8e308) and reads null"
                           if lost == 1 else
                           f"{lost} numbers are beyond the range of a double (1.8e308) and read "
                           "null")
    return result


def line_of(result: dict[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _part(run: Run, part: Part) -> dict[str, Any]:
    named = {} if part.root is None else {"root": part.root}
    rows = {} if part.top is None else {"top": _rows(run, part.top)}
    return {**named, **part.figures, **rows}


def _rows(run: Run, listing: Listing) -> list[dict[str, Any]]:
    columns = {listing.name: run.graph.keys.of(listing.ids).to_pylist(),
               "rank": list(range(1, len(listing.ids) + 1))}
    for name, values in listing.values.items():
        columns[name] = _chosen(run, values, listing.ids, name in listing.names_vertex)
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _chosen(run: Run, values: Any, ids: Any, are_vertices: bool) -> list[Any]:
    if isinstance(values, dict):
        return [values[vertex] for vertex in ids.tolist()]
    chosen = numpy.asarray(values)[ids] if len(ids) else numpy.zeros(0)
    if not are_vertices:
        return list(chosen.tolist())
    named = chosen >= 0
    keys = iter(run.graph.keys.of(chosen[named].astype(numpy.int64)).to_pylist())
    return [next(keys) if is_named else None for is_named in named.tolist()]


def _members(run: Run, answer: Answer) -> list[dict[str, Any]]:
    assert answer.groups is not None
    keys = run.graph.keys.of(run.every_vertex).to_pylist()
    return [{"vertex": keys[vertex], answer.group_name: keys[group]}
            for vertex, group in enumerate(answer.groups.tolist())]


def _without_infinities(value: Any) -> int:
    """Replaces numbers that JSON does not have by null; returns how many."""
    places = value.items() if isinstance(value, dict) else enumerate(value)
    lost = 0
    for at, each in list(places):
        if isinstance(each, float) and not math.isfinite(each):
            value[at] = None
            lost += 1
        elif isinstance(each, (dict, list)):
            lost += _without_infinities(each)
    return lost
