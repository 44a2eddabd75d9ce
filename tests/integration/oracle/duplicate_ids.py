"""`source.dedupe` (windows/semantics.md, "Ids of edges"): which edges do not count.

Follows the rule literally: each edge is compared with all edges of its id before it that counted.
"""
from collections import defaultdict
from collections.abc import Iterable, Iterator

from .records import Event


class Deduplicator:
    """Sees the slices in their order."""

    def __init__(self, within: int) -> None:
        self._within = within
        self._counted: dict[tuple, list[tuple[int, Event]]] = defaultdict(list)

    def counting(self, begin: int, events: Iterable[Event]) -> Iterator[Event]:
        """Those of a slice that count. An edge that was moved to the slice has the time at which
        the slice begins."""
        for event in events:
            if event.id is None:
                yield event
                continue
            time = max(event.time, begin)
            counted = self._counted[event.id]
            if any(time - before <= self._within and other[1:4] != event[1:4]
                   for before, other in counted):
                continue
            counted.append((time, event))
            yield event
