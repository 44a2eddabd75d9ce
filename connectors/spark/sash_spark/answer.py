"""What a kernel gives, and what it gets."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import numpy

from sash_spark.configuration import JobSpec
from sash_spark.graph import Graph
from sash_spark.progress import Progress
from sash_spark.ranking import greatest_first

Array = numpy.ndarray[Any, Any]


@dataclass
class Listing:
    """Rows of a result: the vertex (or set) of each id, its rank, and its values by name.

    A value is given by id: an array or a dictionary. `names_vertex`: values that are ids of
    vertices, shown as keys; -1 is null.
    """

    ids: Array
    values: dict[str, Any]
    name: str = "vertex"
    names_vertex: tuple[str, ...] = ()


@dataclass
class Part:
    """The figures and the list of a result, or of one traversal of it."""

    figures: dict[str, Any] = field(default_factory=dict)
    top: Optional[Listing] = None
    root: Any = None  # a key


@dataclass
class Answer:
    """`vectors`: by name, one value for each vertex, for Parquet. `groups`: by id, the id that
    names the vertex's set."""

    parts: list[Part]
    iterations: int = 0
    converged: bool = True
    residual: Optional[float] = None
    error: Optional[str] = None
    is_separate: bool = False
    group_name: str = ""
    groups: Optional[Array] = None
    vectors: dict[str, Any] = field(default_factory=dict)
    further: dict[str, Any] = field(default_factory=dict)  # members with keys already, at the end


@dataclass(frozen=True)
class Run:
    """One run of a job: its graph, its parameters with keys as the window has them."""

    graph: Graph
    job: JobSpec
    parameters: dict[str, Any]
    limit: Optional[int]  # of a list; None: all
    driver_limit: int  # in bytes
    progress: Progress

    @property
    def every_vertex(self) -> Array:
        return numpy.arange(self.graph.vertices, dtype=numpy.int64)

    def places(self, keys: Sequence[Any]) -> Array:
        """The ids of the keys that are in the window, ascending."""
        found = self.graph.keys.places(keys) if self.graph.vertices else {}
        return numpy.array(sorted(found.values()), dtype=numpy.int64)


def scored(run: Run, scores: Array, figures: dict[str, Any], name: str = "score") -> Part:
    """Vertices by score, greatest first; NaN: the vertex has none."""
    having = numpy.flatnonzero(~numpy.isnan(scores))
    return Part(figures, Listing(greatest_first(scores, having, run.limit), {name: scores}))
