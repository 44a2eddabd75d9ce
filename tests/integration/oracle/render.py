"""The expected line of a result, as JSON: to test the comparison, and for people."""
import json
from collections import Counter
from typing import Any

from .expectations import Content, Expectation
from .times import to_text
from .weights import comparable, negative_edges, total

# The names for sets of vertices of a kernel: one, and several.
GROUPS = {"wcc": ("component", "components"), "scc": ("component", "components"),
          "cdlp": ("community", "communities")}


def render(expected: Expectation, all_vertices: bool) -> str:
    window = expected.window
    result: dict[str, Any] = {
        "schema": 1, "job": expected.job.name, "kernel": expected.job.kernel,
        "window": expected.spec.name, "snapshot": 1,
        "window_start": to_text(window.start), "window_end": to_text(window.end),
        "watermark": to_text(window.end), "empty": window.empty, "final": True, "gap": False,
        "edges": len(window.edges), "vertices": len(expected.content.graph.keys),
        "late": window.late, "refused": window.refused, "offsets": window.offsets,
        "parameters": expected.job.written_parameters, "mode": "full", "seconds": 0.0}
    if window.accepted is not None:
        result["accepted"] = window.accepted
    limit = None if all_vertices else expected.job.top
    result |= {
        "pagerank": _pagerank, "bfs": _bfs, "window": _shape, "wcc": _groups, "scc": _groups,
        "cdlp": _groups, "sssp": _sssp, "strength": _sums, "hits": _hits, "new_edges": _changes,
        "vanished_edges": _changes, "cycles": _cycles, "paths": _paths,
        "edge_features": _features}.get(
            expected.job.kernel, _counts)(expected, limit)
    return json.dumps(result, ensure_ascii=False)


def _pagerank(expected: Expectation, limit: int | None) -> dict[str, Any]:
    order = sorted(expected.scores.items(), key=lambda pair: (-float(f"{pair[1]:.8e}"), pair[0]))
    return {"iterations": 1 if order else 0, "residual": 0.0, "converged": True,
            **expected.ranking, "top": _top(order[:limit], "score")}


def _hits(expected: Expectation, limit: int | None) -> dict[str, Any]:
    order = sorted(expected.answer.items(),
                   key=lambda pair: (-float(f"{pair[1][0]:.8e}"), pair[0]))
    error = {"error": expected.hits_error} if expected.hits_error else {}
    return {**error, "iterations": 1, "residual": 0.0, "converged": True,
            "top": [{"vertex": key, "rank": rank, "score": score, expected.other_score: other}
                    for rank, (key, (score, other)) in enumerate(order[:limit], 1)]}


def _bfs(expected: Expectation, limit: int | None) -> dict[str, Any]:
    found = []
    for depths in expected.traversals:
        levels = list(depths.values())
        order = sorted(depths.items(), key=lambda pair: (pair[1], pair[0]))
        found.append({"reached": len(depths),
                      "levels": [levels.count(level) for level in sorted(set(levels))],
                      "top": _with_parents(_top(order[:limit], "depth"),
                                           expected.parents(depths))})
    if not expected.job.parameters["separate"]:
        return found[0]
    roots = expected.job.parameters["roots"]
    return {"traversals": [{"root": root, **each} for root, each in zip(roots, found)]}


def _shape(expected: Expectation, limit: int | None) -> dict[str, Any]:
    content = expected.content
    result = {"pairs": content.window.pairs, "weight": content.weight}
    return result if limit is not None else {**result, "top_edges": content.listing}


