"""A window that is followed: after a restart it goes on where its results end."""
from __future__ import annotations

from typing import Callable, Optional, Sequence

from sash_spark.errors import InputError
from sash_spark.parameters import COMPARING
from sash_spark.plan import PlannedWindow, Planner, end_of
from sash_spark.result_files import Before, ResultFiles
from sash_spark.slices import Slice
from sash_spark.times import time_text
from sash_spark.window_run import WindowRun


class FollowedWindow:
    """step() gets the window's ends in their order. Those before the newest one that earlier runs
    wrote are not run again: they only serve jobs that compare."""

    def __init__(self, run: WindowRun, pane: int, output: ResultFiles,
                 stops: Callable[[], bool] = lambda: False) -> None:
        """`stops`: whether a step may have ended before its last job."""
        self.run = run
        self._output, self._stops = output, stops
        before = output.before(run.spec.name, [job.name for job in run.jobs])
        self.planner = Planner(run.spec, pane, before is not None)
        self._before = before
        self._compared = {job.name: before.jobs[job.name] for job in run.jobs
                          if job.kernel in COMPARING and job.name in before.jobs} if before else {}
        self._has_resumed = before is None
        self._has_seen_newest = False

    def said(self) -> str:
        since = "" if self._before is None else f" after {time_text(self._before.end)}"
        return f"the window {self.run.spec.name}{since}"

    def reads_since(self) -> Optional[int]:
        """Slices that start before this time are not needed; None: all are needed."""
        if self._before is None or self.run.spec.length is None:
            return None
        oldest = min([self._before.end, *self._compared.values()])
        return oldest - self.run.spec.length - self.run.spec.slide

    def needs(self) -> Optional[int]:
        """No further window, and no job that compares, needs a slice that starts before this time;
        None: they may need any."""
        held = self.run.oldest_held()
        if self.planner.needs is None or held is None:
            return self.planner.needs
        return min(self.planner.needs, held)

    def step(self, window: PlannedWindow) -> None:
        """Runs what this end needs. InputError: a slice that is needed to go on was removed before
        it was read."""
        before = self._before
        if before is None or window.end > before.end:
            self._resume()
            self._step(window)
            return
        names = [name for name, end in self._compared.items() if end == window.end]
        if names:
            self.run.recall(window, names)
            for name in names:
                del self._compared[name]
        if window.end == before.end:
            self._has_seen_newest = True
            self._resume()
            if self._is_unfinished(before):
                self.run.resume(before.snapshot - 1, False)
                self._step(window)

    def _step(self, window: PlannedWindow) -> None:
        self.run.step(window)
        if not self.run.has_result(window.end) and not self._stops():
            # A restart would not know that it needs no slices of this window.
            self._output.passed(self.run.spec.name, window.end, self.run.snapshot,
                                self.run.is_silent)

    def _is_unfinished(self, before: Before) -> bool:
        """Whether the process ended between two jobs."""
        return not before.is_passed and bool(self.run.due(before.end))

    def _resume(self) -> None:
        """Goes on after what earlier runs wrote: once, before the first window that runs."""
        before, since = self._before, self.planner.whole_since
        if self._has_resumed or before is None:
            return
        self._has_resumed = True
        spec = self.run.spec
        gone = since is not None and spec.length is not None and (
            end_of(before.end, spec) - spec.length < since)
        is_lost = not self._has_seen_newest and self._is_unfinished(before)
        if gone or is_lost or self._compared:
            removed = "" if since is None else f" before {time_text(since)}"
            raise InputError(
                f"window `{spec.name}`: its results end at {time_text(before.end)}, and slices"
                f"{removed} that the next one needs were removed before they were read; raise "
                "`keep` of the export, and give another --output, which begins with the windows "
                "that are whole")
        self.run.resume(before.snapshot, before.is_empty)


def steps_of(windows: Sequence[FollowedWindow], arrived: Sequence[Slice],
             closed_until: Optional[int]) -> list[tuple[FollowedWindow, PlannedWindow]]:
    """The windows that these slices make whole, in the order of their ends."""
    found = [(window.end, place, window) for place, each in enumerate(windows)
             for window in each.planner.take(arrived, closed_until)]
    return [(windows[place], window)
            for _, place, window in sorted(found, key=lambda step: step[:2])]
