"""Kernels of networkx, and those that it lacks (LCC of directed graphs, CDLP) by their definitions,
on the visible edges of one window."""
import math
from collections import Counter
from fractions import Fraction
from functools import cached_property
from typing import Any, Callable, Iterable

import networkx

from .kernels import Graph
from .live_edges import Dated, Edge, Key
from .weights import negated, total


def new_cycles(before: set[tuple[Key, Key]], now: set[tuple[Key, Key]], longest: int,
               passed: Iterable[Key]) -> list[tuple[Key, ...]]:
    """The simple cycles of pairs `now` that pairs `before` lack, and that pass all these vertices.
    Each begins with the first of its edges that entered; in the order of keys, as if its first
    vertex stood at its end, too."""
    found = []
    for cycle in networkx.simple_cycles(networkx.DiGraph(now), length_bound=longest):
        turns = [tuple(cycle[at:] + cycle[:at]) for at in range(len(cycle))]
        entered = [turn for turn in turns if turn[:2] not in before]
        if entered and set(passed) <= set(cycle):
            found.append(min(entered, key=lambda turn: turn[:2]))
    return sorted(found, key=lambda cycle: (*cycle, cycle[0]))


Dates = dict[tuple[Key, Key], list[int]]  # of the edges of each pair


def dates_of(dated: Iterable[Dated], least: float | None) -> Dates:
    """The dates of the edges between different vertices that have at least that weight."""
    found: dict[tuple[Key, Key], set[int]] = {}
    for pair, weight, dates in dated:
        if pair[0] != pair[1] and (least is None or float(weight) >= least):
            found.setdefault(pair, set()).update(dates)
    return {pair: sorted(dates) for pair, dates in found.items()}


def cycles_in_time(dates: Dates, since: float, longest: int,
                   passed: Iterable[Key]) -> list[tuple[Key, ...]]:
    """The simple cycles whose dates can be chosen so that none is before that of the edge before
    it, and the last is after `since`. Each ends with the first pair that can be its last."""
    found = []
    for cycle in networkx.simple_cycles(networkx.DiGraph(dates.keys()), length_bound=longest):
        turns = [tuple(cycle[at:] + cycle[:at]) for at in range(len(cycle))]
        ordered = [turn for turn in turns if _is_in_time(dates, turn, since)]
        if ordered and set(passed) <= set(cycle):
            found.append(min(ordered, key=lambda turn: (turn[-1], turn[0])))
    return sorted(found, key=lambda cycle: (cycle[-1], cycle[0], cycle))


def _is_in_time(dates: Dates, cycle: tuple[Key, ...], since: float) -> bool:
    reached: set[float] = {-math.inf}
    for pair in zip(cycle, cycle[1:]):
        reached = {date for date in dates[pair] if date >= min(reached)}
        if not reached:
            return False
    return any(date >= min(reached) and date > since for date in dates[cycle[-1], cycle[0]])


def statistics(weights: list[int | float]) -> dict[str, int | float | None]:
    """Sum, mean, least, greatest and variance of weights; all are 0 if there are none. None: a
    figure is beyond the range of a double."""
    if not weights:
        return dict.fromkeys(("sum", "mean", "min", "max", "variance"), 0)
    exact = [Fraction(weight) for weight in weights]
    mean = sum(exact) / len(exact)
    variance = sum((weight - mean) ** 2 for weight in exact) / len(exact)
    return {"sum": _or_none(lambda: total(weights)), "mean": float(mean), "min": min(weights),
            "max": max(weights), "variance": _or_none(lambda: float(variance))}


def _or_none(value: Callable[[], int | float]) -> int | float | None:
    try:
        return value()
    except OverflowError:
        return None