def _counts(expected: Expectation, limit: int | None) -> dict[str, Any]:
    answer = expected.answer
    order = sorted(answer.items(), key=lambda pair: (-float(f"{pair[1]:.8e}"), pair[0]))
    figures = {"triangles": {"triangles": sum(answer.values()) // 3},
               "kcore": {"degeneracy": max(answer.values(), default=0)},
               "reciprocity": {"reciprocity": expected.content.network.overall_reciprocity}}
    return {**figures.get(expected.job.kernel, {}), "top": _top(order[:limit], "score")}


def _sums(expected: Expectation, limit: int | None) -> dict[str, Any]:
    order = sorted(expected.answer.items(), key=lambda pair: (-comparable(pair[1]), pair[0]))
    return {"top": _top(order[:limit], "score")}


def _groups(expected: Expectation, limit: int | None) -> dict[str, Any]:
    one, many = GROUPS[expected.job.kernel]
    order = sorted(Counter(expected.answer.values()).items(), key=lambda pair: (-pair[1], pair[0]))
    result = {many: len(order), "top": [{one: key, "rank": rank, "size": size}
                                        for rank, (key, size) in enumerate(order[:limit], 1)]}
    if limit is None:
        result["members"] = [{"vertex": key, one: group}
                             for key, group in sorted(expected.answer.items())]
    return result


def _sssp(expected: Expectation, limit: int | None) -> dict[str, Any]:
    order = sorted(expected.answer.items(), key=lambda pair: (float(f"{pair[1]:.8e}"), pair[0]))
    negative = expected.content.network.negative_edges
    error = {"error": negative_edges(negative, "distances need")} if negative else {}
    return {**error, "reached": len(order), "top": _top(order[:limit], "distance")}


def _changes(expected: Expectation, _: int | None) -> dict[str, Any]:
    since = expected.previous and to_text(expected.previous.window.end)
    content = expected.content if expected.job.kernel == "new_edges" else expected.previous
    listed = [(pair, content.edges_of(pair)) for pair in expected.changes[:expected.job.top]]
    has_types = any(kind for _, edges in listed for *_, kind in edges)
    return {"since": since, "pairs": len(expected.changes),
            "top_edges": [{"source": source, "target": target, "edges": len(edges),
                           "weight": total([edge[2] for edge in edges]),
                           **({"types": sorted({edge[3] for edge in edges} - {""})}
                              if has_types else {})}
                          for (source, target), edges in listed]}


def _cycles(expected: Expectation, _: int | None) -> dict[str, Any]:
    since = expected.previous and to_text(expected.previous.window.end)
    entered, cycles = expected.cycles
    return {"since": since, "entered": entered, "cycles": len(cycles), "steps": 0,
            "top_cycles": [{"vertices": list(cycle), "weight": _least(expected.content, cycle)}
                           for cycle in cycles[:expected.job.top]]}


def _paths(expected: Expectation, _: int | None) -> dict[str, Any]:
    negative, by = expected.content.network.negative_edges, expected.job.parameters["by"]
    error = ({"error": negative_edges(negative, "paths by weight need")}
             if negative and by == "weight" else {})
    return {**error, "iterations": 0, "reached": len(expected.paths),
            "top_paths": [{"from": path[0][0], "to": path[-1][0], "hops": len(path) - 1,
                           "weight": total([0, *(weight for _, weight in path[1:])]),
                           "vertices": [key for key, _ in path]}
                          for path in expected.paths[:expected.job.top]]}


def _features(expected: Expectation, _: int | None) -> dict[str, Any]:
    since = expected.previous and to_text(expected.previous.window.end)
    entered, rows = expected.features
    beyond = sum(None in row.values() for row in rows)
    error = {"error": "1 edge has a number beyond the range of a double (1.8e308), which reads null"
             if beyond == 1 else f"{beyond} edges have numbers beyond the range of a double "
             "(1.8e308), which read null"} if beyond else {}
    return {**error, "since": since, "entered": entered, "steps": 0, "top_features": rows}


def _least(content: Content, cycle: tuple[Any, ...]) -> int | float:
    """The least weight of the edges of a cycle; of parallel edges the heaviest counts."""
    return min(max(edge[2] for edge in content.edges_of(pair))
               for pair in zip(cycle, cycle[1:] + cycle[:1]))


def _with_parents(top: list[dict[str, Any]], parents: dict[Any, Any] | None,
                  ) -> list[dict[str, Any]]:
    return top if parents is None else [{**entry, "parent": parents[entry["vertex"]]}
                                        for entry in top]


def _top(order: list[tuple[Any, Any]], value: str) -> list[dict[str, Any]]:
    return [{"vertex": key, "rank": rank, value: known}
            for rank, (key, known) in enumerate(order, 1)]
