"""Simple directed cycles in time order that an edge has closed: from the edge behind that one on,
no edge is older than the edge before it, and the closing edge is the newest.

The pairs of the window are collected on the driver, each with the dates of its edges. A search
begins at each pair with an edge that entered, in the order of keys. Behind it, each vertex gets the
latest date at which a path must go on to be back in time; ahead, the earliest edge of each pair is
taken. A cycle that an earlier pair closes too is left out, so each is found once.
"""
from __future__ import annotations

import bisect
import math
from typing import Iterator, Mapping, Optional, Sequence

from sash_spark.cycle_search import Cycle, StepsUsedUp

Pair = tuple[int, int]


class TimedCycleSearch:
    """`dates`: of each pair of different vertices, by id, ascending. `since`: the closing edge is
    not older."""

    def __init__(self, dates: Mapping[Pair, Sequence[int]], since: float, longest: int,
                 most_steps: int) -> None:
        self._dates = dates
        self._since = since
        self._out: dict[int, list[int]] = {}
        self._in: dict[int, list[int]] = {}
        for source, target in sorted(dates):
            self._out.setdefault(source, []).append(target)
            self._in.setdefault(target, []).append(source)
        self._closing = [pair for pair in sorted(dates) if dates[pair][-1] >= since]
        self.entered = len(self._closing)
        self._longest = longest
        self._most_steps = most_steps
        self.steps = 0

    def cycles(self) -> Iterator[Cycle]:
        """The cycles, each as its vertices; the pair from the last to the first closes it. They
        come in the order of the keys of that pair, then of the vertices. StepsUsedUp: there may be
        more."""
        for source, target in self._closing:
            until = self._dates[source, target][-1]
            latest = self._latest(source, target, until)
            if target in latest[self._longest - 1]:
                yield from self._extended([target], {target}, -math.inf, source, until, latest)

    def _look(self, row: list[int]) -> list[int]:
        self.steps += len(row)
        if self.steps > self._most_steps:
            raise StepsUsedUp
        return row

    def _latest(self, source: int, target: int, until: int) -> list[dict[int, int]]:
        """By a number of hops: the latest date at which a path of at most so many hops must leave
        a vertex to reach the source until then."""
        levels: list[dict[int, int]] = [{source: until}]
        outermost = [source]
        for _ in range(1, self._longest):
            level = dict(levels[-1])
            following = set()
            for vertex in outermost:
                for other in self._look(self._in.get(vertex, [])):
                    date = self._last_until((other, vertex), levels[-1][vertex])
                    if date is not None and date > level.get(other, -math.inf):
                        level[other] = date
                        if other != target:
                            following.add(other)
            levels.append(level)
            outermost = sorted(following)
        return levels

    def _last_until(self, pair: Pair, until: int) -> Optional[int]:
        dates = self._dates[pair]
        place = bisect.bisect_right(dates, until)
        return dates[place - 1] if place > 0 else None

    def _first_from(self, pair: Pair, date: float) -> Optional[int]:
        dates = self._dates[pair]
        place = bisect.bisect_left(dates, date)
        return dates[place] if place < len(dates) else None

    def _extended(self, path: list[int], on_path: set[int], date: float, source: int, until: int,
                  latest: list[dict[int, int]]) -> Iterator[Cycle]:
        left = self._longest - 1 - len(path)  # hops behind the next vertex
        for other in self._look(self._out.get(path[-1], [])):
            then = self._first_from((path[-1], other), date)
            if then is None or then > until:
                continue
            if other == source:
                cycle = (*path, source)
                if self._is_found_first(cycle):
                    yield cycle
            elif other not in on_path and left > 0 and then <= latest[left].get(other, -math.inf):
                path.append(other)
                on_path.add(other)
                yield from self._extended(path, on_path, then, source, until, latest)
                on_path.discard(path.pop())

    def _is_found_first(self, cycle: Cycle) -> bool:
        closing = (cycle[-1], cycle[0])
        for at in range(1, len(cycle)):
            turn = (*cycle[at:], *cycle[:at])
            pair = (turn[-1], turn[0])
            if pair < closing and self._dates[pair][-1] >= self._since and self._is_in_time(turn):
                return False
        return True

    def _is_in_time(self, cycle: Cycle) -> bool:
        date = -math.inf
        for pair in zip(cycle, cycle[1:]):
            then = self._first_from(pair, date)
            if then is None:
                return False
            date = then
        return date <= self._dates[cycle[-1], cycle[0]][-1]
