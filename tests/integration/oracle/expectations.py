"""What each job must answer for each window (the design, interfaces: results)."""
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Iterator

import numpy

from .configuration import Configuration, JobSpec, WindowSpec
from .kernels import Graph, bfs, pagerank
from .live_edges import Key
from .slices import Slices
from .weights import total
from .windows import Window, windows


class Content:
    """The graph of one window, built once for all the jobs that look at it."""

    def __init__(self, window: Window) -> None:
        self.window = window

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.window.edges)

    @cached_property
    def listing(self) -> list[dict[str, Any]]:
        return [{"source": source, "target": target, "weight": weight}
                for source, target, weight in sorted(self.window.edges)]

    @cached_property
    def weight(self) -> int | float:
        return total([edge[2] for edge in self.window.edges])


@dataclass
class Expectation:
    """One result: who it is, what it says, and the graph to ask for the rest."""

    job: JobSpec
    spec: WindowSpec
    content: Content

    @property
    def window(self) -> Window:
        return self.content.window

    @property
    def identity(self) -> tuple[str, int]:
        """Within its window: the window end, or the last accepted event."""
        window = self.window
        return self.job.name, window.end if window.accepted is None else window.accepted

    @cached_property
    def scores(self) -> dict[Key, float]:
        parameters = self.job.parameters
        ranks: numpy.ndarray = pagerank(self.content.graph, parameters["damping"],
                                        parameters["tolerance"], parameters["max_iterations"])
        return dict(zip(self.content.graph.keys, ranks.tolist()))

    @cached_property
    def traversals(self) -> list[dict[Key, int]]:
        """Depths by vertex: one traversal of all roots together, or one for each."""
        parameters = self.job.parameters
        roots = parameters["roots"]
        starts = [[root] for root in roots] if parameters["separate"] else [roots]
        return [bfs(self.content.graph, start, parameters["direction"]) for start in starts]


def expectations(configuration: Configuration, slices: Slices | None) -> Iterator[Expectation]:
    """Window by window, in order; for each, every job that runs on it."""
    if slices is None:
        return
    for spec in configuration.windows:
        jobs = [job for job in configuration.jobs if job.window == spec.name]
        for window in windows(spec, slices):
            content = Content(window)
            for job in jobs:
                if window.advance % job.every == 0:
                    yield Expectation(job, spec, content)
