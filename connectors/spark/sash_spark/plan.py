"""Which windows a folder of slices has (windows/semantics.md, "Slices and windows")."""
from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from sash_spark.configuration import WindowSpec
from sash_spark.errors import InputError
from sash_spark.slices import Slice, Slices, filter_text
from sash_spark.times import time_text


@dataclass(frozen=True)
class PlannedWindow:
    """One window of [start, end), in nanoseconds, with its slices, oldest first."""

    start: int
    end: int
    slices: tuple[Slice, ...]


def end_of(time: int, spec: WindowSpec) -> int:
    """The end of the first window that holds this time."""
    return ((time - spec.offset) // spec.slide + 1) * spec.slide + spec.offset


class Planner:
    """The windows of one configuration, as slices close. Whatever the amounts in which they are
    given, the windows are the same. `done`: the end up to which windows were planned; None: none.
    `needs`: further windows hold no slice that starts before it; None: they may hold any.
    """

    def __init__(self, spec: WindowSpec, pane: int, has_begun: bool = False) -> None:
        """`has_begun`: the first slice with an edge of the window may be removed. InputError:
        slices with this pane cannot make this window."""
        self.spec = spec
        self.done: Optional[int] = None
        self.needs: Optional[int] = None
        self.whole_since: Optional[int] = None  # slices before it were removed; None: none were
        _check_pane(spec, pane)
        self._text = filter_text(spec.types, spec.where)
        self._slices: list[Slice] = []  # that further windows may hold, or that make their ends
        self._is_new = True
        self._first: Optional[Slice] = None  # with an edge of the window that was on time
        self._has_begun = has_begun and spec.length is not None
        self._newest: Optional[int] = None  # the start of the newest slice that was on time

    def take(self, arrived: Sequence[Slice], closed_until: Optional[int], ended: bool = False
             ) -> list[PlannedWindow]:
        """The windows that hold a slice, and the next one after each, in which a silence may begin;
        oldest first. Windows that hold removed slices are left out, and unless the stream has
        `ended`, those that end after what is closed. InputError: the slices cannot make it."""
        _check_filter(self.spec, self._text, arrived)
        for each in arrived:
            if self._is_new:
                self._is_new, self.whole_since = False, each.previous_end
            if self._first is None and (self._has_begun or each.is_on_time(self._text)):
                self._first = each
            if each.is_on_time(""):
                self._newest = each.start
            self._slices.append(each)
        if self._first is None or self._newest is None or closed_until is None:
            self._forget(closed_until)
            return []
        if self.spec.length is None and self.whole_since is not None:
            raise InputError(f"window `{self.spec.name}`: it begins with the stream, and the "
                             f"slices before {time_text(self.whole_since)} were removed (`keep`)")
        last = end_of(self._newest, self.spec)
        if not ended:
            last = min(last, closed_until)
        found = self._windows(self._first, last)
        self.done = last if self.done is None else max(self.done, last)
        self._forget(self.done)
        return found

    def _windows(self, first: Slice, last: int) -> list[PlannedWindow]:
        starts = [each.start for each in self._slices]
        ends = [each.end for each in self._slices]
        found = []
        for end in sorted(set(self._ends(first, last))):
            start = first.start if self.spec.length is None else end - self.spec.length
            if not end_of(first.start, self.spec) <= end <= last:
                continue
            if self.done is not None and end <= self.done:
                continue
            if self.whole_since is not None and start < self.whole_since:
                continue
            begin = 0 if self.spec.length is None else bisect.bisect_left(starts, start)
            found.append(PlannedWindow(
                start, end, tuple(self._slices[begin:bisect.bisect_right(ends, end)])))
        return found

    def _ends(self, first: Slice, last: int) -> Iterable[int]:
        slide = self.spec.slide
        if self.spec.length is None:
            begin = first.start if self.done is None else max(first.start, self.done)
            yield from range(end_of(begin, self.spec), last + 1, slide)
            return
        for each in self._slices:
            if each.number >= first.number:  # late edges that were moved do not begin a window
                least = end_of(each.start, self.spec)
                yield from range(least, least + self.spec.length + 1, slide)

    def _forget(self, until: Optional[int]) -> None:
        """Slices that no window that ends after `until` holds, and that make no such end."""
        if self.spec.length is None or until is None:
            return
        self.needs = until - self.spec.length - self.spec.slide
        kept = bisect.bisect_left([each.start for each in self._slices], self.needs)
        del self._slices[:kept]


def planned_windows(spec: WindowSpec, folder: Slices, ended: bool) -> list[PlannedWindow]:
    """The windows of all slices of a folder, as Planner.take()."""
    return Planner(spec, folder.pane).take(folder.slices, folder.closed_until, ended)


def provenance(spec: WindowSpec, window: PlannedWindow, snapshot: int, edges: int,
               vertices: int) -> dict[str, Any]:
    """What a result says of its window, as in the manifest of a snapshot."""
    spans: dict[str, dict[str, list[int]]] = {}
    for each in window.slices:
        for topic, partitions in each.about["offsets"].items():
            for partition, (least, greatest) in partitions.items():
                span = spans.setdefault(topic, {}).setdefault(partition, [least, greatest])
                span[0], span[1] = min(span[0], least), max(span[1], greatest)
    ordered = {topic: dict(sorted(spans[topic].items(), key=lambda each: int(each[0])))
               for topic in sorted(spans, key=str.encode)}
    return {"window": spec.name, "snapshot": snapshot, "window_start": time_text(window.start),
            "window_end": time_text(window.end), "watermark": time_text(window.end),
            "empty": edges == 0, "final": True,
            "gap": any(each.about["gap"] for each in window.slices),
            "edges": edges, "vertices": vertices,
            "late": sum(each.about["late"] for each in window.slices),
            "refused": sum(each.about["refused"] for each in window.slices), "offsets": ordered}


def _check_pane(spec: WindowSpec, pane: int) -> None:
    if spec.by != "event_time":
        raise InputError(f"window `{spec.name}`: is `by: {spec.by}`; slices are cut by event time, "
                         "and make such windows only")
    for name, amount in (("slide", spec.slide), ("offset", spec.offset)):
        if amount % pane:
            raise InputError(f"window `{spec.name}`: its {name} is not a multiple of the pane of "
                             f"the slices, {pane / 10**9:g} s; the configuration had other "
                             "windows when they were exported")


def _check_filter(spec: WindowSpec, text: str, slices: Sequence[Slice]) -> None:
    for each in slices if text else ():
        lacking = [part for part in each.parts if part.column_of(text) is None]
        if lacking:
            known = [entry["filter"] for entry in lacking[0].about["filters"]]
            raise InputError(f"window `{spec.name}`: slice {each.number} has no column for its "
                             f"filter `{text}`; it has {', '.join(known) or 'none'}. Only filters "
                             "that the configuration had when slices were exported can be used")
