#!/usr/bin/env python3
"""What eight readers of frozen snapshots cost the advances of a window.

A real `sashd` with its own broker reads a stream at a fixed rate, and freezes each advance. In
turns there are, all bound to the last core of the machine:

  readers  eight processes: five that take a lease, download and close again and again, one such
           that is killed with SIGKILL every second, one that never releases its lease, and one over
           a TCP line of 1 MB/s
  busy     processes that only compute: as many as readers were running, or ready to run, on average
           in a first turn of readers

All of them live from the beginning to the end; SIGSTOP and SIGCONT change turns, so that no turn
contains the start of a reader, except of those that are killed. Every file has the CRC-32C that the
daemon states: the package checks each download. Metrics are read meanwhile: leases and bytes stay
within their bounds. The exit code is 1 when a reader has failed, a bound was passed, or a lease
outlived its reader. SASHD and SASH_GENERATE name the programs, or they are those of the release
preset.
"""
import argparse
import contextlib
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/integration/process"), str(ROOT / "connectors/python")]
import sash  # noqa: E402
from reader_processes import Busy, Readers  # noqa: E402
from sashd_process import Sashd, await_that, live  # noqa: E402
from tcp_proxy import TcpProxy  # noqa: E402

MIB = 1 << 20
LEASES, TTL = 12, 2


class Advances(threading.Thread):
    """Notes the milliseconds of each advance, from when it could begin to its publication."""

    def __init__(self, sashd: Sashd) -> None:
        super().__init__(daemon=True)
        self._client = sash.connect(sashd.url(""))
        self._noted: list[float] = []

    def run(self) -> None:
        with contextlib.suppress(sash.ConnectionFailed):
            for event in self._client.follow("w", patience=0):
                phases = event.data["advance_phases"]
                self._noted.append((event.data["advance_seconds"] + phases["waiting_seconds"])
                                   * 1000)

    def take(self) -> list[float]:
        taken, self._noted = self._noted, []
        return taken


class Bounds(threading.Thread):
    """The most that was leased and held, and what was beyond its bound."""

    def __init__(self, sashd: Sashd, bounds: dict[str, int]) -> None:
        super().__init__(daemon=True)
        self._sashd, self._bounds = sashd, bounds
        self.most = dict.fromkeys(bounds, 0)
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.2):
            for name in self._bounds:
                value = int(self._sashd.metric("sash_export_" + name))
                self.most[name] = max(self.most[name], value)

    def passed(self) -> list[str]:
        return [f"{name}: {value} of {self._bounds[name]}" for name, value in self.most.items()
                if value > self._bounds[name]]


def figures(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"mean": statistics.mean(ordered), "median": statistics.median(ordered),
            "p99": ordered[int(len(ordered) * 0.99)], "greatest": ordered[-1]}


def measure(given: argparse.Namespace) -> int:
    core = max(os.sched_getaffinity(0))
    limits = {"leases": LEASES, "leased_bytes": given.limit * MIB, "bytes": 2 * given.limit * MIB}
    with contextlib.ExitStack() as context:
        folder = pathlib.Path(context.enter_context(
            tempfile.TemporaryDirectory(prefix="sash-readers-", dir="/dev/shm")))
        sashd = context.enter_context(Sashd(live(
            windows=[{"name": "w", "length": f"{given.slides * given.slide}ms",
                      "slide": f"{given.slide}ms"}],
            jobs=[], sinks=[], exports=[{"frozen": {
                "path": str(folder / "s"), "windows": ["w"], "keep": 2, "leases": LEASES,
                "lease_ttl": f"{TTL}s", "lease_limit": f"{limits['leased_bytes']}B",
                "limit": f"{limits['bytes']}B"}}])))
        sashd.generate("--rate", str(given.rate), "--scale", str(given.scale),
                       "--edges", "100000000")
        proxy = context.enter_context(TcpProxy(sashd.url("")))
        proxy.bytes_per_second = 1_000_000
        await_that(lambda: (sashd.json("/api/v1/windows/w")["slices"] or 0) >= given.slides, 600)
        advances, bounds = Advances(sashd), Bounds(sashd, limits)
        advances.start()
        bounds.start()
        turns = turns_of(given, Readers(sashd, proxy.url, folder, core), core, advances)
        bounds.ended.set()
        bounds.join()
        ended = await_that(lambda: sashd.metric("sash_export_leases") == 0)
        window = sashd.json("/api/v1/windows/w")
        skipped = sashd.metric("sash_export_skipped_total")
        written = sashd.metric("sash_export_written_total")
    print(f"a window of {window['edges']} edges; {written:.0f} snapshots written, {skipped:.0f} "
          f"skipped; at most {bounds.most}, bounds {limits}")
    return show(*turns) + len(bounds.passed()) + (not ended)


