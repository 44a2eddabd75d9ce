"""The expected result of each job for each window (connectors/sinks/results.md)."""
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Iterable, Iterator

import numpy

from .configuration import Configuration, JobSpec, WindowSpec
from .kernels import Graph, bfs, biased_pagerank, hits, pagerank, parents
from .live_edges import Edge, Key
from .networks import Network, cycles_in_time, dates_of, new_cycles
from .slices import Slices
from .weights import negative_edges, total
from .windows import Window, windows


class Content:
    """The graph of one window, built once for all jobs on it."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._scores: dict[str, dict[Key, float]] = {}
        self._depths: dict[tuple[tuple[Key, ...], str], dict[Key, int]] = {}
        self._answers: dict[tuple, dict[Key, Any]] = {}

    def scores(self, given: dict[str, Any]) -> dict[Key, float]:
        asked = repr(sorted(given.items()))
        if asked not in self._scores:
            stops = given["damping"], given["tolerance"], given["max_iterations"]
            weighted, sources = given["weighted"], given["sources"]
            direction = given["direction"]
            if weighted or sources != "all" or direction != "out":
                ranks: numpy.ndarray = biased_pagerank(
                    self.graph.along(direction), *stops, weighted,
                    None if sources == "all" else sources)
            else:
                ranks = pagerank(self.graph, *stops)
            self._scores[asked] = dict(zip(self.graph.keys, ranks.tolist()))
        return self._scores[asked]

    def depths(self, roots: Iterable[Key], direction: str) -> dict[Key, int]:
        asked = (tuple(roots), direction)
        if asked not in self._depths:
            self._depths[asked] = bfs(self.graph, *asked)
        return self._depths[asked]

    def hits(self, given: dict[str, Any]) -> dict[Key, tuple[float, float]]:
        """The value that ranks each vertex, and the other one."""
        values = hits(self.graph, given["tolerance"], given["max_iterations"], given["weighted"])
        ranking, other = values if given["rank_by"] == "authorities" else values[::-1]
        return dict(zip(self.graph.keys, zip(ranking.tolist(), other.tolist())))

    def answer(self, job: JobSpec) -> dict[Key, Any]:
        """The value of each vertex from a kernel of Network."""
        given = job.parameters
        asked = (job.kernel, repr(sorted(given.items())))
        if asked not in self._answers:
            network = self.network
            self._answers[asked] = {
                "wcc": network.components, "scc": network.strong_components,
                "triangles": network.triangles, "lcc": network.clustering, "kcore": network.cores,
                "reciprocity": network.reciprocity,
                "sssp": lambda: network.distances(given["roots"], given["direction"]),
                "hits": lambda: self.hits(given),
                "cdlp": lambda: network.communities(given["max_iterations"]),
                "degree": lambda: network.degrees(given["direction"]),
                "strength": lambda: network.strengths(given["direction"]),
                "fanout": lambda: network.fanout(given["direction"])}[job.kernel]()
        return self._answers[asked]

    @cached_property
    def network(self) -> Network:
        return Network(self.window.edges, self.graph)

    @cached_property
    def pairs(self) -> set[tuple[Key, Key]]:
        return {edge[:2] for edge in self.window.edges}

    def edges_of(self, pair: tuple[Key, Key]) -> list[Edge]:
        return self._by_pair[pair]

    @cached_property
    def _by_pair(self) -> dict[tuple[Key, Key], list[Edge]]:
        found: dict[tuple[Key, Key], list[Edge]] = {}
        for edge in self.window.edges:
            found.setdefault(edge[:2], []).append(edge)
        return found

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.window.edges)

    @cached_property
    def listing(self) -> list[dict[str, Any]]:
        def order(edge: Edge) -> tuple[Key, Key, str, int | float]:
            source, target, weight, kind = edge
            return source, target, kind, weight

        return [{"source": source, "target": target, "weight": weight,
                 **({"type": kind} if kind else {})}
                for source, target, weight, kind in sorted(self.window.edges, key=order)]

    @cached_property
    def weight(self) -> int | float:
        return total([edge[2] for edge in self.window.edges])


@dataclass
class Expectation:
    """One result: its identity, its content, and the graph for the rest."""

    job: JobSpec
    spec: WindowSpec
    content: Content
    previous: Content | None = None  # of the job's previous result

    @property
    def window(self) -> Window:
        return self.content.window

    @property
    def identity(self) -> tuple[str, int]:
        """Its identity within its window: the window end, or the last accepted event."""
        window = self.window
        return self.job.name, window.end if window.accepted is None else window.accepted

    @cached_property
    def scores(self) -> dict[Key, float]:
        return self.content.scores(self.job.parameters)

    @property
    def ranking(self) -> dict[str, Any]:
        """The members of a PageRank result besides the ranks."""
        given = self.job.parameters
        said: dict[str, Any] = {}
        if given["sources"] != "all":
            sources = set(given["sources"])
            said["absent_sources"] = len(sources - set(self.content.graph.keys))
            if said["absent_sources"] == len(sources):
                said["error"] = ("the source is not in the window" if len(sources) == 1 else
                                 f"none of the {len(sources)} sources is in the window")
                return said
        negative = int((self.content.graph.weights < 0).sum())
        if given["weighted"] and negative:
            said["error"] = negative_edges(negative, "ranks by weight need")
        return said

    @property
    def other_score(self) -> str:
        return "hub" if self.job.parameters["rank_by"] == "authorities" else "authority"

    @property
    def hits_error(self) -> str | None:
        weights = self.content.graph.weights
        if not self.job.parameters["weighted"] or len(weights) == 0:
            return None
        if negative := int((weights < 0).sum()):
            return negative_edges(negative, "hubs and authorities by weight need")
        return None if (weights > 0).any() else (
            "no edge has a weight above 0; hubs and authorities by weight need one")

    @property
    def answer(self) -> dict[Key, Any]:
        return self.content.answer(self.job)

    @cached_property
    def changes(self) -> list[tuple[Key, Key]]:
        before = set() if self.previous is None else self.previous.pairs
        now = self.content.pairs
        return sorted(now - before if self.job.kernel == "new_edges" else before - now)

    @cached_property
    def cycles(self) -> tuple[int, list[tuple[Key, ...]]]:
        """How many edges entered, and the cycles that are new."""
        given = self.job.parameters
        least = None if given["min_weight"] == "any" else given["min_weight"]
        before = set() if self.previous is None else self.previous.network.pairs(least)
        now = self.content.network.pairs(least)
        passed = [] if given["through"] == "any" else given["through"]
        if given["in_time_order"]:
            dates = dates_of(self.window.dated, least)
            since = -math.inf if self.previous is None else self.previous.window.axis_end
            entered = sum(each[-1] > since for each in dates.values())
            return entered, cycles_in_time(dates, since, given["max_length"], passed)
        return len(now - before), new_cycles(before, now, given["max_length"], passed)

    @cached_property
    def features(self) -> tuple[int, list[dict[str, Any]]]:
        """How many edges entered, and the rows of the first of them."""
        given = self.job.parameters
        before = set() if self.previous is None else self.previous.network.pairs(None)
        network = self.content.network
        entered = sorted(network.pairs(None) - before)
        rows = []
        for pair in entered[:self.job.top]:
            edges = self.content.edges_of(pair)
            rows.append({"source": pair[0], "target": pair[1], "edges": len(edges),
                         "weight": total([edge[2] for edge in edges]),
                         **network.edge_features(*pair, given["max_length"],
                                                 given["min_intermediates"])})
        return len(entered), rows

    @cached_property
    def paths(self) -> list[list[tuple[Key, int | float]]]:
        """The vertices of each path, with the weights of the edges that lead to them."""
        given = self.job.parameters
        return self.content.network.paths(given["from"], given["to"], given["by"],
                                          given["direction"], given["most"])

    @cached_property
    def traversals(self) -> list[dict[Key, int]]:
        """Depths by vertex: one traversal of all roots together, or one for each."""
        parameters = self.job.parameters
        roots = parameters["roots"]
        starts = [[root] for root in roots] if parameters["separate"] else [roots]
        return [self.content.depths(start, parameters["direction"]) for start in starts]

    def parents(self, depths: dict[Key, int]) -> dict[Key, Key | None] | None:
        """The parents of the vertices that a traversal has reached; empty if the job does not want
        them."""
        parameters = self.job.parameters
        if not parameters["parents"]:
            return None
        return parents(self.content.graph, depths, parameters["direction"])


def expectations(configuration: Configuration, slices: Slices | None) -> Iterator[Expectation]:
    """Window by window, in order; for each, every job that runs on it.

    Windows that differ by name and implementation alone are worked out once.
    """
    if slices is None:
        return
    alike: dict[WindowSpec, list[tuple[JobSpec, WindowSpec]]] = {}
    for spec in configuration.windows:
        alike.setdefault(replace(spec, name=""), []).extend(
            (job, spec) for job in configuration.jobs if job.window == spec.name)
    for shape, jobs in alike.items():
        strides = {job.every for job, _ in jobs}
        previous: dict[str, Content] = {}
        for window in windows(shape, slices, lambda advance, strides=strides: any(
                advance % stride == 0 for stride in strides)):
            content = Content(window)
            for job, spec in jobs:
                if window.advance % job.every == 0:
                    yield Expectation(job, spec, content, previous.get(job.name))
                    previous[job.name] = content
