"""Which windows a folder of slices has (windows/semantics.md, "Slices and windows")."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable

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


def planned_windows(spec: WindowSpec, folder: Slices, ended: bool) -> list[PlannedWindow]:
    """The windows that hold a slice, and the next one after each, in which a silence may begin;
    oldest first. Windows that hold removed slices are left out, and unless the stream has `ended`,
    those that end after what is closed. InputError: the slices cannot make this window."""
    _check(spec, folder)
    text = filter_text(spec.types, spec.where)
    on_time = [each for each in folder.slices if each.is_on_time(text)]
    last_on_time = [each for each in folder.slices if each.is_on_time("")]
    if not on_time or folder.closed_until is None:
        return []
    oldest = folder.slices[0]
    if spec.length is None and oldest.previous_end is not None:
        raise InputError(f"window `{spec.name}`: it begins with the stream, and the slices before "
                         f"{time_text(oldest.start)} were removed (`keep`)")
    first, last = end_of(on_time[0].start, spec), end_of(last_on_time[-1].start, spec)
    if not ended:
        last = min(last, folder.closed_until)
    found = []
    for end in sorted(set(_ends(spec, folder, on_time[0], last))):
        start = on_time[0].start if spec.length is None else end - spec.length
        if not first <= end <= last:
            continue
        if oldest.previous_end is not None and start < oldest.previous_end:
            continue
        held = tuple(each for each in folder.slices
                     if each.end <= end and (spec.length is None or each.start >= start))
        found.append(PlannedWindow(start, end, held))
    return found


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


def _ends(spec: WindowSpec, folder: Slices, first: Slice, last: int) -> Iterable[int]:
    if spec.length is None:
        yield from range(end_of(first.start, spec), last + 1, spec.slide)
        return
    for each in folder.slices:
        if each.number >= first.number:  # late edges that were moved do not begin a window
            least = end_of(each.start, spec)
            yield from range(least, least + spec.length + 1, spec.slide)


def _check(spec: WindowSpec, folder: Slices) -> None:
    if spec.by != "event_time":
        raise InputError(f"window `{spec.name}`: is `by: {spec.by}`; slices are cut by event time, "
                         "and make such windows only")
    for name, amount in (("slide", spec.slide), ("offset", spec.offset)):
        if amount % folder.pane:
            raise InputError(f"window `{spec.name}`: its {name} is not a multiple of the pane of "
                             f"the slices, {folder.pane / 10**9:g} s; the configuration had other "
                             "windows when they were exported")
    text = filter_text(spec.types, spec.where)
    for each in folder.slices:
        lacking = [part for part in each.parts if part.column_of(text) is None] if text else []
        if lacking:
            known = [entry["filter"] for entry in lacking[0].about["filters"]]
            raise InputError(f"window `{spec.name}`: slice {each.number} has no column for its "
                             f"filter `{text}`; it has {', '.join(known) or 'none'}. Only filters "
                             "that the configuration had when slices were exported can be used")
