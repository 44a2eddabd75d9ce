"""Runs jobs over a graph, one after the other."""
from __future__ import annotations

import time
from typing import Any, Callable, Optional

from sash_spark.answer import Answer, Run
from sash_spark.configuration import JobSpec
from sash_spark.errors import InputError, JobRefused
from sash_spark.graph import Graph
from sash_spark.kernels import RUN
from sash_spark.limits import check_limit
from sash_spark.output import Output
from sash_spark.progress import Progress, say
from sash_spark.results import result_of
from sash_spark.vectors import write_vectors


def with_keys(job: JobSpec, are_integers: bool) -> dict[str, Any]:
    """The parameters, with the keys of vertices as the window has them."""
    def converted(name: str, values: tuple[str, ...]) -> list[Any]:
        try:
            return [int(text) for text in values] if are_integers else list(values)
        except ValueError as error:
            raise InputError(f"job {job.name}: parameters.{name}: the window has integer keys, and "
                             f"{error.args[0].split(': ')[-1]} is not one") from error

    return {name: converted(name, value) if isinstance(value, tuple) else value
            for name, value in job.parameters.items()}


def run_job(job: JobSpec, graph: Graph, about: dict[str, Any], are_integers: bool, output: Output,
            limit: int, lists_all: bool, kernel: Optional[Callable[[Run], Answer]] = None) -> bool:
    """Runs a job and writes its result. False: it was refused, and why was said."""
    began = time.monotonic()
    try:
        check_limit(job, graph.vertices, limit)
    except JobRefused as refused:
        say(f"job {job.name} is refused: {refused}")
        return False
    progress = Progress(graph.session.sparkContext, job.name, job.kernel, job.window)
    run = Run(graph, job, with_keys(job, are_integers), None if lists_all else job.top, limit,
              progress)
    try:
        answer = (kernel or RUN[job.kernel])(run)
    except JobRefused as refused:
        say(f"job {job.name} is refused: {refused}")
        return False
    seconds = time.monotonic() - began
    path = output.vectors(job.name, about["window_end"])
    if path is not None:  # first: where a result is, its vectors are too
        write_vectors(run, answer, path)
    output.write(result_of(run, answer, about, seconds))
    say(f"job {job.name} ({job.kernel}): {answer.iterations} iterations, {seconds:.1f} s")
    return True
