"""Scatter-gather patterns: a vertex with pairs to many vertices, which all have a pair to one
vertex. The vertices between are the intermediates; they are neither of the two ends, which differ.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy

from sash_spark.cycle_search import Rows

Array = numpy.ndarray[Any, Any]
Pair = tuple[int, int]


class ScatterGathers:
    """`least`: the intermediates from which a pattern counts. `most_steps`: how many neighbours
    of() may look at; `steps` is how many it has."""

    def __init__(self, out: Rows, into: Rows, least: int, most_steps: int) -> None:
        self._out, self._into = out, into
        self._least = least
        self._most_steps = most_steps
        self.steps = 0

    def of(self, pairs: Sequence[Pair]) -> list[Optional[tuple[int, int]]]:
        """For each pair the patterns that it is a part of, and the intermediates of the largest.
        None: the steps were used up before, as sashd uses them up."""
        within = self._within(pairs)
        found = [(0, 0)] * within
        self._add(found, self._out, [(source, target) for source, target in pairs[:within]])
        self._add(found, self._into, [(target, source) for source, target in pairs[:within]])
        return [*found, *[None] * (len(pairs) - within)]

    def _within(self, pairs: Sequence[Pair]) -> int:
        """How many pairs have their patterns counted. The ways from an end are counted once."""
        known: set[tuple[bool, int]] = set()
        for place, (source, target) in enumerate(pairs):
            steps = 0
            for is_source, hub, rows in ((True, source, self._out), (False, target, self._into)):
                if (is_source, hub) not in known:
                    known.add((is_source, hub))
                    steps += sum(len(rows.row(middle)) for middle in rows.row(hub).tolist())
            if self.steps + steps > self._most_steps:
                return place
            self.steps += steps
        return len(pairs)

    def _add(self, found: list[tuple[int, int]], rows: Rows, pairs: Sequence[Pair]) -> None:
        """Adds the patterns that begin at the first vertex of a pair, along `rows`."""
        ways: dict[int, tuple[Array, Array]] = {}
        for place, (hub, middle) in enumerate(pairs):
            if hub not in ways:
                ways[hub] = self._ways_from(rows, hub)
            ends, counts = ways[hub]
            sizes = counts[numpy.isin(ends, rows.row(middle), assume_unique=True)]
            sizes = sizes[sizes >= self._least]
            patterns, largest = found[place]
            found[place] = (patterns + len(sizes), max([largest, *sizes.tolist()]))

    @staticmethod
    def _ways_from(rows: Rows, hub: int) -> tuple[Array, Array]:
        """The vertices two pairs away, and the number of ways to each."""
        ends = [rows.row(middle) for middle in rows.row(hub).tolist()]
        every = numpy.concatenate([numpy.empty(0, dtype=numpy.int64), *ends])
        found, counts = numpy.unique(every[every != hub], return_counts=True)
        return found, counts
