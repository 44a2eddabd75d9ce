"""Which windows a stream has, and their content (windows/semantics.md)."""
from dataclasses import dataclass
from functools import cached_property
from typing import Callable, Iterable, Iterator

from .configuration import WindowSpec
from .live_edges import Dated, Edge, LiveEdges
from .slices import Shown, Slice, Slices


@dataclass
class Window:
    """One advance of one window."""

    start: int  # event time, nanoseconds
    end: int
    advance: int  # window end / slide, rounded down; decides `every`
    accepted: int | None  # by events: the number of the last accepted event
    slices: list[Slice]
    edges: list[Edge]
    pairs: int
    axis_end: int  # of the window, on its axis
    dated: list[Dated]  # the edges with the ends of their panes, on that axis

    @property
    def empty(self) -> bool:
        return not self.edges

    # The results of all jobs and sinks state these three.
    @cached_property
    def late(self) -> int:
        return sum(held.late for held in self.slices)

    @cached_property
    def refused(self) -> int:
        return sum(held.refused for held in self.slices)

    @cached_property
    def offsets(self) -> dict[str, dict[str, list[int]]]:
        """Least and greatest offset of accepted events, by topic and partition."""
        spans: dict[str, dict[str, list[int]]] = {}
        for held in self.slices:
            for (topic, partition), (least, greatest) in held.spans.items():
                span = spans.setdefault(topic, {}).setdefault(str(partition), [least, greatest])
                span[0] = min(span[0], least)
                span[1] = max(span[1], greatest)
        return spans


Wanted = Callable[[int], bool]  # of window end / slide, rounded down


def windows(spec: WindowSpec, slices: Slices,
            wanted: Wanted = lambda advance: True) -> Iterator[Window]:
    """Every wanted window that is an advance, oldest first: in a silence, at most the first."""
    silent = False
    for window in _filled(spec, slices, wanted):
        suppressed = window.empty and (silent or spec.empty_windows == "skip")
        silent = window.empty
        if not suppressed and wanted(window.advance):
            yield window


def _needed(ends: Iterable[int], spec: WindowSpec, wanted: Wanted) -> set[int]:
    """The ends of the wanted windows and of the ones before them, which may begin a silence."""
    needed: set[int] = set()
    before = None
    for end in ends:
        if wanted(end // spec.slide):
            needed |= {end} if before is None else {before, end}
        before = end
    return needed


def _filled(spec: WindowSpec, slices: Slices, wanted: Wanted) -> Iterator[Window]:
    shown = slices.shown(spec)
    if shown is None:
        return
    if spec.length is None:
        yield from _landmark(spec, slices, shown, wanted)
        return
    for end in sorted(_needed(_ends(spec, slices, shown), spec, wanted)):
        numbers = range((end - spec.length) // slices.pane, end // slices.pane)
        held = [slices.held[number] for number in numbers if number in slices.held]
        live = LiveEdges(spec.duplicates, spec.identity)
        for number in numbers:
            live.apply(shown.events.get(number, ()), (number + 1) * slices.pane)
        yield _window(spec, slices, end - spec.length, end, held, live)


def _landmark(spec: WindowSpec, slices: Slices, shown: Shown, wanted: Wanted) -> Iterator[Window]:
    """Landmark window: the events of each slide are applied to the previous content."""
    live = LiveEdges(spec.duplicates, spec.identity)
    held: list[Slice] = []
    waiting = sorted(slices.held)
    begin = shown.first // slices.pane * slices.pane
    ends = range(_end_of(shown.first, spec), _end_of(slices.last, spec) + 1, spec.slide)
    needed = _needed(ends, spec, wanted)
    for end in ends:
        while waiting and waiting[0] < end // slices.pane:
            number = waiting.pop(0)
            live.apply(shown.events.get(number, ()), (number + 1) * slices.pane)
            held.append(slices.held[number])
        if end in needed:
            yield _window(spec, slices, begin, end, list(held), live)


def _end_of(place: int, spec: WindowSpec) -> int:
    """The end of the first window that contains a place of the axis."""
    return ((place - spec.offset) // spec.slide + 1) * spec.slide + spec.offset


def _ends(spec: WindowSpec, slices: Slices, shown: Shown) -> list[int]:
    """The ends of windows that contain a slice of which they show something, and the next end after
    each: where a silence begins."""
    first, last = _end_of(shown.first, spec), _end_of(slices.last, spec)
    ends: set[int] = set()
    for number in shown.events:
        if number < shown.first // slices.pane:
            continue  # late events that were moved do not begin a window
        least = _end_of(number * slices.pane, spec)
        ends.update(range(least, least + spec.length + 1, spec.slide))
    return sorted(end for end in ends if first <= end <= last)


def _window(spec: WindowSpec, slices: Slices, begin: int, end: int, held: list[Slice],
            live: LiveEdges) -> Window:
    advance = end // spec.slide
    if slices.by == "events":
        found = [event.time for each in held for event in each.events]
        return Window(min(found), max(found), advance, min(end, slices.last + 1), held,
                      live.edges(), live.pairs, end, live.dated())
    return Window(begin, end, advance, None, held, live.edges(), live.pairs, end,
                  live.dated())
