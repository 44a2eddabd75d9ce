#!/usr/bin/env python3
"""The cost of a window larger than memory: the same stream with its window in memory, in a file
that fits in memory, and in a file in a control group of a third of the window's memory.

Alternately, as real processes that replay a file. The seconds of a job are those of its results
when the window is full. The programs are those of the release preset, or named by SASHD and
SASH_GENERATE. Creating control groups needs root.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
for room in ("integration", "integration/process"):
    sys.path.insert(0, str(ROOT / "tests" / room))
from held_replay import MEBIBYTE, PeakUse  # noqa: E402
from sashd_process import Sashd  # noqa: E402
from spilled_window import EDGES, control_group, document, join, produce  # noqa: E402

MOST_SECONDS = 1200  # of a replay
NAMES = {"ranks": "pagerank", "reach": "bfs", "each": "bfs_3_roots"}  # of the rows, by job


def replay(events: pathlib.Path, group: pathlib.Path | None,
           **memory: str) -> tuple[dict[str, float], int]:
    """The seconds by part, and the peak of the process's own memory."""
    started = time.monotonic()
    with Sashd(document(events, **memory), preexec_fn=join(group)) as sashd, PeakUse(sashd) as peak:
        if sashd.wait(MOST_SECONDS) != 0:
            sys.exit(sashd.log())
        seconds = {NAMES[line["job"]]: line["seconds"] for line in sashd.lines()
                   if line["edges"] == EDGES}
    return {**seconds, "replay": time.monotonic() - started}, peak.bytes


def measure(events: pathlib.Path, repetitions: int) -> dict[str, list[dict[str, float]]]:
    """For each place of the edges, the seconds of every repetition."""
    taken: dict[str, list[dict[str, float]]] = {"memory": [], "file": [], "third": []}
    for _ in range(repetitions):
        seconds, most = replay(events, None, limit="none")
        taken["memory"].append(seconds)
        taken["file"].append(replay(events, None, limit="none", spill="spill")[0])
        with control_group(most // 3) as group:
            seconds, peak = replay(events, group, spill="spill")
        taken["third"].append(seconds)
        print(f"{most / MEBIBYTE:.0f} MiB in memory, {peak / MEBIBYTE:.0f} MiB of its own "
              f"in a group of {most / 3 / MEBIBYTE:.0f} MiB", flush=True)
    return taken


def rows(taken: dict[str, list[dict[str, float]]]) -> list[dict[str, object]]:
    """In the format of sash_bench; the ratio is to the window in memory."""
    found = []
    for place, runs in taken.items():
        for what in [*NAMES.values(), "replay"]:
            values = [run[what] for run in runs]
            median = statistics.median(values)
            ratios = [run[what] / whole[what] for run, whole in zip(runs, taken["memory"])]
            found.append({"name": f"spilled_{what}_{place}", "value": median, "unit": "s",
                          "spread": (max(values) - min(values)) / median,
                          "ratio": None if place == "memory" else statistics.median(ratios)})
    return found


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repetitions", type=int, default=3)
    arguments.add_argument("--json", type=pathlib.Path, metavar="FILE")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sash-spilled-") as folder:
        events = pathlib.Path(folder) / "events.csv"
        produce(events)
        measured = rows(measure(events, given.repetitions))
    for row in measured:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:8.2f} times memory"
        print(f"{row['name']:28} {row['value']:9.3f} s  spread {row['spread']:.0%} {ratio}")
    if given.json:
        given.json.write_text(json.dumps(measured, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