Turns = dict[str, list[list[float]]]  # milliseconds of advances, by kind and turn


def turns_of(given: argparse.Namespace, readers: Readers, core: int,
             advances: Advances) -> tuple[Turns, Readers]:
    turns: Turns = {"readers": [], "busy": []}
    with readers:
        time.sleep(5)  # they start
        ready = readers_ready(given, readers)
        count = max(1, round(ready))
        print(f"{ready:.2f} readers were running or ready to run, so {count} processes are busy")
        with Busy(count, core) as busy:
            busy.stop()
            for _ in range(given.repetitions):
                turns["readers"].append(turn(given, advances))
                readers.stop()
                busy.go_on()
                turns["busy"].append(turn(given, advances))
                busy.stop()
                readers.go_on()
    return turns, readers


def turn(given: argparse.Namespace, advances: Advances) -> list[float]:
    time.sleep(0.2)
    advances.take()
    time.sleep(given.seconds)
    return advances.take()


def readers_ready(given: argparse.Namespace, readers: Readers) -> float:
    """The average number of readers that run or are ready to run."""
    before, begin = readers.ready(), time.monotonic()
    time.sleep(5 * given.seconds)
    seconds, after = time.monotonic() - begin, readers.ready()
    of_all = sum(after[pid] - before[pid] for pid in before.keys() & after.keys()) / seconds
    return of_all + 1  # one is always starting, because one reader is killed each second


def show(turns: Turns, readers: Readers) -> int:
    """The number of failures."""
    pooled = {kind: figures([one for times in each for one in times])
              for kind, each in turns.items()}
    for name, value in pooled["readers"].items():
        print(f"{name:9} {pooled['busy'][name]:8.2f} ms beside a busy core, {value:8.2f} ms beside "
              f"readers: {value / pooled['busy'][name]:.2f} times")
    ratios = sorted(statistics.mean(times) / statistics.mean(base)
                    for times, base in zip(turns["readers"], turns["busy"]) if times and base)
    print(f"mean of a turn, to the next one: {statistics.median(ratios):.2f} times "
          f"({ratios[len(ratios) // 4]:.2f} to {ratios[len(ratios) * 3 // 4]:.2f} in half of "
          f"{len(ratios)})")
    print(f"{sum(map(len, turns['readers']))} advances beside readers; {readers.snapshots} "
          f"snapshots read and checked, {readers.edges / 1e6:.1f} M edges, {readers.kills} readers "
          f"killed, {len(readers.failures)} failed")
    for failure in readers.failures:
        print(failure, file=sys.stderr)
    return len(readers.failures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=1, help="of each turn")
    parser.add_argument("--rate", type=int, default=100_000, help="edges a second")
    parser.add_argument("--scale", type=int, default=16, help="2^scale vertices")
    parser.add_argument("--slide", type=int, default=100, help="milliseconds")
    parser.add_argument("--slides", type=int, default=50, help="slides that a window has")
    parser.add_argument("--limit", type=int, default=64, help="MiB that leases may hold")
    return 1 if measure(parser.parse_args()) else 0


if __name__ == "__main__":
    sys.exit(main())
