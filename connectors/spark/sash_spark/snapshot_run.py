"""Runs the jobs of a window over one exported advance of it."""
from __future__ import annotations

import pathlib
from typing import Optional

from pyspark.sql import SparkSession

from sash_spark.command import chosen_jobs
from sash_spark.configuration import Configuration
from sash_spark.errors import InputError
from sash_spark.graph import Graph
from sash_spark.jobs import run_job, with_keys
from sash_spark.keys import FileKeys
from sash_spark.output import Output
from sash_spark.parameters import COMPARING
from sash_spark.progress import say
from sash_spark.session import fit_shuffles, open_session
from sash_spark.snapshot import Snapshot, check_file


def run_snapshot(folder: pathlib.Path, configuration: Configuration, names: Optional[list[str]],
                 output: Output, limit: int, lists_all: bool, blocks: Optional[int]) -> int:
    """Runs the jobs. Returns the exit code: 0, all jobs ran; 1, some were refused. InputError: the
    snapshot cannot be used."""
    snapshot = Snapshot(folder)
    try:
        about, window = snapshot.about, configuration.windows.get(snapshot.window)
        if window is None:
            raise InputError(f"{snapshot.folder}: is of the window `{snapshot.window}`, which the "
                             f"configuration does not have; its windows: "
                             f"{', '.join(configuration.windows)}")
        if (window.duplicates, window.identity) != (about["duplicates"], about["identity"]):
            say(f"the window was exported with `duplicates: {about['duplicates']}` and `identity: "
                f"{about['identity']}`, and so it is here, whatever the configuration says now")
        jobs, refused = chosen_jobs(configuration, names, snapshot.window)
        for job in [job for job in jobs if job.kernel in COMPARING]:
            say(f"job {job.name} is refused: {job.kernel} compares with the window of the job's "
                "previous result, which a snapshot does not have")
            jobs.remove(job)
            refused += 1
        for job in jobs:
            with_keys(job, snapshot.has_integer_keys)
        if not jobs:
            say(f"no job of the window `{snapshot.window}` is left to run")
            return 1 if refused else 0
        session = open_session("sash-spark " + snapshot.window)
        fit_shuffles(session, int(about["edges"]))
        _check_files(session, snapshot)
        edges = session.read.parquet(*map(str, snapshot.edges))
        graph = Graph(session, FileKeys(snapshot.vertices), int(about["vertices"]), edges,
                      int(about["edges"]), blocks)
        try:
            for job in jobs:
                refused += not run_job(job, graph, about, snapshot.has_integer_keys, output, limit,
                                       lists_all)
        finally:
            graph.close()
        return 1 if refused else 0
    finally:
        snapshot.close()


def _check_files(session: SparkSession, snapshot: Snapshot) -> None:
    """Each file is read once by an executor, which must see the folder too."""
    checks = snapshot.checks()
    session.sparkContext.setJobDescription(f"{snapshot.window}: checks {len(checks)} files")
    wrong = session.sparkContext.parallelize(checks, len(checks)).map(check_file).collect()
    faults = [each for each in wrong if each]
    if faults:
        raise InputError("\n".join(faults))
