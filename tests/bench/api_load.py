#!/usr/bin/env python3
"""What the HTTP API under load costs the stream: ingest and advances of a real `sashd`, in turns without
and with 200 requests a second, 100 streams of events and one slow reader, in one process.

The stream is a file that comes again and again by standard input, as fast as it is read, so every
core has work and what the load takes shows. Windows are counted by events: every advance moves as many
edges, loaded or not. The programs are those of the release preset, or named by SASHD, SASH_GENERATE
and SASH_API_LOAD. Exit code 1: an answer was no success.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration/process"))
from sashd_process import Sashd, program  # noqa: E402

WINDOW = 2_000_000  # edges
SLIDE = 200_000
DOCUMENT = {
    "source": {"replay": {"path": "-"}, "time": {"from": "clock"},
               "format": {"csv": {"source": 1, "target": 2}, "keys": "integer"}},
    "windows": [{"name": "w", "by": "events", "length": WINDOW, "slide": SLIDE}],
    "jobs": [{"name": "busiest", "kernel": "degree", "window": "w", "top": 20, "threads": 1},
             {"name": "shape", "kernel": "window", "window": "w", "threads": 1}],
    "http": {"listen": "127.0.0.1:0"}}
TARGETS = ["/api/v1/windows", "/api/v1/windows/w", "/api/v1/windows/w/vertices?key=1&limit=20",
           "/api/v1/windows/w/slices?limit=50", "/api/v1/windows/w/why", "/api/v1/jobs",
           "/api/v1/jobs/busiest/results/latest", "/api/v1/jobs/busiest/results?limit=2",
           "/api/v1/jobs/busiest/diffs/latest", "/api/v1/jobs/busiest/vertices?key=1",
           "/api/v1/jobs/busiest/neighbourhood", "/api/v1/stream", "/api/v1/source", "/readyz",
           "/metrics", "/"]


def edges(folder: pathlib.Path, count: int) -> pathlib.Path:
    """Pairs of integers, without a header."""
    named = subprocess.run(
        [program("SASH_GENERATE", "generate/sash-generate"), "--edges", str(count), "--scale", "16",
         "--format", "csv"], check=True, capture_output=True, text=True).stdout
    file = folder / "edges.csv"
    file.write_text("".join(line.split(",", 2)[0][1:] + "," + line.split(",", 2)[1][1:] + "\n"
                            for line in named.splitlines()[1:]))
    return file


class Feeder(threading.Thread):
    """The file into the pipe, until that is closed; the kernel copies."""

    def __init__(self, file: pathlib.Path, pipe: int) -> None:
        super().__init__(daemon=True)
        self._file, self._pipe = file, pipe

    def run(self) -> None:
        with self._file.open("rb") as file:
            try:
                while True:
                    if os.sendfile(self._pipe, file.fileno(), None, 1 << 20) == 0:
                        file.seek(0)
            except (BrokenPipeError, OSError):
                pass


class Watched:
    """What the process has done between two looks at its metrics."""

    def __init__(self, sashd: Sashd) -> None:
        self._metrics = sashd.url("/metrics")
        self._before = self.look()

    def look(self) -> dict[str, float]:
        with urllib.request.urlopen(self._metrics, timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        found = {"at": time.monotonic(), "accepted": 0.0, "advances": 0.0, "seconds": 0.0, "cpu": 0.0}
        names = {"sash_engine_events_accepted_total": "accepted",
                 "sash_window_advance_seconds_count": "advances",
                 "sash_window_advance_seconds_sum": "seconds",
                 "process_cpu_seconds_total": "cpu"}
        for line in lines:
            name = names.get(line.split("{", 1)[0].split(" ", 1)[0])
            if name:
                found[name] += float(line.rsplit(" ", 1)[1])
        return found

    def since(self) -> dict[str, float]:
        before, now = self._before, self.look()
        self._before = now
        passed = {name: now[name] - before[name] for name in now}
        return {"edges_a_second": passed["accepted"] / passed["at"],
                "advance_seconds": passed["seconds"] / max(passed["advances"], 1),
                "advances_a_second": passed["advances"] / passed["at"],
                "cpu": passed["cpu"] / passed["at"]}


def clients_seconds() -> float:
    """Processor time of the clients so far, which is not the daemon's but of the same cores."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(sashd: Sashd, given: argparse.Namespace) -> list[tuple[dict, dict, dict]]:
    """For each repetition: without load, with it, and what the load met."""
    port = sashd.url("").rsplit(":", 1)[1]
    load_program = os.environ.get("SASH_API_LOAD") or str(ROOT / "build/release/tests/bench/sash_api_load")
    watched = Watched(sashd)
    rows = []
    spent = clients_seconds()
    for repetition in range(given.repetitions + 1):
        watched.since()
        time.sleep(given.seconds)
        quiet = watched.since()
        load = subprocess.run([load_program, port, str(given.seconds), str(given.rate),
                               str(given.streams), *TARGETS],
                              check=True, capture_output=True, text=True)
        loaded = watched.since()
        clients = clients_seconds()
        loaded["clients"] = (clients - spent) / given.seconds
        spent = clients
        if repetition > 0:  # the first fills the windows
            rows.append((quiet, loaded, json.loads(load.stdout)))
    return rows


def show(rows: list[tuple[dict, dict, dict]]) -> None:
    for name, unit in (("edges_a_second", ""), ("advance_seconds", " s"), ("advances_a_second", ""),
                       ("cpu", " cores")):
        without = statistics.median(quiet[name] for quiet, _, _ in rows)
        with_load = statistics.median(loaded[name] for _, loaded, _ in rows)
        ratios = sorted(loaded[name] / quiet[name] for quiet, loaded, _ in rows)
        print(f"{name:20} {without:12.6g}{unit} without, {with_load:12.6g}{unit} with load: "
              f"{statistics.median(ratios):.3f} times ({ratios[0]:.3f} to {ratios[-1]:.3f})")
    clients = statistics.median(loaded["clients"] for _, loaded, _ in rows)
    print(f"the clients took {clients:.3f} cores")
    for _, _, load in rows:
        print(json.dumps(load))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repetitions", type=int, default=20)
    arguments.add_argument("--seconds", type=float, default=2, help="of each turn")
    arguments.add_argument("--rate", type=float, default=200, help="requests a second")
    arguments.add_argument("--streams", type=int, default=100)
    arguments.add_argument("--edges", type=int, default=2_000_000, help="of the file that comes again")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sash-api-load-") as folder:
        file = edges(pathlib.Path(folder), given.edges)
        with Sashd(DOCUMENT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as sashd:
            Feeder(file, sashd.process.stdin.fileno()).start()
            while sashd.json("/api/v1/jobs/busiest")["runs"] < WINDOW / SLIDE + 1:
                time.sleep(0.1)
            rows = measure(sashd, given)
            show(rows)
    wrong = [load for _, _, load in rows
             if set(load["answers"]) != {"200"} or load["unanswered"] > given.rate / 10]
    if wrong:
        print(f"not all was answered: {wrong}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
