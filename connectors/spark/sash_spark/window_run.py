"""One window of the configuration, from end to end: makes it of slices, and runs its jobs."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from pyspark.sql import DataFrame, SparkSession

from sash_spark.comparing import comparing_kernel
from sash_spark.configuration import JobSpec, WindowSpec
from sash_spark.content import Content
from sash_spark.errors import JobRefused
from sash_spark.jobs import run_job
from sash_spark.output import Output
from sash_spark.parameters import COMPARING
from sash_spark.plan import PlannedWindow, provenance
from sash_spark.progress import say
from sash_spark.times import time_text

# The events of a window that has slices (window_edges.py).
Events = Callable[[WindowSpec, PlannedWindow], DataFrame]


@dataclass(frozen=True)
class RunSettings:
    """What the command line says of runs. `stops`: whether to end after the job that runs."""

    output: Output
    limit: int
    lists_all: bool
    blocks: Optional[int]
    stops: Callable[[], bool] = lambda: False


class WindowRun:
    """`refused`: the jobs that were refused. step() is called for each end, in their order."""

    def __init__(self, session: SparkSession, spec: WindowSpec, jobs: Sequence[JobSpec],
                 settings: RunSettings, are_integers: bool, events: Events) -> None:
        self.spec, self.jobs = spec, jobs
        self.refused: set[str] = set()
        self._session, self._settings = session, settings
        self._are_integers, self._events = are_integers, events
        self._before: dict[str, Content] = {}  # of each comparing job's previous result
        self.is_silent, self.snapshot = False, 0  # of the window that was run last

    def resume(self, snapshot: int, is_silent: bool) -> None:
        """Goes on after a window that had this snapshot; `is_silent`: it was empty."""
        self.snapshot, self.is_silent = snapshot, is_silent

    def recall(self, window: PlannedWindow, names: Sequence[str]) -> None:
        """This window is that of the previous results of these comparing jobs."""
        content = self._content(window)
        for name in names:
            self._before[name] = content

    def has_result(self, end: int) -> bool:
        return any(self._settings.output.has(job.name, time_text(end)) for job in self.jobs)

    def due(self, end: int) -> list[JobSpec]:
        """The jobs that run at this end and have no result."""
        return [job for job in self.jobs if end // self.spec.slide % job.every == 0
                and not self._settings.output.has(job.name, time_text(end))]

    def step(self, window: PlannedWindow) -> None:
        if self.is_silent and not window.slices:
            return
        self._session.sparkContext.setJobDescription(f"{self.spec.name}: makes a window")
        # One that was recalled is not made again: Spark would release both with the first one.
        content = next((each for each in self._before.values() if each.window == window),
                       None) or self._content(window)
        is_empty = content.edge_count == 0
        if is_empty and (self.is_silent or self.spec.empty_windows == "skip"):
            self.is_silent = True
            self._release(content)
            return
        self.is_silent = is_empty
        self.snapshot += 1
        self._run_jobs(content)
        self._release(content)

    def oldest_held(self) -> Optional[int]:
        """The start of the oldest window that a comparing job needs; None: none does."""
        return min((each.window.start for each in self._before.values()), default=None)

    def close(self) -> None:
        for content in set(self._before.values()):
            content.close()
        self._before = {}

    def _content(self, window: PlannedWindow) -> Content:
        return Content(self._session, self.spec, window, self._are_integers, self._settings.limit,
                       self._settings.blocks, self._events)

    def _release(self, content: Content) -> None:
        if content not in self._before.values():
            content.close()

    def _run_jobs(self, content: Content) -> None:
        due = self.due(content.window.end)
        if not due:
            return
        try:
            vertices = content.graph.vertices
        except JobRefused as refused:
            for job in due:
                say(f"job {job.name} is refused: {refused}")
                self.refused.add(job.name)
            return
        about = provenance(self.spec, content.window, self.snapshot, content.edge_count, vertices)
        dropped = set()
        for job in due:
            if self._settings.stops():
                break
            compares = job.kernel in COMPARING
            kernel = (comparing_kernel(job.kernel, content, self._before.get(job.name))
                      if compares else None)
            if not run_job(job, content.graph, about, self._are_integers, self._settings.output,
                           self._settings.limit, self._settings.lists_all, kernel):
                self.refused.add(job.name)
            if compares:
                dropped.add(self._before.get(job.name))
                self._before[job.name] = content
        for each in dropped - set(self._before.values()):
            if each is not None:
                each.close()
