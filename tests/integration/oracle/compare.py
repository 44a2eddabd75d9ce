"""Compares a results file with the expectations: exactly, except for scores (relative 1e-6).

Every expected window must have exactly one result per job, in order, and there may be no others.
"""
import json
from typing import Any, Callable, Iterable

from . import times
from .baselines import without_comparison
from .configuration import Configuration, FileSink
from .expectations import Expectation, expectations
from .live_edges import Key
from .records import Event, Refused
from .render import render
from .slices import Slices, cut
from .weights import Sum, comparable, same

RELATIVE = 1e-6
MAX_SHOWN = 400


class Differences:
    """Collects differences; only the first ones are kept, all are counted."""

    def __init__(self, kept: int = 12) -> None:
        self.count = 0
        self._kept = kept
        self._lines: list[str] = []

    def add(self, where: str, what: str) -> None:
        self.count += 1
        if len(self._lines) < self._kept:
            self._lines.append(f"{where}: {what}")

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        more = self.count - len(self._lines)
        return "\n".join(self._lines + ([f"... and {more} more differences"] if more else []))


class ResultsFile:
    """The lines of one file sink, by job and identity."""

    def __init__(self, sink: FileSink, configuration: Configuration, lines: Iterable[str],
                 differences: Differences) -> None:
        self.sink = sink
        self._by_events = {window.name: window.by == "events" for window in configuration.windows}
        self._results: dict[tuple[str, int], dict[str, Any]] = {}
        newest: dict[str, int] = {}
        for number, line in enumerate(lines, 1):
            where = f"{sink.path}:{number}"
            try:
                result = json.loads(line)
                identity = (result["job"], self._place(result))
            except (KeyError, TypeError, ValueError) as error:
                differences.add(where, f"not a result: {error!r}: {line[:MAX_SHOWN]!r}")
                continue
            if identity in self._results:
                differences.add(where, f"a second result for {self._name(identity)}")
            elif identity[1] <= newest.get(identity[0], identity[1] - 1):
                differences.add(where, f"{self._name(identity)} comes after a newer one")
            newest[identity[0]] = identity[1]
            self._results[identity] = result

    def _place(self, result: dict[str, Any]) -> int:
        if self._by_events[result["window"]]:
            return result["accepted"]
        return times.from_result(result["window_end"])

    def take(self, identity: tuple[str, int]) -> dict[str, Any] | None:
        return self._results.pop(identity, None)

    def report_surplus(self, differences: Differences) -> None:
        for identity, result in self._results.items():
            differences.add(self.sink.path, f"surplus result for {self._name(identity)}: "
                            f"{json.dumps(result)[:MAX_SHOWN]}")

    @staticmethod
    def _name(identity: tuple[str, int]) -> str:
        job, place = identity
        return f"job {job}, window end {times.to_text(place) if abs(place) > 10**12 else place}"


def read_lines(path: str) -> list[str]:
    """The lines of a results file; a torn last line is included, and is not a result."""
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def compare(configuration: Configuration, records: Iterable[Event | Refused],
            read_lines: Callable[[str], Iterable[str]],
            is_due: Callable[[Expectation, Slices], bool] = lambda *_: True
            ) -> tuple[Differences, int]:
    """Returns the differences, and how many results were compared.

    `is_due` says whether a result must exist already: a live source never ends, so its newest
    windows are still open. A result that exists early is compared all the same.
    """
    differences = Differences()
    files = [ResultsFile(sink, configuration, read_lines(sink.path), differences)
             for sink in configuration.sinks]
    compared = 0
    slices = cut(records, configuration)
    for expected in expectations(configuration, slices):
        for file in files:
            if expected.job.name not in file.sink.jobs:
                continue
            found = file.take(expected.identity)
            if found is not None:
                compared += 1
                _Comparison(expected, found, file.sink, differences).run()
            elif is_due(expected, slices):
                differences.add(_where(expected, file.sink),
                                f"no such result, of {len(expected.window.edges)} edges")
    for file in files:
        file.report_surplus(differences)
    return differences, compared


def _where(expected: Expectation, sink: FileSink) -> str:
    window = expected.window
    bounds = f"{times.to_text(window.start)} to {times.to_text(window.end)}"
    accepted = "" if window.accepted is None else f", event {window.accepted}"
    return f"{sink.path}: {expected.job.name} over {expected.spec.name} {bounds}{accepted}"


