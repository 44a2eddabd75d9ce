"""Edge events to slices (windows/semantics.md).

A slice is the pane of the windows: the greatest common divisor of their slides and offsets.
Lateness is decided per partition, so a slice holds the same events however the partitions
interleave. The edges of a record are judged by the records before it; what is late or refused of it
counts where its newest edge is, or that of an earlier record.

Edges that `source.dedupe` leaves out are in `events`, and not in `counting`.
"""
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Iterable

from .configuration import Configuration, WindowSpec
from .duplicate_ids import Deduplicator
from .filters import WindowFilter
from .records import Event, Refused, by_record


@dataclass
class Slice:
    events: list[Event] = field(default_factory=list)  # in the order in which they take effect
    counting: list[Event] = field(default_factory=list)  # those of them that enter windows
    late: int = 0
    refused: int = 0

    @cached_property
    def spans(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Least and greatest offset of its events, by topic and partition."""
        offsets: dict[tuple[str, int], list[int]] = {}
        for event in self.events:
            offsets.setdefault((event.topic, event.partition), []).append(event.offset)
        return {partition: (min(found), max(found)) for partition, found in offsets.items()}


@dataclass
class Slices:
    """The input of the windows. Slice k holds [k * pane, (k + 1) * pane) of the axis."""

    by: str
    pane: int
    held: dict[int, Slice]
    first: int  # least and greatest place of accepted events on the axis, late ones apart
    last: int
    newest: dict[tuple[str, int], int]  # by partition: the greatest event time accepted

    def shown(self, spec: WindowSpec) -> "Shown | None":
        """What a window shows of them; None: it never begins."""
        if spec.filter is None:
            passing = {number: held.counting for number, held in self.held.items()}
            return Shown(self.first, {number: found for number, found in passing.items() if found})
        began = [number for number, held in self.held.items()
                 if any(event.time // self.pane == number  # it was not moved here
                        for event in _passing(spec.filter, held.events))]
        if not began:
            return None
        return Shown(min(began) * self.pane, {
            number: found for number, held in self.held.items()
            if (found := _passing(spec.filter, held.counting))})


@dataclass
class Shown:
    """The part of the slices that a window shows, as if there were no other events."""

    first: int  # a place on the axis in the first slice with an event that is not late
    events: dict[int, list[Event]]  # by slice; only slices that have some


def _passing(chosen: WindowFilter, events: list[Event]) -> list[Event]:
    return [event for event in events
            if chosen.passes(event.operation, event.type, event.judged)]


def cut(records: Iterable[Event | Refused], configuration: Configuration) -> Slices | None:
    """The slices of these records. None when no event was accepted: then there is no window."""
    axes = {window.by for window in configuration.windows}
    assert len(axes) == 1, "the windows of one stream share their slices, so their axis too"
    pane = math.gcd(*(step for window in configuration.windows
                      for step in (window.slide, window.offset)))
    if axes == {"events"}:
        slices = _cut_by_count(records, pane)
    else:
        stream = configuration.stream
        slices = _cut_by_time(records, pane, stream.disorder, stream.late)
    if slices:
        within = configuration.stream.dedupe_within
        deduplicator = None if within is None else Deduplicator(within)
        for number, held in sorted(slices.held.items()):
            held.events.sort()
            held.counting = (held.events if deduplicator is None else
                             list(deduplicator.counting(number * pane, held.events)))
    return slices


class _Counted:
    """Slices being filled: counts before the first event belong to the first slice."""

    def __init__(self) -> None:
        self.held: dict[int, Slice] = {}
        self._before_first = Slice()

    def at(self, number: int | None) -> Slice:
        if number is None:
            return self._before_first
        return self.held.setdefault(number, Slice())

    def settle(self, first: int) -> dict[int, Slice]:
        self.at(first).refused += self._before_first.refused
        return self.held


def _cut_by_time(records: Iterable[Event | Refused], pane: int, disorder: int,
                 late_policy: str) -> Slices | None:
    counted = _Counted()
    newest: dict[tuple[str, int], int] = {}
    first: int | None = None
    for partition, refused, events in by_record(records):
        seen = newest.get(partition)
        late = 0
        for event in events:
            number = event.time // pane
            if seen is not None and (number + 1) * pane <= seen - disorder:
                late += 1
                if late_policy == "next_slice":
                    counted.at((seen - disorder) // pane).events.append(event)
                continue
            counted.at(number).events.append(event)
            newest[partition] = max(newest.get(partition, event.time), event.time)
            first = event.time if first is None else min(first, event.time)
        here = newest[partition] // pane if partition in newest else None
        counted.at(here).late += late
        counted.at(here).refused += len(refused)
    if first is None:
        return None
    return Slices("event_time", pane, counted.settle(first // pane), first, max(newest.values()),
                  newest)


def _cut_by_count(records: Iterable[Event | Refused], pane: int) -> Slices | None:
    """The slices by number of accepted events: nothing is late, and what is refused belongs to the
    newest event up to its record."""
    counted = _Counted()
    newest: dict[tuple[str, int], int] = {}
    accepted = 0
    last_of: dict[tuple[str, int], int] = {}
    for partition, refused, events in by_record(records):
        for event in events:
            number = accepted // pane
            counted.at(number).events.append(event)
            last_of[partition] = number
            newest[partition] = max(newest.get(partition, event.time), event.time)
            accepted += 1
        counted.at(last_of.get(partition)).refused += len(refused)
    if accepted == 0:
        return None
    return Slices("events", pane, counted.settle(0), 0, accepted - 1, newest)
