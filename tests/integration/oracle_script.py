"""Streams and configurations for tests of the oracle."""
from oracle.configuration import from_document
from oracle.records import Event, Refused
from oracle.slices import cut
from oracle.windows import Window, windows

SECOND = 10**9


def configuration(window: dict | None = None, time: dict | None = None, jobs: list | None = None):
    return from_document({
        "source": {"replay": {"path": "-"},
                   "format": {"json": {"source": "/s", "target": "/t", "time": "/ts"}},
                   "time": {"unit": "s", "disorder": "0s", "late": "drop", **(time or {})}},
        "windows": [{"name": "w", "length": "20s", "slide": "10s", **(window or {})}],
        "jobs": jobs or [{"name": "shape", "kernel": "window", "window": "w"}],
        "sinks": [{"file": {"path": "results", "vertices": "all"}}]})


def script(*steps: tuple) -> list[Event | Refused]:
    """(seconds, operation, source, target, weight), or None for a refused record; in order of
    arrival."""
    result = []
    for offset, step in enumerate(steps):
        if step is None:
            result.append(Refused("replay", 0, offset, "broken"))
        else:
            defaults = (None, None, None, "b", 1)
            time, *rest = (*step, *defaults[len(step):])
            result.append(Event(time * SECOND, "replay", 0, offset, 0, *rest))
    return result


def windows_of(steps: list, **kind) -> list[Window]:
    given = configuration(**kind)
    return list(windows(given.windows[0], cut(steps, given)))


def ends(found: list[Window]) -> list[int]:
    return [window.end // SECOND for window in found]