class _Comparison:
    """Compares one result with its expectation."""

    def __init__(self, expected: Expectation, found: dict[str, Any], sink: FileSink,
                 differences: Differences) -> None:
        self._expected = expected
        self._found = found
        self._limit = None if sink.all_vertices else expected.job.top
        self._sink = sink
        self._differences = differences

    def run(self) -> None:
        self._provenance()
        {"pagerank": self._pagerank, "bfs": self._bfs, "window": self._shape, "sssp": self._sssp,
         "lcc": self._lcc, "reciprocity": self._reciprocity, "strength": self._strength,
         "hits": self._hits, "paths": self._paths, "edge_features": self._features}.get(
             self._expected.job.kernel, self._rendered)()

    def _differ(self, field: str, expected: object, found: object) -> None:
        self._differences.add(
            _where(self._expected, self._sink),
            f"{field}: expected {_short(expected)}, found {_short(found)}")

    def _equal(self, field: str, expected: object) -> None:
        found = self._found.get(field, "nothing")
        if found != expected or isinstance(found, bool) != isinstance(expected, bool):
            self._differ(field, expected, found)

    def _provenance(self) -> None:
        expected, window = self._expected, self._expected.window
        self._equal("schema", 1)
        self._equal("kernel", expected.job.kernel)
        self._equal("window", expected.spec.name)
        self._equal("empty", window.empty)
        self._equal("final", True)
        self._equal("gap", False)
        self._equal("edges", len(window.edges))
        self._equal("vertices", len(expected.content.graph.keys))
        self._equal("late", window.late)
        self._equal("refused", window.refused)
        self._equal("offsets", window.offsets)
        if window.accepted is not None:
            self._equal("accepted", window.accepted)
        for field, time in (("window_start", window.start), ("window_end", window.end)):
            try:
                found = times.from_result(self._found.get(field, ""))
            except ValueError as error:
                self._differ(field, times.to_text(time), str(error))
                continue
            if found != time:
                self._differ(field, times.to_text(time), self._found[field])
        found_parameters = self._found.get("parameters", {})
        written = expected.job.written_parameters
        for name in expected.job.parameters:
            value = written.get(name)
            if found_parameters.get(name) != value:
                self._differ(f"parameters.{name}", value, found_parameters.get(name))
        for field in ("snapshot", "watermark", "seconds"):
            if field not in self._found:
                self._differ(field, "any value", "nothing")

    def _pagerank(self) -> None:
        scores = self._expected.scores
        for field in ("iterations", "residual", "converged"):
            if field not in self._found:
                self._differ(field, "any value", "nothing")
        if not scores:
            self._equal("iterations", 0)
            self._equal("converged", True)
        ranking = self._expected.ranking
        for field in ("error", "absent_sources"):
            if self._found.get(field) != ranking.get(field):
                self._differ(field, ranking.get(field), self._found.get(field))
        self._values(scores, "score", -1)

    def _lcc(self) -> None:
        self._values(self._expected.answer, "score", -1)

    def _reciprocity(self) -> None:
        share = self._expected.content.network.overall_reciprocity
        found = self._found.get("reciprocity", "nothing")
        if found is not share and (share is None or not _close(share, found)):
            self._differ("reciprocity", share, found)
        self._values(self._expected.answer, "score", -1)

    def _hits(self) -> None:
        for field in ("iterations", "residual", "converged"):
            if field not in self._found:
                self._differ(field, "any value", "nothing")
        if self._found.get("error") != self._expected.hits_error:
            self._differ("error", self._expected.hits_error, self._found.get("error"))
        known, other = self._expected.answer, self._expected.other_score
        listed = self._ranked(self._found.get("top"), "top", known, "score", {other})
        if listed is None:
            return
        for entry in self._found["top"]:
            expected, found = known[entry["vertex"]], (entry["score"], entry[other])
            if not all(_is_near(a, b) for a, b in zip(expected, found)):
                self._differ(f"values of {entry['vertex']!r}", expected, found)
                return
        order = [(-float(f"{found:.8e}"), key) for key, found in listed]
        if order != sorted(order):
            self._differ("top", "order by score rounded to 9 digits, then key", listed)
        shown = {key for key, _ in listed}
        missing = [key for key, (held, _) in known.items() if key not in shown
                   and held > listed[-1][1] and not _is_near(held, listed[-1][1])]
        if missing:
            self._differ("top", f"{missing[0]!r} with {known[missing[0]]}", listed[-1])

    def _strength(self) -> None:
        known = self._expected.answer
        listed = self._ranked(self._found.get("top"), "top", known, "score")
        if listed is None:
            return
        for key, found in listed:
            if not same(known[key], found) or isinstance(found, int) != isinstance(known[key], int):
                self._differ(f"score of {key!r}", known[key], found)
                return
        order = [(-comparable(found), key) for key, found in listed]
        if order != sorted(order):
            self._differ("top", "order by score (integers exactly), then key", listed)
        shown = {key for key, _ in listed}
        for key, held in known.items():
            if key not in shown and listed and _is_greater(held, listed[-1][1]):
                self._differ("top", f"{key!r} with {held}", listed[-1])
                return

    def _sssp(self) -> None:
        rendered = self._render()
        for field in ("reached", "error"):
            if self._found.get(field) != rendered.get(field):
                self._differ(field, rendered.get(field), self._found.get(field))
        self._values(self._expected.answer, "distance", 1)

    def _paths(self) -> None:
        rendered = self._render()
        for field in ("reached", "error"):
            if self._found.get(field) != rendered.get(field):
                self._differ(field, rendered.get(field), self._found.get(field))
        self._rendered()

    def _features(self) -> None:
        rendered = self._render()
        for field in ("since", "entered", "error"):
            if self._found.get(field) != rendered.get(field):
                self._differ(field, rendered.get(field), self._found.get(field))
        expected, found = rendered["top_features"], self._found.get("top_features")
        if not isinstance(found, list) or len(found) != len(expected):
            self._differ("number of top_features", len(expected), found)
            return
        for row, shown in zip(expected, found):
            if list(row) != list(shown) or not all(
                    _is_feature(row, name, shown[name]) for name in row):
                self._differ("top_features", row, shown)
                return

    def _values(self, known: dict[Key, float], value: str, sign: int) -> None:
        """A top of reals: greatest first (sign -1), or least."""
        listed = self._ranked(self._found.get("top"), "top", known, value)
        if listed is None:
            return
        for key, found in listed:
            if not _close(known[key], found):
                self._differ(f"{value} of {key!r}", known[key], found)
                return
        order = [(sign * float(f"{found:.8e}"), key) for key, found in listed]
        if order != sorted(order):
            self._differ("top", f"order by {value} rounded to 9 digits, then key", listed)
        if listed:
            last = sign * listed[-1][1]
            beyond = last - 2 * RELATIVE * abs(last)
            shown = {key for key, _ in listed}
            missing = [key for key, held in known.items()
                       if sign * held < beyond and key not in shown]
            if missing:
                self._differ("top", f"{missing[0]!r} with {known[missing[0]]}", listed[-1])

    def _render(self) -> dict[str, Any]:
        return json.loads(render(self._expected, self._sink.all_vertices))

    def _rendered(self) -> None:
        """Counts, sets, pairs, cycles and paths: exactly as expected."""
        rendered = self._render()
        shown = self._found
        if "baseline" in shown:  # baselines.py checks it
            shown = {**shown, "top": [without_comparison(row) for row in shown["top"]]}
        lists = ("top_edges", "top_cycles", "top_paths")
        for field in ("triangles", "degeneracy", "components", "communities", "top", "members",
                      "since", "pairs", "entered", "cycles", *lists):
            expected, found = rendered.get(field), shown.get(field)
            if (field in shown) != (field in rendered) or not (
                    _are_same_rows(expected, found) if field in lists
                    else expected == found):
                self._differ(field, expected, found)

    def _bfs(self) -> None:
        traversals = self._expected.traversals
        if not self._expected.job.parameters["separate"]:
            self._traversal(self._found, "", traversals[0])
            return
        found = self._found.get("traversals")
        roots = self._expected.job.parameters["roots"]
        if not isinstance(found, list) or [each.get("root") for each in found] != roots:
            self._differ("traversals", roots, found)
            return
        for each, depths in zip(found, traversals):
            self._traversal(each, f"traversal from {each['root']!r}: ", depths)

    def _traversal(self, found: dict[str, Any], prefix: str, depths: dict[Key, int]) -> None:
        levels = [0] * (max(depths.values(), default=-1) + 1)
        for depth in depths.values():
            levels[depth] += 1
        for field, expected in (("reached", len(depths)), ("levels", levels)):
            if found.get(field) != expected:
                self._differ(prefix + field, expected, found.get(field))
        parents = self._expected.parents(depths)
        more = set() if parents is None else {"parent"}
        listed = self._ranked(found.get("top"), prefix + "top", depths, "depth", more)
        if listed is None:
            return
        for entry in found["top"] if parents is not None else []:
            if entry["parent"] != parents[entry["vertex"]]:
                self._differ(f"{prefix}parent of {entry['vertex']!r}", parents[entry["vertex"]],
                             entry["parent"])
                return
        nearest = sorted(depths.items(), key=lambda pair: (pair[1], pair[0]))[:self._limit]
        for expected_pair, found_pair in zip(nearest, listed):
            if expected_pair != found_pair:
                self._differ(prefix + "top", expected_pair, found_pair)
                return

    def _ranked(self, top: object, field: str, known: dict[Key, Any], value: str,
                more: set[str] = frozenset()) -> list[tuple[Key, Any]] | None:
        """The entries of a top as (key, value), or None when it is not a valid top."""
        length = len(known) if self._limit is None else min(self._limit, len(known))
        if not isinstance(top, list) or len(top) != length:
            self._differ(f"length of {field}", length, len(top) if isinstance(top, list) else top)
            return None
        for rank, entry in enumerate(top, 1):
            if (set(entry) != {"vertex", "rank", value} | more or entry["rank"] != rank
                    or type(entry["vertex"]) not in (int, str) or entry["vertex"] not in known):
                self._differ(field, f"a vertex of the window with rank {rank} and a {value}", entry)
                return None
        if len({entry["vertex"] for entry in top}) != length:
            self._differ(field, "every vertex once", top)
            return None
        return [(entry["vertex"], entry[value]) for entry in top]

    def _shape(self) -> None:
        content = self._expected.content
        self._equal("pairs", content.window.pairs)
        if not same(content.weight, self._found.get("weight")):
            self._differ("weight", content.weight, self._found.get("weight"))
        if "top" in self._found:
            self._differ("top", "nothing", self._found["top"])
        if not self._sink.all_vertices:
            if "top_edges" in self._found:
                self._differ("top_edges", "nothing without vertices: all", "some")
            return
        listing = self._found.get("top_edges")
        if not isinstance(listing, list) or len(listing) != len(content.listing):
            self._differ("length of top_edges", len(content.listing),
                         len(listing) if isinstance(listing, list) else listing)
            return
        for expected, found in zip(content.listing, listing):
            if (any(found.get(of) != expected.get(of) for of in ("source", "target", "type"))
                    or not same(expected["weight"], found.get("weight"))):
                self._differ("top_edges", expected, found)
                return


