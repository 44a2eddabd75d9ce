#!/usr/bin/env python3
"""The cost of HTTP API load for the stream: ingest and advances of a real `sashd`, alternately
without load and with 200 requests a second, 100 streams of events and one slow reader.

Wall time depends on what the host provides, so processor time is measured too: a saturated stream
loses the processor time of the HTTP thread and the clients.

The stream is a file that is repeated on standard input, as fast as it is read, so every core is
busy and the cost of the load shows. Windows are counted by events: every advance moves the same
number of edges, with or without load. The programs are those of the release preset, or named by
SASHD, SASH_GENERATE and SASH_API_LOAD. Exit code 1: a response was not successful.
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
    """Writes the file into the pipe, until that is closed; the kernel copies."""

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
    """What the process did between two reads of its metrics, and the time of each of its
    threads."""

    def __init__(self, sashd: Sashd) -> None:
        self._metrics = sashd.url("/metrics")
        self._tasks = pathlib.Path(f"/proc/{sashd.process.pid}/task")
        self._before = self.look()

    def look(self) -> dict[str, float]:
        with urllib.request.urlopen(self._metrics, timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        machine, stolen = machine_seconds()
        found = {"at": time.monotonic(), "accepted": 0.0, "advances": 0.0, "seconds": 0.0,
                 "http": 0.0, "others": 0.0, "clients": clients_seconds(),
                 "feeder": feeder_seconds(), "machine": machine, "stolen": stolen}
        names = {"sash_engine_events_accepted_total": "accepted",
                 "sash_window_advance_seconds_count": "advances",
                 "sash_window_advance_seconds_sum": "seconds"}
        for line in lines:
            name = names.get(line.split("{", 1)[0].split(" ", 1)[0])
            if name:
                found[name] += float(line.rsplit(" ", 1)[1])
        for task in self._tasks.iterdir():
            role = "http" if (task / "comm").read_text().strip() == "http" else "others"
            found[role] += int((task / "schedstat").read_text().split()[0]) / 1e9
        return found

    def since(self) -> dict[str, float]:
        before, now = self._before, self.look()
        self._before = now
        passed = {name: now[name] - before[name] for name in now}
        turn = {"edges_a_second": passed["accepted"] / passed["at"],
                "advance_seconds": passed["seconds"] / max(passed["advances"], 1),
                "cpu_us_an_edge": passed["others"] / max(passed["accepted"], 1) * 1e6}
        ours = ("others", "http", "clients", "feeder")
        passed["foreign"] = max(passed["machine"] - sum(passed[name] for name in ours), 0)
        cores = {f"{name}_cores": passed[name] / passed["at"]
                 for name in (*ours, "foreign", "stolen")}
        return turn | cores


def clients_seconds() -> float:
    """Processor time of the clients so far; they are separate from the daemon but use the same
    cores."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def feeder_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def machine_seconds() -> tuple[float, float]:
    """Processor time of all processes of the machine so far, and the time that the host gave to
    others."""
    fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()
    user, nice, system, _, _, irq, softirq, stolen = (int(field) for field in fields[1:9])
    ticks = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) / ticks, stolen / ticks


def undisturbed(turns: tuple[dict, ...], given: argparse.Namespace) -> bool:
    return all(turn["foreign_cores"] <= given.foreign for turn in turns)


def measure(sashd: Sashd, given: argparse.Namespace) -> list[tuple[dict, dict, dict, dict]]:
    """For each repetition: the turn before the load, with it, after it, and the load's results.
    Turns in which other processes took too much are repeated, up to three times the number in
    total.
    """
    port = sashd.url("").rsplit(":", 1)[1]
    load_program = os.environ.get("SASH_API_LOAD") or str(
        ROOT / "build/release/tests/bench/sash_api_load")
    watched = Watched(sashd)

    def quiet_turn() -> dict:
        time.sleep(given.seconds)
        return watched.since()

    rows, disturbed = [], []
    before = quiet_turn()
    while len(rows) < given.repetitions and len(rows) + len(disturbed) < 3 * given.repetitions:
        load = subprocess.run([load_program, port, str(given.seconds), str(given.rate),
                               str(given.streams), *TARGETS],
                              check=True, capture_output=True, text=True)
        loaded = watched.since()
        after = quiet_turn()
        row = (before, loaded, after, json.loads(load.stdout))
        (rows if undisturbed(row[:3], given) else disturbed).append(row)
        before = after
    print(f"{len(rows)} repetitions; in {len(disturbed)} others took more than {given.foreign} "
          "cores")
    return rows or disturbed


def show(rows: list[tuple[dict, dict, dict, dict]]) -> None:
    """Compares a turn with load with the mean of the turns before and after it, so that drift
    affects both."""
    loaded = [row[1] for row in rows]
    quiet = [{name: (before[name] + after[name]) / 2 for name in before}
             for before, _, after, _ in rows]
    for name in quiet[0]:
        line = (f"{name:16} {statistics.median(turn[name] for turn in quiet):10.4g} without, "
                f"{statistics.median(turn[name] for turn in loaded):10.4g} with load")
        if name in ("edges_a_second", "advance_seconds", "cpu_us_an_edge"):
            ratios = sorted(turn[name] / base[name] for turn, base in zip(loaded, quiet))
            error = statistics.stdev(ratios) / len(ratios) ** 0.5 if len(ratios) > 1 else 0
            line += (f": {statistics.median(ratios):.3f} times ({ratios[0]:.2f} to "
                     f"{ratios[-1]:.2f}), mean {statistics.mean(ratios):.3f} +- {2 * error:.3f}")
        print(line)
    taken = statistics.mean(turn["http_cores"] + turn["clients_cores"] for turn in loaded)
    dearer = (statistics.mean(turn["cpu_us_an_edge"] for turn in loaded) /
              statistics.mean(turn["cpu_us_an_edge"] for turn in quiet))
    cores = os.cpu_count() or 1
    print(f"by processor time: of {cores} cores the HTTP thread and the clients take {taken:.3f}, "
          f"an edge costs {dearer:.3f} times as much: {(1 - taken / cores) / dearer:.3f} times the "
          "edges")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repetitions", type=int, default=20)
    arguments.add_argument("--seconds", type=float, default=2, help="of each turn")
    arguments.add_argument("--rate", type=float, default=200, help="requests a second")
    arguments.add_argument("--streams", type=int, default=100)
    arguments.add_argument("--foreign", type=float, default=0.2,
                           help="cores that other processes may take of a turn that counts")
    arguments.add_argument("--edges", type=int, default=2_000_000,
                           help="of the file that comes again")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sash-api-load-") as folder:
        file = edges(pathlib.Path(folder), given.edges)
        with Sashd(DOCUMENT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as sashd:
            Feeder(file, sashd.process.stdin.fileno()).start()
            while sashd.json("/api/v1/jobs/busiest")["runs"] < WINDOW / SLIDE + 1:
                time.sleep(0.1)
            time.sleep(given.seconds)
            rows = measure(sashd, given)
    show(rows)
    loads = [row[3] for row in rows]
    for load in loads:
        print(json.dumps(load))
    wrong = [load for load in loads
             if set(load["answers"]) != {"200"} or load["unanswered"] > given.rate / 10]
    if wrong:
        print(f"not all was answered: {wrong}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