class Network:
    """The window as a networkx graph; vertices are numbers in key order."""

    def __init__(self, edges: list[Edge], graph: Graph) -> None:
        self._graph = graph
        self._edges = list(zip(graph.sources.tolist(), graph.targets.tolist(),
                               (edge[2] for edge in edges)))

    def _by_key(self, values: dict[int, Any]) -> dict[Key, Any]:
        return {self._graph.keys[number]: value for number, value in values.items()}

    def _filled(self, empty: networkx.Graph) -> networkx.Graph:
        empty.add_nodes_from(range(len(self._graph.keys)))
        empty.add_edges_from((source, target, {"weight": float(weight)})
                             for source, target, weight in self._edges)
        return empty

    @cached_property
    def _directed(self) -> networkx.MultiDiGraph:
        return self._filled(networkx.MultiDiGraph())

    @cached_property
    def _simple(self) -> networkx.Graph:
        """The graph without directions, self-loops and parallel edges."""
        found = networkx.Graph(self._directed)
        found.remove_edges_from(list(networkx.selfloop_edges(found)))
        return found

    def _towards(self, direction: str) -> networkx.Graph:
        if direction == "both":  # to_undirected() would lose one of two edges that go both ways
            return self._filled(networkx.MultiGraph())
        return self._directed if direction == "out" else self._directed.reverse()

    @property
    def negative_edges(self) -> int:
        return sum(weight < 0 for _, _, weight in self._edges)

    def distances(self, roots: Iterable[Key], direction: str) -> dict[Key, float]:
        """For the vertices that a path reaches; empty if there are negative weights."""
        starts = set(self._graph.numbers_of(roots))
        if self.negative_edges or not starts:
            return {}
        found = networkx.multi_source_dijkstra_path_length(self._towards(direction), starts)
        return self._by_key({number: distance for number, distance in found.items()
                             if distance < float("inf")})

    def paths(self, starts: Iterable[Key], ends: Iterable[Key], by: str, direction: str, most: int,
              ) -> list[list[tuple[Key, int | float]]]:
        """The first of the shortest paths to each end: its vertices, each with the weight of the
        edge that leads to it. A path is a way through the layers of a graph that has each vertex
        once for each number of edges."""
        lightest: dict[tuple[int, int], int | float] = {}
        for edge in self._edges:
            for source, target in {"out": [edge[:2]], "in": [edge[1::-1]],
                                   "both": [edge[:2], edge[1::-1]]}[direction]:
                held = lightest.get((source, target))
                lightest[source, target] = edge[2] if held is None else min(held, edge[2])
        if by == "weight" and self.negative_edges:
            return []
        layers = networkx.DiGraph()
        layers.add_edges_from(("start", (start, 0), {"cost": 0})
                              for start in self._graph.numbers_of(starts))
        layers.add_edges_from(
            ((source, hops), (target, hops + 1),
             {"cost": Fraction(weight) if by == "weight" else 0})
            for (source, target), weight in lightest.items() for hops in range(most))
        costs = (networkx.single_source_dijkstra_path_length(layers, "start", weight="cost")
                 if "start" in layers else {})
        found = []
        for end in self._graph.numbers_of(ends):
            reached = [(costs[end, hops], hops) for hops in range(most + 1)
                       if (end, hops) in costs]
            if reached:
                cost, hops = min(reached)
                paths = networkx.all_shortest_paths(layers, "start", (end, hops), weight="cost")
                first = min([number for number, _ in path[1:]] for path in paths)
                found.append((cost, hops, end, first))
        return [[(self._graph.keys[number], lightest[before, number] if before is not None else 0)
                 for before, number in zip([None, *first], first)]
                for _, _, _, first in sorted(found)]

    def _named(self, components: Iterable[set[int]]) -> dict[Key, Key]:
        """The least key of the component of each vertex."""
        return self._by_key({number: self._graph.keys[min(component)]
                             for component in components for number in component})

    def components(self) -> dict[Key, Key]:
        return self._named(networkx.weakly_connected_components(self._directed))

    def strong_components(self) -> dict[Key, Key]:
        return self._named(networkx.strongly_connected_components(self._directed))

    def triangles(self) -> dict[Key, int]:
        return self._by_key(networkx.triangles(self._simple))

    def cores(self) -> dict[Key, int]:
        return self._by_key(networkx.core_number(self._simple))

    def degrees(self, direction: str) -> dict[Key, int]:
        view = {"out": self._directed.out_degree, "in": self._directed.in_degree,
                "both": self._directed.degree}[direction]
        return self._by_key(dict(view()))

    def strengths(self, direction: str) -> dict[Key, int | float]:
        parts: dict[int, list[int | float]] = {number: [] for number in self._directed}
        for source, target, weight in self._edges:
            if direction != "in":
                parts[source].append(negated(weight) if direction == "net" else weight)
            if direction != "out":
                parts[target].append(weight)
        return self._by_key({number: total([0, *weights]) for number, weights in parts.items()})

    def fanout(self, direction: str) -> dict[Key, int]:
        towards = self._towards(direction)
        return self._by_key({number: len(set(towards[number]) - {number}) for number in towards})

    def clustering(self) -> dict[Key, float]:
        """The clustering coefficient, as Graphalytics defines it for directed graphs."""
        arcs = {(source, target) for source, target, _ in self._edges if source != target}
        found = {}
        for number in self._simple:
            near = list(self._simple[number])
            among = sum((source, target) in arcs for source in near for target in near)
            found[number] = among / (len(near) * (len(near) - 1)) if len(near) > 1 else 0.0
        return self._by_key(found)

    @cached_property
    def _out_neighbours(self) -> dict[int, set[int]]:
        return {number: set(self._directed[number]) - {number} for number in self._directed}

    def reciprocity(self) -> dict[Key, float]:
        """For vertices that have out-neighbours: the share of these with an edge back."""
        out = self._out_neighbours
        return self._by_key({number: sum(number in out[other] for other in others) / len(others)
                             for number, others in out.items() if others})

    @property
    def overall_reciprocity(self) -> float | None:
        """For all pairs of different vertices."""
        arcs = [(number, other) for number, others in self._out_neighbours.items()
                for other in others]
        back = sum(number in self._out_neighbours[other] for number, other in arcs)
        return back / len(arcs) if arcs else None

    def pairs(self, least: float | None) -> set[tuple[Key, Key]]:
        """The pairs of different vertices with an edge of at least that weight."""
        return {(self._graph.keys[source], self._graph.keys[target])
                for source, target, weight in self._edges
                if source != target and (least is None or float(weight) >= least)}

    def edge_features(self, source: Key, target: Key, longest: int, least: int) -> dict[str, Any]:
        """What edge_features says of a pair, beside its own edges."""
        (first,), (last,) = (self._graph.numbers_of([key]) for key in (source, target))
        row: dict[str, Any] = {}
        for end, number in (("source", first), ("target", last)):
            for along, other in (("out", 1), ("in", 0)):
                edges = [edge for edge in self._edges if edge[1 - other] == number]
                row |= {f"{end}_{along}_{name}": value for name, value in
                        {"fan": len({edge[other] for edge in edges} - {number}),
                         "degree": len(edges),
                         **statistics([edge[2] for edge in edges])}.items()}
        plain = self._simple_directed
        back = networkx.all_simple_paths(plain, last, first, cutoff=longest - 1)
        lengths = Counter(len(path) for path in back)
        row |= {f"cycles_{length}": lengths[length] for length in range(2, longest + 1)}
        ends = [(first, end) for end in plain.successors(last) if end != first]
        ends += [(start, last) for start in plain.predecessors(first) if start != last]
        sizes = [len(set(plain.successors(start)) & set(plain.predecessors(end)))
                 for start, end in ends]
        sizes = [size for size in sizes if size >= least]
        return {**row, "scatter_gathers": len(sizes), "intermediates": max(sizes, default=0)}

    @cached_property
    def _simple_directed(self) -> networkx.DiGraph:
        found = networkx.DiGraph(self._directed)
        found.remove_edges_from(list(networkx.selfloop_edges(found)))
        return found

    def communities(self, iterations: int) -> dict[Key, Key]:
        """The community of each vertex, as Graphalytics defines it, by the key of its label."""
        labels = list(range(len(self._graph.keys)))
        for _ in range(iterations):
            votes = [Counter() for _ in labels]
            for source, target, _ in self._edges:
                if source != target:
                    votes[source][labels[target]] += 1
                    votes[target][labels[source]] += 1
            labels = [min(found, key=lambda label, found=found: (-found[label], label))
                      if found else labels[number] for number, found in enumerate(votes)]
        return self._by_key({number: self._graph.keys[label]
                             for number, label in enumerate(labels)})
