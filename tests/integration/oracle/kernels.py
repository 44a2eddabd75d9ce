"""PageRank and BFS over the visible edges of one window (the design, kernels and jobs)."""
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
        self._number = number

    def numbers_of(self, keys: Iterable[Key]) -> list[int]:
        """Of those that are in the window."""
        return sorted({self._number[key] for key in keys if key in self._number})


def pagerank(graph: Graph, damping: float, tolerance: float, max_iterations: int) -> numpy.ndarray:
    """From 1/n; dangling mass spread evenly; parallel edges count each; stops on the L1 change."""
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


def bfs(graph: Graph, roots: Iterable[Key], direction: str) -> dict[Key, int]:
    """Depth of every vertex that is reached; the roots start together."""
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
