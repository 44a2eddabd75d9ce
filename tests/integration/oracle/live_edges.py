"""The visible edges of a window: duplicates policies and removals (windows/semantics.md)."""
from typing import Iterable, Iterator

from .records import Event
from .weights import total

Key = str | int
Edge = tuple[Key, Key, int | float, str]  # with its type; "": it has none
Copy = tuple[int | float, str, int]  # with the pane in which it came
Dated = tuple[tuple[Key, Key], int | float, set[int]]  # a pair, a weight, panes


class LiveEdges:
    """Applies events in their order and returns the visible edges after them."""

    def __init__(self, duplicates: str, identity: str = "pair") -> None:
        self._duplicates = duplicates
        self._by_type = duplicates == "keep" or identity == "pair_and_type"
        self._copies: dict[tuple[Key, Key], list[Copy]] = {}

    def apply(self, events: Iterable[Event], pane: int = 0) -> None:
        for event in events:
            pair = (event.source, event.target)
            if event.operation == "remove":
                self._end(pair, event.type or None)
            elif event.operation == "remove_vertex":
                gone = [other for other in self._copies if event.source in other]
                for other in gone:
                    del self._copies[other]
            else:
                if self._duplicates == "drop":
                    self._end(pair, event.type or "")
                self._copies.setdefault(pair, []).append(
                    (event.weight, event.type or "", pane))

    def _end(self, pair: tuple[Key, Key], of_type: str | None) -> None:
        """Ends the copies of a type (None: of all types) if types count, and otherwise all."""
        copies = self._copies.pop(pair, [])
        if not self._by_type or of_type is None:
            return
        left = [copy for copy in copies if copy[1] != of_type]
        if left:
            self._copies[pair] = left

    @property
    def pairs(self) -> int:
        return len(self._copies)

    def edges(self) -> list[Edge]:
        """Every copy in `keep`, one edge per identity in `drop` and `weigh`; in no order."""
        if self._duplicates == "weigh":
            return [edge for pair, copies in self._copies.items()
                    for edge in self._sums(pair, copies)]
        return [(*pair, *copy[:2]) for pair, copies in self._copies.items() for copy in copies]

    def dated(self) -> list[Dated]:
        """The edges of edges() with the panes in which they came: in `weigh` those of all copies
        that their sum holds."""
        if self._duplicates == "weigh":
            return [(pair, total([copy[0] for copy in group]), {copy[2] for copy in group})
                    for pair, copies in self._copies.items()
                    for group in self._summed_up(copies)]
        return [(pair, copy[0], {copy[2]})
                for pair, copies in self._copies.items() for copy in copies]

    def _sums(self, pair: tuple[Key, Key], copies: list[Copy]) -> Iterator[Edge]:
        for group in self._summed_up(copies):
            yield (*pair, total([copy[0] for copy in group]), group[-1][1])

    def _summed_up(self, copies: list[Copy]) -> list[list[Copy]]:
        if not self._by_type:
            return [copies]
        return [[copy for copy in copies if copy[1] == of_type]
                for of_type in {copy[1] for copy in copies}]
