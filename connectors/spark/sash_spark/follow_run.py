"""Follows slices while sashd writes them: each window runs its jobs once when all have closed it.

Invariants: (1) The windows, and what results say, are those of slices_run.py over the same slices.
(2) A result that is there is not made again; a run goes on after those that are there. (3) What no
further window needs is released: in the cluster, on the driver, and the locks of its files.
"""
from __future__ import annotations

import pathlib
from typing import Iterator, Optional, Sequence

from pyspark.sql import SparkSession

from sash_spark.command import chosen_jobs
from sash_spark.configuration import Configuration, JobSpec
from sash_spark.errors import InputError, NotThereYet
from sash_spark.followed_window import FollowedWindow, steps_of
from sash_spark.jobs import with_keys
from sash_spark.plan import end_of
from sash_spark.progress import say
from sash_spark.repeated_ids import IdsSeen
from sash_spark.result_files import ResultFiles
from sash_spark.session import fit_shuffles, open_session
from sash_spark.shards import ShardFolders, open_slices
from sash_spark.slice_cache import SliceCache
from sash_spark.slices import Slice, Slices
from sash_spark.slices_run import check_files
from sash_spark.times import time_text
from sash_spark.waiting import Ending, Waiting
from sash_spark.window_run import RunSettings, WindowRun

_EDGES_AT_ONCE = 20_000_000  # of slices that are there already


def follow_slices(folder: pathlib.Path, configuration: Configuration, names: Optional[list[str]],
                  output: ResultFiles, limit: int, lists_all: bool, blocks: Optional[int],
                  poll: float, ending: Ending) -> int:
    """Follows slices until `ending`. Returns the exit code: 0, or 1 if no job can run. InputError:
    the slices cannot be used."""
    jobs, refused = chosen_jobs(configuration, names, None)
    if not jobs:
        say("no job is left to run")
        return 1 if refused else 0
    waiting = Waiting()
    slices = _opened(folder, waiting, poll, ending)
    if slices is None:
        return 0
    try:
        for job in jobs:
            with_keys(job, slices.has_integer_keys)
        session = open_session("sash-spark")
        ending.catch_signals()
        settings = RunSettings(output, limit, lists_all, blocks, ending.is_asked)
        following = _Following(session, slices, configuration, jobs, settings, output)
        try:
            following.run(waiting, poll, ending)
        finally:
            following.close()
        return 0
    finally:
        slices.close()


def _opened(folder: pathlib.Path, waiting: Waiting, poll: float, ending: Ending
            ) -> Optional[Slices]:
    """The slices, once they are there. None: the end was asked for before."""
    while not ending.is_asked():
        try:
            return open_slices(folder)
        except NotThereYet as reason:
            waiting.note(f"waits: {reason}")
            ending.wait(poll)
    return None


class _Following:
    def __init__(self, session: SparkSession, slices: Slices, configuration: Configuration,
                 jobs: Sequence[JobSpec], settings: RunSettings, output: ResultFiles) -> None:
        self._session, self._slices, self._settings = session, slices, settings
        wanted = [spec for name, spec in configuration.windows.items()
                  if any(job.window == name for job in jobs)]
        self._cache = SliceCache(session, wanted)
        self._windows: list[FollowedWindow] = []
        for spec in wanted:
            of_window = [job for job in jobs if job.window == spec.name]
            run = WindowRun(session, spec, of_window, settings, slices.has_integer_keys,
                            self._cache.events)
            self._windows.append(FollowedWindow(run, slices.pane, output, settings.stops))
        within = configuration.dedupe_within
        self._ids = (IdsSeen(session, within)
                     if within is not None and isinstance(slices, ShardFolders) else None)

    def run(self, waiting: Waiting, poll: float, ending: Ending) -> None:
        say("follows " + ", ".join(each.said() for each in self._windows))
        arrived = list(self._slices.slices)
        while True:
            self._take(arrived)
            if ending.is_asked():
                return
            ending.wait(poll)
            try:
                arrived = self._slices.read_more()
                waiting.note(self._awaited())
            except NotThereYet as reason:
                arrived = []
                waiting.note(f"waits: {reason}")

    def close(self) -> None:
        for each in self._windows:
            each.run.close()
        self._cache.close()

    def _take(self, arrived: Sequence[Slice]) -> None:
        """Runs what these slices, or the `closed_until` of shards, make whole."""
        for lot, closed_until in lots_of(arrived, self._slices.closed_until):
            self._read(lot)
            for of_window, window in steps_of(self._windows, lot, closed_until):
                if self._settings.stops():
                    return
                of_window.step(window)
            self._forget()

    def _read(self, lot: Sequence[Slice]) -> None:
        if not lot:
            return
        _check_there(lot)
        check_files(self._session, lot)
        fit_shuffles(self._session, self._cache.edges() + sum(each.edges for each in lot))
        repeated = None if self._ids is None else self._ids.repeated_in(lot)
        needed = [each.reads_since() for each in self._windows]
        since = None if None in needed else min(each for each in needed if each is not None)
        kept = [each for each in lot if since is None or each.start >= since]
        if kept:
            self._cache.add(kept, repeated)
        elif repeated is not None:
            repeated.unpersist()

    def _forget(self) -> None:
        needed = [each.needs() for each in self._windows]
        if None in needed:
            return
        before = min(each for each in needed if each is not None)
        left = self._cache.forget(before)
        self._slices.forget(before if left is None else min(left, before))

    def _awaited(self) -> Optional[str]:
        """Which shards the next window waits for, although others have closed it."""
        closed = self._slices.closed_until
        if closed is None:
            behind = self._slices.behind(None)
            return f"waits for the first slice: {', '.join(behind)}" if behind else None
        end, name = min((end_of(closed, each.run.spec), each.run.spec.name)
                        for each in self._windows)
        behind = self._slices.behind(end)
        if not behind:
            return None
        return f"waits for the window {name} until {time_text(end)}: {', '.join(behind)}"


def lots_of(arrived: Sequence[Slice], closed_until: Optional[int], most: int = _EDGES_AT_ONCE
            ) -> Iterator[tuple[Sequence[Slice], Optional[int]]]:
    """The slices in parts of about this many edges, and what is closed with each."""
    lot: list[Slice] = []
    edges = 0
    for each in arrived:
        if lot and edges + each.edges > most:
            yield lot, lot[-1].end
            lot, edges = [], 0
        lot.append(each)
        edges += each.edges
    yield lot, closed_until


def _check_there(lot: Sequence[Slice]) -> None:
    """Checks that each file exists. InputError: one was removed since its manifest was read."""
    for each in lot:
        for part in each.parts:
            if not part.table.exists():
                raise InputError(f"{part.table}: was removed before it was read; raise `keep` of "
                                 "the export, or give the file system locks (flock)")
