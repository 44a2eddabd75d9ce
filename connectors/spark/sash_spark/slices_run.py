"""Makes windows of exported slices, and runs the jobs of the configuration on each."""
from __future__ import annotations

import pathlib
from typing import Optional

from pyspark.sql import DataFrame, SparkSession

from sash_spark.command import chosen_jobs
from sash_spark.comparing import comparing_kernel
from sash_spark.configuration import Configuration, JobSpec, WindowSpec
from sash_spark.content import Content
from sash_spark.errors import InputError, JobRefused
from sash_spark.jobs import run_job, with_keys
from sash_spark.output import Output
from sash_spark.parameters import COMPARING
from sash_spark.plan import PlannedWindow, planned_windows, provenance
from sash_spark.progress import say
from sash_spark.repeated_ids import repeated_ids
from sash_spark.session import fit_shuffles, open_session
from sash_spark.shards import open_slices
from sash_spark.slices import Slices
from sash_spark.snapshot import check_file


def run_slices(folder: pathlib.Path, configuration: Configuration, names: Optional[list[str]],
               output: Output, limit: int, lists_all: bool, blocks: Optional[int],
               ended: bool) -> int:
    """0: all jobs ran; 1: some were refused. InputError: the slices cannot be used."""
    slices = open_slices(folder)
    try:
        jobs, refused = chosen_jobs(configuration, names, None)
        for job in jobs:
            with_keys(job, slices.has_integer_keys)
        wanted = {job.window for job in jobs}
        plans = {name: planned_windows(spec, slices, ended)
                 for name, spec in configuration.windows.items() if name in wanted}
        if not jobs:
            say("no job is left to run")
            return 1 if refused else 0
        session = open_session("sash-spark")
        fit_shuffles(session, max(sum(each.edges for each in window.slices)
                                  for plan in plans.values() for window in plan)
                     if any(plans.values()) else 0)
        _check_files(session, slices)
        repeated = repeated_ids(session, slices, configuration.dedupe_within)
        for name, plan in plans.items():
            say(f"window {name}: {len(plan)} ends in {len(slices.slices)} slices")
            of_window = _Window(session, configuration.windows[name],
                                [job for job in jobs if job.window == name], output, limit,
                                lists_all, blocks, slices.has_integer_keys, repeated)
            refused += of_window.run(plan)
        return 1 if refused else 0
    finally:
        slices.close()


class _Window:
    """One window of the configuration, from end to end."""

    def __init__(self, session: SparkSession, spec: WindowSpec, jobs: list[JobSpec], output: Output,
                 limit: int, lists_all: bool, blocks: Optional[int], are_integers: bool,
                 repeated: Optional[DataFrame]) -> None:
        self._session, self._spec, self._jobs = session, spec, jobs
        self._output, self._limit, self._lists_all = output, limit, lists_all
        self._blocks, self._are_integers = blocks, are_integers
        self._repeated = repeated
        self._before: dict[str, Content] = {}  # of each comparing job's previous result
        self._refused: set[str] = set()

    def run(self, plan: list[PlannedWindow]) -> int:
        """Returns how many jobs were refused."""
        is_silent, snapshot = False, 0
        for window in plan:
            if is_silent and not window.slices:
                continue
            self._session.sparkContext.setJobDescription(f"{self._spec.name}: makes a window")
            content = Content(self._session, self._spec, window, self._are_integers, self._limit,
                              self._blocks, self._repeated)
            is_empty = content.edge_count == 0
            if is_empty and (is_silent or self._spec.empty_windows == "skip"):
                is_silent = True
                content.close()
                continue
            is_silent = is_empty
            snapshot += 1
            self._run_jobs(content, snapshot)
            if content not in self._before.values():
                content.close()
        for content in set(self._before.values()):
            content.close()
        return len(self._refused)

    def _run_jobs(self, content: Content, snapshot: int) -> None:
        due = [job for job in self._jobs
               if content.window.end // self._spec.slide % job.every == 0]
        if not due:
            return
        try:
            vertices = content.graph.vertices
        except JobRefused as refused:
            for job in due:
                say(f"job {job.name} is refused: {refused}")
                self._refused.add(job.name)
            return
        about = provenance(self._spec, content.window, snapshot, content.edge_count, vertices)
        dropped = set()
        for job in due:
            compares = job.kernel in COMPARING
            kernel = (comparing_kernel(job.kernel, content, self._before.get(job.name))
                      if compares else None)
            if not run_job(job, content.graph, about, self._are_integers, self._output, self._limit,
                           self._lists_all, kernel):
                self._refused.add(job.name)
            if compares:
                dropped.add(self._before.get(job.name))
                self._before[job.name] = content
        for each in dropped - set(self._before.values()):
            if each is not None:
                each.close()


def _check_files(session: SparkSession, slices: Slices) -> None:
    """Each file is read once by an executor, which must see the folder too."""
    checks = [part.check for each in slices.slices for part in each.parts]
    if not checks:
        return
    session.sparkContext.setJobDescription(f"checks {len(checks)} files")
    wrong = session.sparkContext.parallelize(checks, len(checks)).map(check_file).collect()
    faults = [each for each in wrong if each]
    if faults:
        raise InputError("\n".join(faults))
