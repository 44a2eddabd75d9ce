"""`sash-spark --follow` without Spark: whatever it reads at once, wherever it is killed, and
although slices are removed behind it, its results are those of one run over all slices.

SASH_SEED=n makes the streams, and is printed.
"""
import json
import os
import pathlib
import random
import tempfile
import unittest
from types import SimpleNamespace
from typing import Any
from unittest import mock

from written_slices import FILTER, PANE, SECOND, Stream

from sash_spark import window_run
from sash_spark.configuration import JobSpec, WindowSpec
from sash_spark.errors import NotThereYet
from sash_spark.follow_run import lots_of
from sash_spark.followed_window import FollowedWindow, steps_of
from sash_spark.output import Output
from sash_spark.plan import planned_windows
from sash_spark.result_files import ResultFiles
from sash_spark.shards import open_slices
from sash_spark.slices import Slices
from sash_spark.window_run import RunSettings, WindowRun

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
STREAMS = 40


class Killed(Exception):
    """The process ends here."""


class FakeContent:
    """A window without edges in Spark."""

    def __init__(self, session: Any, spec: WindowSpec, window: Any, *_: Any) -> None:
        self.window = window
        self.edge_count = sum(each.edges for each in window.slices)
        self.graph = SimpleNamespace(vertices=1)

    def close(self) -> None:
        pass


class Runs:
    """Takes the place of run_job(): a result says from what it was made. `kills`: the chance that
    the process ends before or after a result is written."""

    def __init__(self, chance: random.Random, kills: float) -> None:
        self._chance, self._kills = chance, kills

    def run_job(self, job: JobSpec, graph: Any, about: dict[str, Any], are_integers: bool,
                output: Output, limit: int, lists_all: bool, since: Any = None) -> bool:
        if self._chance.random() < self._kills:
            raise Killed
        output.write({"job": job.name, **about, "since": since})
        if self._chance.random() < self._kills:
            raise Killed
        return True


class Lines(Output):
    def __init__(self) -> None:
        super().__init__(None)
        self.results: list[dict[str, Any]] = []

    def write(self, result: dict[str, Any]) -> None:
        self.results.append(result)


def windows_of(chance: random.Random, may_be_for_ever: bool) -> list[WindowSpec]:
    found = []
    for name in ("v", "w")[:chance.choice([1, 2])]:
        slide = chance.choice([1, 2, 3]) * PANE
        length: int | None = chance.choice([1, 2, 4]) * slide
        if may_be_for_ever and chance.random() < 0.2:
            length = None
        found.append(WindowSpec(
            name, "event_time", None if length is None else length * SECOND, slide * SECOND,
            chance.choice([0, PANE]) % slide * SECOND, "keep", "pair",
            chance.choice(["once", "skip"]), (), chance.choice(["", FILTER])))
    return found


def jobs_of(spec: WindowSpec, chance: random.Random) -> list[JobSpec]:
    kernels = ["window", "new_edges", "degree"][:chance.choice([1, 2, 3])]
    return [JobSpec(f"{spec.name}-{kernel}", kernel, spec.name, {}, chance.choice([1, 1, 2, 3]), 50)
            for kernel in kernels]


class FollowTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-spark-"))
        self.scratch = pathlib.Path(scratch)
        self.enterContext(mock.patch.object(window_run, "Content", FakeContent))
        self.enterContext(mock.patch.object(
            window_run, "comparing_kernel",
            lambda kernel, now, before: None if before is None else before.window.end))
        self.enterContext(mock.patch("os.fsync"))  # only the process ends, and this is faster

    def run_with(self, runs: Runs) -> Any:
        return mock.patch.object(window_run, "run_job", runs.run_job)

    def opened(self, spec: WindowSpec, jobs: list[JobSpec], output: Output) -> WindowRun:
        return WindowRun(mock.Mock(), spec, jobs, RunSettings(output, 0, False, None), False,
                         mock.Mock())

    def at_once(self, folder: pathlib.Path, windows: list[tuple[WindowSpec, list[JobSpec]]]
                ) -> list[dict[str, Any]]:
        """The results of a batch."""
        try:
            slices = open_slices(folder)
        except NotThereYet:
            return []
        self.addCleanup(slices.close)
        output = Lines()
        with self.run_with(Runs(random.Random(1), 0)):
            for spec, jobs in windows:
                run = self.opened(spec, jobs, output)
                for window in planned_windows(spec, slices, False):
                    run.step(window)
        return output.results

    def one_life(self, stream: Stream, windows: list[tuple[WindowSpec, list[JobSpec]]],
                 output: ResultFiles, chance: random.Random) -> None:
        """Follows until the stream is over. Killed: it was ended before."""
        slices: Slices | None = None
        try:
            followed: list[FollowedWindow] = []
            while True:
                is_over = stream.is_over()
                if slices is None:
                    slices = self.first(stream.folders[0])
                    arrived = [] if slices is None else list(slices.slices)
                    followed = [] if slices is None else [
                        FollowedWindow(self.opened(spec, jobs, output), slices.pane, output)
                        for spec, jobs in windows]
                else:
                    arrived = slices.read_more()
                if slices is not None:
                    for lot, until in lots_of(arrived, slices.closed_until, chance.choice([1, 99])):
                        for of_window, window in steps_of(followed, lot, until):
                            of_window.step(window)
                        needed = [each.needs() for each in followed]
                        if None not in needed:
                            slices.forget(min(needed))
                            stale = [each for each in slices.slices if each.end <= min(needed)]
                            self.assertEqual(stale, [])
                if is_over:
                    return
                if slices is not None:  # which has read all, and has locked what it needs
                    stream.remove_some()
                for _ in range(chance.choice([1, 3, 30])):
                    stream.goes_on()
        finally:
            if slices is not None:
                slices.close()

    def first(self, folder: pathlib.Path) -> Slices | None:
        try:
            return open_slices(folder)
        except NotThereYet:
            return None

    def test_results_are_those_of_one_run_over_all_slices(self) -> None:
        print(f"SASH_SEED={SEED}", flush=True)
        counts = {"results": 0, "lives": 0, "removed": 0}
        for number in range(STREAMS):
            seed = SEED * 1000 + number
            with self.subTest(seed=seed):
                self.one_stream(seed, counts)
        print(counts, flush=True)
        self.assertGreater(counts["results"], STREAMS * 5)
        self.assertGreater(counts["lives"], STREAMS)  # of some seeds hardly more
        self.assertGreater(counts["removed"], 0)

    def one_stream(self, seed: int, counts: dict[str, int]) -> None:
        chance = random.Random(seed)
        folder = self.scratch / str(seed)
        stream = Stream(chance, folder)
        windows = [(spec, jobs_of(spec, chance)) for spec in windows_of(chance, not stream.removes)]
        runs = Runs(chance, chance.choice([0, 0.02, 0.2]))
        is_running = True
        with self.run_with(runs):
            while is_running:
                counts["lives"] += 1
                with ResultFiles(folder / "out") as output:
                    try:
                        self.one_life(stream, windows, output, chance)
                        is_running = False
                    except Killed:
                        continue
        found = [json.loads(path.read_text()) for path in (folder / "out/results").glob("*.json")]
        expected = self.at_once(stream.folders[1], windows)
        self.assertEqual(ordered(found), ordered(expected))
        counts["results"] += len(found)
        left, every = ([*each.rglob("slice-*.json")] for each in stream.folders)
        counts["removed"] += len(every) - len(left)


def ordered(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(results, key=lambda each: (each["job"], each["window_end"]))


if __name__ == "__main__":
    unittest.main()