def _is_close_sum(expected: float, found: object) -> bool:
    return isinstance(found, (int, float)) and (
        abs(expected - found) <= 1e-9 + RELATIVE * max(abs(expected), abs(found)))


def _are_same_rows(expected: Any, found: Any) -> bool:
    """Rows of pairs, cycles or paths: a weight that is not an integer is a sum of doubles in any
    order."""
    if not isinstance(expected, list) or not isinstance(found, list):
        return expected == found
    return len(expected) == len(found) and all(
        {**a, "weight": 0} == {**b, "weight": 0} and (
            _is_close_sum(a["weight"], b["weight"]) if isinstance(a["weight"], float)
            else a["weight"] == b["weight"]) for a, b in zip(expected, found))


def _is_feature(row: dict[str, Any], name: str, found: Any) -> bool:
    """Means, variances and sums of doubles are rounded on a scale that the weights give."""
    expected = row[name]
    if not isinstance(expected, float) or not isinstance(found, (int, float)):
        return expected == found and isinstance(found, bool) == isinstance(expected, bool)
    if name == "weight":
        return _is_close_sum(expected, found)
    edges = name.rpartition("_")[0]
    most = max(abs(row[f"{edges}_min"]), abs(row[f"{edges}_max"]))
    scale = most ** 2 if name.endswith("_variance") and most < 1e150 else most
    return abs(expected - found) <= (
        RELATIVE * abs(expected) + 1e-12 * scale * max(1, row[f"{edges}_degree"]))


def _is_near(expected: float, found: object) -> bool:
    """Values far below the others depend on the last iteration."""
    return isinstance(found, float) and (
        abs(expected - found) <= 1e-10 + RELATIVE * max(abs(expected), abs(found)))


def _is_greater(weight: int | float, than: int | float) -> bool:
    """Whether it is, however its sum was rounded; an integer exactly."""
    if isinstance(weight, int) and isinstance(than, int):
        return weight > than
    rounding = 2e-15 * weight.magnitude if isinstance(weight, Sum) else 0
    return weight - than > rounding + 2e-8 * max(abs(weight), abs(than))


def _close(expected: float, found: object) -> bool:
    return (isinstance(found, (int, float))
            and abs(expected - found) <= RELATIVE * max(abs(expected), abs(found)))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
