"""Simple directed cycles that a window has and the one before had not.

The pairs of the window are collected on the driver, because each step of a search may lead
anywhere. A search begins at each pair that entered, in the order of keys, and takes no pair that
entered and comes before it; so each cycle is found once, at the first of its pairs that entered.
"""
from __future__ import annotations

from typing import Any, Iterator

import numpy

Array = numpy.ndarray[Any, Any]
Cycle = tuple[int, ...]


class StepsUsedUp(Exception):
    """`max_steps` neighbours have been looked at."""


class CycleSearch:
    """`pairs` and `entered`: (source, target) by id, without self-loops, each once; `entered` are
    some of `pairs`. `out`, `into`: the neighbours along the pairs, and against them."""

    def __init__(self, vertices: int, pairs: Array, entered: Array, longest: int,
                 most_steps: int) -> None:
        self.out = Rows(vertices, pairs)
        self.into = Rows(vertices, pairs[:, ::-1])
        self._entered = entered[numpy.lexsort((entered[:, 1], entered[:, 0]))]
        self._places = {(source, target): place for place, (source, target)
                        in enumerate(self._entered.tolist())}
        self.entered = len(entered)
        self._longest = longest
        self._most_steps = most_steps
        self.steps = 0

    def cycles(self) -> Iterator[Cycle]:
        """The cycles, each as its vertices, beginning with the pair that entered. They come in the
        order of keys, as if the first vertex stood at the end, too. StepsUsedUp: there may be
        more."""
        source_before, hops = -1, {}
        for place, (source, target) in enumerate(self._entered.tolist()):
            if source != source_before:
                source_before, hops = source, self._hops_to(source)
            if hops.get(target, self._longest) < self._longest:
                yield from self._extended([source, target], {source, target}, place, hops)

    def first_entered(self, most: int) -> list[tuple[int, int]]:
        """The first pairs that entered, at most `most`, in the order of keys."""
        return [(source, target) for source, target in self._entered[:most].tolist()]

    def through(self, source: int, target: int) -> Iterator[Cycle]:
        """All cycles that pass this pair, whatever entered. StepsUsedUp: there may be more."""
        hops = self._hops_to(source)
        if hops.get(target, self._longest) < self._longest:
            yield from self._extended([source, target], {source, target}, 0, hops)

    def _look(self, row: Array) -> list[int]:
        self.steps += len(row)
        if self.steps > self._most_steps:
            raise StepsUsedUp
        found: list[int] = row.tolist()
        return found

    def _hops_to(self, end: int) -> dict[int, int]:
        """The vertices from which a path leads to `end`, and its hops, up to the longest cycle."""
        hops, outermost = {end: 0}, [end]
        for hop in range(1, self._longest):
            following = []
            for vertex in outermost:
                for other in self._look(self.into.row(vertex)):
                    if other not in hops:
                        hops[other] = hop
                        following.append(other)
            outermost = following
        return hops

    def _extended(self, path: list[int], on_path: set[int], place: int,
                  hops: dict[int, int]) -> Iterator[Cycle]:
        last = path[-1]
        for other in self._look(self.out.row(last)):
            if self._places.get((last, other), place) < place:
                continue
            if other == path[0]:
                yield tuple(path)
            elif (other not in on_path
                  and len(path) + hops.get(other, self._longest) <= self._longest):
                path.append(other)
                on_path.add(other)
                yield from self._extended(path, on_path, place, hops)
                on_path.discard(path.pop())


class Rows:
    """Neighbours by vertex, ascending."""

    def __init__(self, vertices: int, pairs: Array) -> None:
        order = numpy.lexsort((pairs[:, 1], pairs[:, 0]))
        self._others = pairs[order, 1]
        self._starts = numpy.searchsorted(pairs[order, 0], numpy.arange(vertices + 1))

    def row(self, vertex: int) -> Any:
        return self._others[self._starts[vertex]:self._starts[vertex + 1]]
