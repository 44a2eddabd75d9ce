"""PageRank, and BFS with its parents, on the visible edges of one window
(windows/kernels/README.md)."""
import copy
from typing import Iterable

import numpy

from .live_edges import Edge, Key


class Graph:
    """The edges by number instead of by key; vertices in key order, each touched by an edge."""

    def __init__(self, edges: list[Edge]) -> None:
        self.keys: list[Key] = sorted({edge[0] for edge in edges} | {edge[1] for edge in edges})
        number = {key: index for index, key in enumerate(self.keys)}
        self.sources = numpy.fromiter((number[edge[0]] for edge in edges), numpy.int64, len(edges))
        self.targets = numpy.fromiter((number[edge[1]] for edge in edges), numpy.int64, len(edges))
        self.weights = numpy.fromiter((float(edge[2]) for edge in edges), float, len(edges))
        self._number = number

    def along(self, direction: str) -> "Graph":
        """The graph whose out-edges are these: out, in, or both (a self-loop once)."""
        if direction == "out":
            return self
        turned = copy.copy(self)
        turned.sources, turned.targets = self.targets, self.sources
        if direction == "both":
            others = self.sources != self.targets
            turned.sources = numpy.concatenate([self.sources, self.targets[others]])
            turned.targets = numpy.concatenate([self.targets, self.sources[others]])
            turned.weights = numpy.concatenate([self.weights, self.weights[others]])
        return turned

    def numbers_of(self, keys: Iterable[Key]) -> list[int]:
        """The numbers of those keys that are in the window."""
        return sorted({self._number[key] for key in keys if key in self._number})


def pagerank(graph: Graph, damping: float, tolerance: float, max_iterations: int) -> numpy.ndarray:
    """The ranks by vertex number. They begin at 1/n; dangling mass is spread evenly; parallel edges
    count each; the L1 change ends the iteration."""
    count = len(graph.keys)
    if count == 0:
        return numpy.zeros(0)
    out_degree = numpy.bincount(graph.sources, minlength=count)
    dangling = out_degree == 0
    divisor = numpy.where(dangling, 1, out_degree)
    rank = numpy.full(count, 1.0 / count)
    for _ in range(int(max_iterations)):
        share = rank / divisor
        received = numpy.bincount(graph.targets, weights=share[graph.sources], minlength=count)
        spread = rank[dangling].sum() / count
        following = (1.0 - damping) / count + damping * (received + spread)
        change = numpy.abs(following - rank).sum()
        rank = following
        if change <= tolerance:
            break
    return rank


def biased_pagerank(graph: Graph, damping: float, tolerance: float, max_iterations: int,
                    weighted: bool, sources: Iterable[Key] | None) -> numpy.ndarray:
    """Personalized: the restart goes to the sources (None: to all vertices), and so does dangling
    mass; edges carry rank by weight. Without a source, or with a negative weight if weights count,
    there are no ranks."""
    count = len(graph.keys)
    starts = range(count) if sources is None else graph.numbers_of(set(sources))
    if len(starts) == 0 or (weighted and (graph.weights < 0).any()):
        return numpy.zeros(0)
    begins = numpy.zeros(count)
    begins[list(starts)] = 1.0 / len(starts)
    weights = graph.weights if weighted else numpy.ones(len(graph.sources))
    # Relative to the source's greatest weight: so no sum is infinite, and none is lost.
    greatest = numpy.zeros(count)
    numpy.maximum.at(greatest, graph.sources, weights)
    scaled = weights / numpy.where(greatest == 0, 1, greatest)[graph.sources]
    total = numpy.bincount(graph.sources, weights=scaled, minlength=count)
    share = scaled / numpy.where(total == 0, 1, total)[graph.sources]
    rank = begins
    for _ in range(int(max_iterations)):
        received = numpy.bincount(graph.targets, weights=rank[graph.sources] * share,
                                  minlength=count)
        following = damping * received + (
            1.0 - damping + damping * rank[total == 0].sum()) * begins
        change = numpy.abs(following - rank).sum()
        rank = following
        if change <= tolerance:
            break
    return rank


def hits(graph: Graph, tolerance: float, max_iterations: int, weighted: bool,
         ) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Authorities and hubs, by power iteration from equal values; empty without usable weights."""
    count = len(graph.keys)
    weights = graph.weights if weighted else numpy.ones(len(graph.sources))
    if count == 0 or (weights < 0).any() or not (weights > 0).any():
        return numpy.zeros(0), numpy.zeros(0)
    authorities = hubs = numpy.full(count, 1 / count)
    for _ in range(max_iterations):
        before = authorities, hubs
        authorities = numpy.bincount(graph.targets, hubs[graph.sources] * weights, count)
        authorities /= authorities.sum()
        hubs = numpy.bincount(graph.sources, authorities[graph.targets] * weights, count)
        hubs /= hubs.sum()
        if abs(authorities - before[0]).sum() + abs(hubs - before[1]).sum() <= tolerance:
            break
    return authorities, hubs


def bfs(graph: Graph, roots: Iterable[Key], direction: str) -> dict[Key, int]:
    """The depth of every vertex that is reached; the roots start together."""
    neighbours: list[list[int]] = [[] for _ in graph.keys]
    for source, target in zip(graph.sources.tolist(), graph.targets.tolist()):
        if direction in ("out", "both"):
            neighbours[source].append(target)
        if direction in ("in", "both"):
            neighbours[target].append(source)
    frontier = graph.numbers_of(roots)
    depth = dict.fromkeys(frontier, 0)
    level = 0
    while frontier:
        level += 1
        reached = []
        for vertex in frontier:
            for neighbour in neighbours[vertex]:
                if neighbour not in depth:
                    depth[neighbour] = level
                    reached.append(neighbour)
        frontier = reached
    return {graph.keys[vertex]: level for vertex, level in depth.items()}


def parents(graph: Graph, depths: dict[Key, int], direction: str) -> dict[Key, Key | None]:
    """For each vertex that is reached, the least of its neighbours one step nearer; roots have
    none."""
    found: dict[Key, Key | None] = dict.fromkeys(depths)
    for source, target in zip(graph.sources.tolist(), graph.targets.tolist()):
        source, target = graph.keys[source], graph.keys[target]
        steps = {"out": [(source, target)], "in": [(target, source)],
                 "both": [(source, target), (target, source)]}[direction]
        for near, far in steps:
            if near in depths and depths.get(far) == depths[near] + 1:
                known = found[far]
                found[far] = near if known is None else min(known, near)
    return found
