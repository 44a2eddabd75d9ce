"""The visible edges of a window: duplicates policies and removals (windows/semantics.md)."""
from typing import Iterable

from .records import Event
from .weights import total

Key = str | int
Edge = tuple[Key, Key, int | float]


class LiveEdges:
    """Applies events in their order and returns the visible edges after them."""

    def __init__(self, duplicates: str) -> None:
        self._duplicates = duplicates
        self._copies: dict[tuple[Key, Key], list[int | float]] = {}

    def apply(self, events: Iterable[Event]) -> None:
        for event in events:
            pair = (event.source, event.target)
            if event.operation == "remove":
                self._copies.pop(pair, None)
            elif event.operation == "remove_vertex":
                gone = [other for other in self._copies if event.source in other]
                for other in gone:
                    del self._copies[other]
            elif self._duplicates == "drop":
                self._copies[pair] = [event.weight]
            else:
                self._copies.setdefault(pair, []).append(event.weight)

    @property
    def pairs(self) -> int:
        return len(self._copies)

    def edges(self) -> list[Edge]:
        """Every copy in `keep`, one edge per pair in `drop` and `weigh`; in no order."""
        if self._duplicates == "weigh":
            return [(*pair, total(weights)) for pair, weights in self._copies.items()]
        return [(*pair, weight) for pair, weights in self._copies.items() for weight in weights]
