"""Recomputes the baselines of results from results with `vertices: all` (configs/README.md)."""
import math
from typing import Any, Iterable

from . import times
from .weights import comparable

RELATIVE = 1e-9
COMPARED = ("baseline_score", "baseline_rank", "rank_change", "surprise")


def rounded(score: float) -> float:
    """A score as results compare it: to nine significant digits."""
    return float(f"{score:.8e}")


def without_comparison(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in COMPARED}


def close(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=1e-300)


def ranks(scores: dict[Any, float]) -> dict[Any, int]:
    """1 + the number of vertices with a greater score."""
    ordered = sorted((rounded(score) for score in scores.values()), reverse=True)
    first: dict[float, int] = {}
    for place, score in enumerate(ordered):
        first.setdefault(score, place + 1)
    return {vertex: first[rounded(score)] for vertex, score in scores.items()}


def scores_of(result: dict[str, Any]) -> dict[Any, float]:
    return {row["vertex"]: row["score"] for row in result["top"]}


class Baselines:
    """Checks results of one configuration. `results`: all of them, each with all its vertices."""

    def __init__(self, document: dict[str, Any], results: Iterable[dict[str, Any]]) -> None:
        self._jobs = {job["name"]: job for job in document["jobs"]}
        self._slides = {window["name"]: window["slide"] for window in document["windows"]}
        self._results: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in self._jobs}
        for result in results:
            self._results[result["job"]][self._end(result)] = result
        self.compared = 0
        self.without = 0

    def _end(self, result: dict[str, Any]) -> int:
        """The end on the axis of the window. It is rounded up to a whole slide by events, because
        the last window may hold fewer."""
        if "accepted" not in result:
            return times.from_result(result["window_end"])
        slide = self._slides[result["window"]]
        return -(-result["accepted"] // slide) * slide

    def expected(self, result: dict[str, Any]) -> list[dict[str, Any]]:
        """The results that it is compared with, oldest first."""
        job = self._jobs[result["job"]]
        end = self._end(result)
        if "results" in job["baseline"]:
            before = [each for at, each in sorted(self._results[job["name"]].items()) if at < end]
            before = before[-job["baseline"]["results"]:]
        else:
            before = []
            for other in self._jobs.values():
                if other["window"] != job["baseline"]["window"] or other is job:
                    continue
                if (other["kernel"], other.get("parameters")) != (
                        job["kernel"], job.get("parameters")):
                    continue
                found = self._results[other["name"]].items()
                before += [(at, each) for at, each in found if at <= end]
            before = [max(before, key=lambda pair: pair[0])[1]] if before else []
        return [each for each in before if "error" not in each or each["top"]]

    def check(self, result: dict[str, Any]) -> list[str]:
        """What is wrong with a result that lists all its vertices."""
        expected = self.expected(result)
        about = result["baseline"]
        if not expected:
            self.without += 1
            wrong = [] if about is None and result["baseline_missing"] else ["baseline is not null"]
            return wrong + [f"{name} is not null" for row in result["top"] for name in COMPARED
                            if row[name] is not None]
        self.compared += 1
        if about is None:
            return [f"baseline is null: {result['baseline_missing']}"]
        newest = expected[-1]
        vertices = sum(each["vertices"] for each in expected) / len(expected)
        wrong = [f"baseline.{name} is {about[name]}, not {value}" for name, value in (
            ("job", newest["job"]), ("window", newest["window"]),
            ("window_end", newest["window_end"]), ("results", len(expected)))
            if about[name] != value]
        if not close(about["vertices"], vertices):
            wrong.append(f"baseline.vertices is {about['vertices']}, not {vertices}")
        return wrong + self._check_rows(result, expected, vertices) + self._check_order(result)

    def _check_rows(self, result: dict[str, Any], expected: list[dict[str, Any]],
                    vertices: float) -> list[str]:
        lists = [scores_of(each) for each in expected]
        there = ranks(lists[-1])
        here = ranks(scores_of(result))
        wrong = []
        for row in result["top"]:
            vertex, score = row["vertex"], row["score"]
            known = [each[vertex] for each in lists if vertex in each]
            mean = sum(known) / len(lists) if known else None
            divisor = (mean or 0) * vertices + 1
            surprise = (score * result["vertices"] + 1) / divisor if divisor > 0 else None
            if surprise is not None and not math.isfinite(surprise):
                surprise = None
            change = there[vertex] - here[vertex] if vertex in there else None
            for name, value in zip(COMPARED, (mean, there.get(vertex), change, surprise)):
                if not close(row[name], value):
                    wrong.append(f"{vertex!r}: {name} is {row[name]}, not {value}")
        return wrong

    def _check_order(self, result: dict[str, Any]) -> list[str]:
        by = "surprise" if self._jobs[result["job"]].get("order") == "surprise" else "score"
        last = -math.inf

        def place(row: dict[str, Any]) -> tuple[float, Any]:
            value = row[by]
            key = row["vertex"]
            return (-last if value is None else -comparable(value),  # integers exactly
                    key.encode() if isinstance(key, str) else key)
        found = [row["vertex"] for row in result["top"]]
        ordered = [row["vertex"] for row in sorted(result["top"], key=place)]
        return [] if found == ordered else [f"not in the order of {by}"]
