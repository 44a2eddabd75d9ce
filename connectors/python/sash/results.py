"""Results of jobs, and what changed between two of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import pandas

Key = Union[str, int]
Row = dict[str, Any]


class _OfSnapshot:
    """What a job says of one advance of its window; `about` is the whole answer of the API."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.about = about

    @property
    def job(self) -> str:
        return str(self.about["job"])

    @property
    def snapshot(self) -> int:
        """The number of the advance."""
        return int(self.about["snapshot"])


class Result(_OfSnapshot):
    """One result of a job; `about` has all its members, as in files and on Kafka.

    `window_end` is a text in UTC: "2026-01-01T00:00:05.000Z".
    """

    @property
    def window(self) -> str:
        return str(self.about["window"])

    @property
    def window_end(self) -> str:
        return str(self.about["window_end"])

    @property
    def top(self) -> list[Row]:
        """The listed rows: vertices or sets with rank and score. Empty for kernels without them."""
        return list(self.about.get("top", []))

    @property
    def pairs(self) -> list[Row]:
        """The listed pairs, with source and target. Empty for kernels without them."""
        return list(self.about.get("top_edges", []))

    def scores(self) -> dict[Key, Any]:
        """The scores of the listed vertices, by key.

        KeyError: the rows have no scores, but depths, distances or sets; see `top`.
        """
        return {row["vertex"]: row["score"] for row in self.top}

    def to_pandas(self) -> pandas.DataFrame:
        """The rows, or the pairs, as a table."""
        import pandas
        return pandas.DataFrame(self.top or self.pairs)

    def __repr__(self) -> str:
        return (f"<sash.Result {self.job} of {self.window} {self.snapshot}, to {self.window_end}: "
                f"{len(self.top or self.pairs)} rows>")


class Diff(_OfSnapshot):
    """What changed from the previous result of a job to this one.

    A row has the vertex (or set), and its rank and score (or what the job ranks by).
    """

    @property
    def entered(self) -> list[Row]:
        """The rows that the previous result did not have."""
        return list(self.about["entered"])

    @property
    def left(self) -> list[Row]:
        """The rows that only the previous result had, with `rank_before`, `score_before`."""
        return list(self.about["left"])

    @property
    def changed(self) -> list[Row]:
        """The rows with another rank or score than before, with both."""
        return list(self.about["changed"])

    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a table, with a column `change`: entered, left or changed."""
        import pandas
        return pandas.DataFrame([{"change": change, **row}
                                 for change in ("entered", "left", "changed")
                                 for row in self.about[change]])

    def __repr__(self) -> str:
        return (f"<sash.Diff {self.job} {self.snapshot}: {len(self.entered)} entered, "
                f"{len(self.left)} left, {len(self.changed)} changed>")


class Vertex:
    """A vertex of a window's newest snapshot, with its neighbours."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.about = about

    @property
    def key(self) -> Key:
        key: Key = self.about["vertex"]
        return key

    @property
    def out_degree(self) -> int:
        """The number of all edges that leave it, also if `out` lists fewer."""
        return int(self.about["out_degree"])

    @property
    def in_degree(self) -> int:
        """The number of all edges that enter it, also if `in_` lists fewer."""
        return int(self.about["in_degree"])

    @property
    def out(self) -> list[Row]:
        """The edges that leave it: vertex, weight and type. At most as many as were asked for."""
        return list(self.about["out"])

    @property
    def in_(self) -> list[Row]:
        """The edges that enter it, as `out`."""
        return list(self.about["in"])

    def to_pandas(self) -> pandas.DataFrame:
        """The neighbours as a table, with a column `direction`: out or in."""
        import pandas
        return pandas.DataFrame([{"direction": direction, **row} for direction in ("out", "in")
                                 for row in self.about[direction]])

    def __repr__(self) -> str:
        return f"<sash.Vertex {self.key!r}: {self.out_degree} out, {self.in_degree} in>"
