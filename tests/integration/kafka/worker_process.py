#!/usr/bin/env python3
"""A worker of two external jobs, which is there to be killed.

  worker_process.py URL SEED FILE

`in-degrees` is how many edges end at each vertex, and `parts` names the vertices that are connected
in some way. Each takes a random time, and does not end as long as there is this file. A line of
output says that a run begins, or ends.
"""
import pathlib
import random
import sys
import time
from typing import Any, Callable

import numpy

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[3] / "connectors" / "python")]
import sash  # noqa: E402
import sash.worker  # noqa: E402

LEASE = 1  # second: a run whose worker was killed fails soon
LONGEST_WORK = 0.3  # seconds, besides the computation
MOST_SECONDS = 0.9  # now and then, so that the worker survives the process that gave it the work


def in_degrees(snapshot: sash.Snapshot) -> numpy.ndarray:
    return snapshot.in_.degrees()


def parts(snapshot: sash.Snapshot) -> dict[Any, int]:
    """The least id in the part of each vertex, by key."""
    ends = numpy.repeat(numpy.arange(snapshot.vertex_count), snapshot.out.degrees())
    names = numpy.arange(snapshot.vertex_count)
    while True:
        least = names.copy()
        numpy.minimum.at(least, ends, names[snapshot.out.indices])
        numpy.minimum.at(least, snapshot.out.indices, names[ends])
        if (least == names).all():
            return {snapshot.keys[v]: int(name) for v, name in enumerate(names)}
        names = least


FUNCTIONS: dict[str, Callable[[sash.Snapshot], Any]] = {"in-degrees": in_degrees, "parts": parts}


def main() -> None:
    chance, held = random.Random(sys.argv[2]), pathlib.Path(sys.argv[3])
    sash.worker.LEASE = LEASE
    client = sash.connect(sys.argv[1])

    def slowly(function: Callable[[sash.Snapshot], Any]) -> Callable[[sash.Snapshot], Any]:
        def work(snapshot: sash.Snapshot) -> Any:
            print("begins", flush=True)
            most = MOST_SECONDS if chance.random() < 0.1 else LONGEST_WORK
            time.sleep(chance.uniform(0, most))
            while held.exists():
                time.sleep(0.01)
            answer = function(snapshot)
            print("ends", flush=True)
            return answer
        return work

    for name, function in FUNCTIONS.items():
        client.job(name)(slowly(function))
    client.serve(wait=5)


if __name__ == "__main__":
    main()
