"""The command: reads the configuration, chooses jobs, runs them, writes results."""
from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Optional, Sequence

from sash_spark.configuration import Configuration, JobSpec, load_configuration
from sash_spark.errors import InputError
from sash_spark.limits import parse_bytes
from sash_spark.output import Output
from sash_spark.progress import say
from sash_spark.result_files import ResultFiles
from sash_spark.waiting import Ending

BAD_INPUT = 78  # as sashd: the configuration, or the exported folder


def _folder(text: str) -> pathlib.Path:
    """An absolute path: executors work in other folders than the driver."""
    return pathlib.Path(text).absolute()


def _arguments(given: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="sash-spark", description="Runs the jobs of a configuration of sashd on Apache Spark, "
        "over what sashd exported.",
        epilog="Results go to DIR/results.jsonl, and the values of all vertices to "
        "DIR/vectors/*.parquet. Without --output, results go to standard output.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--snapshot", type=_folder, metavar="DIR",
                      help="an exported window: its folder, or that of its window (the newest)")
    what.add_argument("--slices", type=_folder, metavar="DIR",
                      help="exported slices: each window of the configuration is made of them, and "
                           "has results for each of its ends")
    parser.add_argument("--ended", action="store_true",
                        help="with --slices: no slice will follow, so the last windows are those "
                             "of the last edge")
    parser.add_argument("--follow", action="store_true",
                        help="with --slices: waits for further slices, and runs the jobs of each "
                             "window once when all shards have closed it, until SIGTERM or SIGINT. "
                             "Results are files, DIR/results/JOB-END.json; started again, it goes "
                             "on after them")
    parser.add_argument("--poll", type=float, metavar="SECONDS", default=1.0,
                        help="with --follow: how often it looks for slices (default: 1)")
    parser.add_argument("--config", type=pathlib.Path, metavar="FILE", required=True,
                        help="the configuration of sashd")
    parser.add_argument("--jobs", metavar="A,B",
                        help="only these jobs; otherwise all of the window")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--vertices", choices=("top", "all"), default="top",
                        help="what results list: the first `top` of a job, or everything")
    parser.add_argument("--driver-limit", metavar="BYTES", default="4GiB",
                        help="what the vectors of a job may take on the driver (default: 4GiB)")
    parser.add_argument("--blocks", type=int, metavar="N",
                        help="into how many blocks edges are divided (default: by edges and cores)")
    arguments = parser.parse_args(given)
    if arguments.follow and (arguments.slices is None or arguments.ended):
        parser.error("--follow needs --slices, and no --ended: further slices will come")
    if not arguments.poll > 0:
        parser.error("--poll must be above 0")
    return arguments


def main(given: Optional[Sequence[str]] = None) -> int:
    """Runs the command. Returns its exit code: 0, all jobs ran; 1, a job was refused; 78, the input
    is wrong."""
    arguments = _arguments(given)
    try:
        return _run(arguments)
    except InputError as error:
        for line in str(error).splitlines():
            say(line)
        return BAD_INPUT


def _run(arguments: argparse.Namespace) -> int:
    ending = Ending()
    if arguments.follow:
        ending.catch_signals()
    limit = parse_bytes(arguments.driver_limit)
    if arguments.blocks is not None and arguments.blocks < 1:
        raise InputError("--blocks: must be at least 1")
    configuration = load_configuration(arguments.config)
    for key in configuration.ignored:
        say(f"`{key}` of {arguments.config} is ignored")
    names = None if arguments.jobs is None else arguments.jobs.split(",")
    lists_all = arguments.vertices == "all"
    # Spark is loaded only for input that is right so far.
    from sash_spark.follow_run import follow_slices
    from sash_spark.slices_run import run_slices
    from sash_spark.snapshot_run import run_snapshot
    if arguments.follow:
        with ResultFiles(arguments.output) as files:
            return follow_slices(arguments.slices, configuration, names, files, limit, lists_all,
                                 arguments.blocks, arguments.poll, ending)
    with Output(arguments.output) as output:
        if arguments.slices is not None:
            return run_slices(arguments.slices, configuration, names, output, limit, lists_all,
                              arguments.blocks, arguments.ended)
        return run_snapshot(arguments.snapshot, configuration, names, output, limit, lists_all,
                            arguments.blocks)


def chosen_jobs(configuration: Configuration, names: Optional[list[str]],
                window: Optional[str]) -> tuple[list[JobSpec], int]:
    """The jobs to run, and how many are refused because they cannot run here. `window`: only its
    jobs; those of others are refused if they were named. InputError: a name is not known."""
    refused = 0
    for name in names or []:
        if name not in configuration.jobs and name not in configuration.not_here:
            raise InputError(f"--jobs: there is no job `{name}`; jobs: "
                             f"{', '.join([*configuration.jobs, *configuration.not_here])}")
        job = configuration.jobs.get(name)
        if job and window is not None and job.window != window:
            raise InputError(f"--jobs: `{name}` runs on the window `{job.window}`, and this is the "
                             f"window `{window}`")
    for name, why in configuration.not_here.items():
        if names is None or name in names:
            say(f"job {name} cannot run here: {why}")
            refused += 1
    jobs = [job for job in configuration.jobs.values()
            if (names is None or job.name in names) and window in (None, job.window)]
    return jobs, refused


if __name__ == "__main__":
    sys.exit(main())
