"""Rows: the answer of an external job with `returns: rows`."""
from __future__ import annotations

from typing import Any, Optional

import numpy


class Rows:
    """Pairs of vertices by id, each with a score, or all without.

    `sources`, `targets`: ids of the snapshot. The result lists the rows with the greatest scores,
    and names their vertices by key. ValueError: the arrays are not of one length, or not of ids.
    """

    def __init__(self, sources: Any, targets: Any, scores: Optional[Any] = None) -> None:
        self.sources = _column("sources", sources)
        self.targets = _column("targets", targets)
        self.scores = None if scores is None else _column("scores", scores)
        for name in ("sources", "targets"):
            ids = getattr(self, name)
            if ids.size > 0 and ids.dtype.kind not in "iu":
                raise ValueError(f"{name} must be whole numbers, the ids of a snapshot, "
                                 f"not {ids.dtype}; for keys give a mapping")
        for name, column in (("targets", self.targets), ("scores", self.scores)):
            if column is not None and column.size != self.sources.size:
                raise ValueError(f"there are {self.sources.size} sources, but {column.size} {name}")

    def __len__(self) -> int:
        return int(self.sources.size)

    def columns(self) -> dict[str, list[Any]]:
        """The columns by name, in the form that the daemon takes."""
        columns = {"sources": self.sources.tolist(), "targets": self.targets.tolist()}
        if self.scores is not None and len(self) > 0:
            columns["scores"] = self.scores.tolist()
        return columns


def _column(name: str, values: Any) -> numpy.ndarray[Any, Any]:
    column = numpy.asarray(values)
    if column.ndim != 1:
        raise ValueError(f"{name} has {column.ndim} dimensions; give one value for each row")
    return column
