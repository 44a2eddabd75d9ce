"""Makes windows of exported slices, and runs the jobs of the configuration on each."""
from __future__ import annotations

import pathlib
from typing import Optional, Sequence

from pyspark.sql import SparkSession

from sash_spark.command import chosen_jobs
from sash_spark.configuration import Configuration
from sash_spark.errors import InputError
from sash_spark.jobs import with_keys
from sash_spark.output import Output
from sash_spark.plan import planned_windows
from sash_spark.progress import say
from sash_spark.repeated_ids import repeated_ids
from sash_spark.session import fit_shuffles, open_session
from sash_spark.shards import open_slices
from sash_spark.slices import Slice
from sash_spark.snapshot import check_file
from sash_spark.window_edges import events_of
from sash_spark.window_run import RunSettings, WindowRun


def run_slices(folder: pathlib.Path, configuration: Configuration, names: Optional[list[str]],
               output: Output, limit: int, lists_all: bool, blocks: Optional[int],
               ended: bool) -> int:
    """Runs the jobs. Returns the exit code: 0, all jobs ran; 1, some were refused. InputError: the
    slices cannot be used."""
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
        fit_shuffles(session, max((sum(each.edges for each in window.slices)
                                   for plan in plans.values() for window in plan), default=0))
        check_files(session, slices.slices)
        repeated = repeated_ids(session, slices, configuration.dedupe_within)
        settings = RunSettings(output, limit, lists_all, blocks)
        for name, plan in plans.items():
            say(f"window {name}: {len(plan)} ends in {len(slices.slices)} slices")
            run = WindowRun(session, configuration.windows[name],
                            [job for job in jobs if job.window == name], settings,
                            slices.has_integer_keys,
                            lambda spec, window: events_of(session, spec, window, repeated))
            for window in plan:
                run.step(window)
            run.close()
            refused += len(run.refused)
        return 1 if refused else 0
    finally:
        slices.close()


def check_files(session: SparkSession, slices: Sequence[Slice]) -> None:
    """Each file is read once by an executor, which must see the folder too."""
    checks = [part.check for each in slices for part in each.parts]
    if not checks:
        return
    session.sparkContext.setJobDescription(f"checks {len(checks)} files")
    wrong = session.sparkContext.parallelize(checks, len(checks)).map(check_file).collect()
    faults = [each for each in wrong if each]
    if faults:
        raise InputError("\n".join(faults))
