"""Puts the slices of shards together, as far as all have closed them
(connectors/export/slices/README.md, "Putting slices together").

Invariant: whatever the amounts in which slices arrive, what take() has given in all is what one
call gives that gets everything.
"""
from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence

from sash_spark.slices import Part, Slice
from sash_spark.times import parse_time


@dataclass(frozen=True)
class Closed:
    """What a shard has closed: the `counts` of its manifest, its `closed_until` (None: nothing),
    and the slices that were not given before, also those that end later."""

    counts: list[dict[str, Any]]
    until: Optional[int]
    arrived: Sequence[Slice]


class ShardMerge:
    """Merges one stream; `whole_since`: what ends before it is not whole, because a shard had
    removed its part before it was read; None: everything is whole."""

    def __init__(self, shards: int) -> None:
        self.whole_since: Optional[int] = None
        self._is_new = True
        self._unmerged: list[list[Slice]] = [[] for _ in range(shards)]
        self._counted_until: list[Optional[int]] = [None] * shards
        self._apart: list[dict[str, Any]] = []  # of slices; their place is not known yet
        self._number = 0
        self._before: Optional[int] = None  # the end of the newest slice
        self._on_time: Optional[int] = None  # the start of the newest slice that was on time
        self._later: set[int] = set()  # the starts of slices after it

    def take(self, shards: Sequence[Closed]) -> list[Slice]:
        """The slices that all have closed and that were not given before, oldest first."""
        if self._is_new:
            self._is_new = False
            removed = [each.arrived[0].previous_end for each in shards if each.arrived]
            self.whole_since = max((each for each in removed if each is not None), default=None)
            self._before = self.whole_since
        for held, shard in zip(self._unmerged, shards):
            held += shard.arrived
        untils = [each.until for each in shards if each.until is not None]
        for number, shard in enumerate(shards):
            self._apart += self._counted(number, shard.until)
        if len(untils) < len(shards):
            return []
        parts = self._parts(min(untils))
        merged: list[Slice] = []
        counts = self._counts(parts, [each for shard in shards for each in shard.counts])
        for start, held in sorted(parts.items()):
            self._number += 1
            merged.append(_merge(self._number, self._before, held, counts[start]))
            self._before = merged[-1].end
            if merged[-1].about["on_time"]:
                self._on_time = start
                self._later.clear()
            else:
                self._later.add(start)
        return merged

    def _counted(self, number: int, until: Optional[int]) -> Iterator[dict[str, Any]]:
        """What the slices count that the manifest has passed since."""
        since = self._counted_until[number]
        for each in self._unmerged[number]:
            if until is not None and each.end <= until and (since is None or each.end > since):
                yield from each.about.get("counts", [])
        self._counted_until[number] = until

    def _parts(self, closed: int) -> dict[int, list[Slice]]:
        """The slices of each start that has closed."""
        parts: dict[int, list[Slice]] = {}
        for held in self._unmerged:
            for each in held:
                # Each shard removes slices by its own newest one. What one has removed is not
                # whole.
                if each.end <= closed and (self.whole_since is None
                                           or each.start >= self.whole_since):
                    parts.setdefault(each.start, []).append(each)
            held[:] = [each for each in held if each.end > closed]
        return parts

    def _counts(self, parts: dict[int, list[Slice]], of_manifests: list[dict[str, Any]]
                ) -> dict[int, tuple[int, int]]:
        """Late and refused records of each slice, with those that shards count apart."""
        starts = sorted(parts)
        sums = {start: [sum(int(each.about[name]) for each in parts[start])
                        for name in ("late", "refused")] for start in starts}
        on_time = [start for start in starts if any(each.about["on_time"] for each in parts[start])]
        waiting = []
        for is_of_slice, apart in [*((True, each) for each in self._apart),
                                   *((False, each) for each in of_manifests)]:
            start = None if apart["start"] is None else parse_time(apart["start"])
            if self._is_past(start):
                continue
            at: Optional[int] = None
            if start is None:
                at = starts[0] if starts else None
            elif start in sums:
                at = start
            else:
                place = bisect.bisect_left(on_time, start)
                at = on_time[place] if place < len(on_time) else None
            if at is not None:
                sums[at][0] += int(apart["late"])
                sums[at][1] += int(apart["refused"])
            elif is_of_slice:  # manifests say it again
                waiting.append(apart)
        self._apart = waiting
        return {start: (late, refused) for start, (late, refused) in sums.items()}

    def _is_past(self, start: Optional[int]) -> bool:
        """Whether the slice that counts this was given before, or is not whole."""
        if start is None:
            return self._number > 0 or self.whole_since is not None
        if self.whole_since is not None and start < self.whole_since:
            return True
        return start in self._later or (self._on_time is not None and start <= self._on_time)


def _merge(number: int, before: Optional[int], held: list[Slice], counts: tuple[int, int]) -> Slice:
    offsets: dict[str, dict[str, list[int]]] = {}
    for each in held:
        for topic, partitions in each.about["offsets"].items():
            offsets.setdefault(topic, {}).update(partitions)  # a partition belongs to one shard
    parts: list[Part] = [part for each in held for part in each.parts]
    about = {"edges": sum(each.edges for each in held), "late": counts[0], "refused": counts[1],
             "gap": any(each.about["gap"] for each in held),
             "on_time": any(each.about["on_time"] for each in held), "offsets": offsets}
    return Slice(number, held[0].start, held[0].end, before, about, tuple(parts))
