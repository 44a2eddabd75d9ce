"""`sash-spark --follow` without Spark: whatever it reads at once, wherever it is killed, and
although slices are removed behind it, its results are those of one run over all slices.

SASH_SEED=n makes the streams, and is printed.
"""
import contextlib
import fcntl
import io
import json
import os
import pathlib
import random
import tempfile
import unittest
from types import SimpleNamespace
from typing import Any
from unittest import mock

import engines  # noqa: F401  (the path of the package)

from sash_spark import window_run
from sash_spark.command import main
from sash_spark.configuration import JobSpec, WindowSpec
from sash_spark.errors import InputError, NotThereYet
from sash_spark.follow_run import lots_of
from sash_spark.followed_window import FollowedWindow, steps_of
from sash_spark.output import Output
from sash_spark.plan import PlannedWindow, Planner, planned_windows
from sash_spark.repeated_ids import repeated
from sash_spark.result_files import Before, ResultFiles
from sash_spark.shards import open_slices
from sash_spark.slices import Slice, Slices
from sash_spark.times import time_text
from sash_spark.waiting import Waiting
from sash_spark.window_run import RunSettings, WindowRun

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))
STREAMS = 40
PANE = 10  # seconds
SECOND = 10**9
FILTER = "/big"


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
    """In the place of run_job(): a result says from what it was made. `kills`: the chance that the
    process ends before or after a result is written."""

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


class Stream:
    """Slices as shards write them (of: 0: one process), in two folders: of one they are removed."""

    def __init__(self, chance: random.Random, folder: pathlib.Path) -> None:
        self.chance = chance
        self.of = chance.choice([0, 1, 2, 3])
        self.folders = [folder / "followed", folder / "all"]
        self.removes = chance.random() < 0.5
        self.panes = chance.randrange(5, 40)
        self.silence = range(0)
        if chance.random() < 0.4:
            begin = chance.randrange(self.panes)
            self.silence = range(begin, begin + chance.randrange(20))
        self.shards = [{"at": 0, "number": 0, "end": None, "apart": []}
                       for _ in range(self.of or 1)]
        if self.of:
            for shard in self.shards:
                if chance.random() < 0.3:
                    shard["apart"].append({"start": None, "late": 1, "refused": 2})
        for place in range(len(self.shards)):
            for each in self.folders_of(place):
                each.mkdir(parents=True)
            self.say(place, None)

    def folders_of(self, place: int) -> list[pathlib.Path]:
        name = f"shard-{place + 1}-of-{self.of}" if self.of else ""
        return [each / name for each in self.folders]

    def is_over(self) -> bool:
        return all(shard["at"] >= self.panes for shard in self.shards)

    def goes_on(self) -> None:
        """A shard writes a slice, or closes a pane without one."""
        place = self.chance.randrange(len(self.shards))
        shard, chance = self.shards[place], self.chance
        start = shard["at"] * PANE
        shard["at"] += 1
        if shard["at"] > self.panes + 2:
            return
        if shard["at"] - 1 not in self.silence and chance.random() < 0.6:
            self.write(place, start)
        elif self.of and chance.random() < 0.4:
            shard["apart"].append({"start": time_text(start * SECOND),
                                   "late": chance.randrange(9), "refused": chance.randrange(9)})
        if chance.random() < 0.7 or self.is_over():
            self.say(place, shard["at"] * PANE)

    def write(self, place: int, start: int) -> None:
        shard, chance = self.shards[place], self.chance
        shard["number"] += 1
        number = shard["number"]
        is_on_time = self.removes or chance.random() < 0.9
        about = {
            "slices": 1, "number": number, "start": time_text(start * SECOND),
            "end": time_text((start + PANE) * SECOND),
            "previous_end": None if shard["end"] is None else time_text(shard["end"] * SECOND),
            "edges": chance.choice([0, 1, 5]), "late": chance.randrange(9),
            "refused": chance.randrange(9), "gap": chance.random() < 0.1, "on_time": is_on_time,
            "offsets": {"t": {str(place): [number * 10, number * 10 + 9]}}, "keys": "string",
            "filters": [{"column": "filter_0", "filter": FILTER,
                         "on_time": is_on_time and chance.random() < 0.5}],
            "counts": shard["apart"],
            "file": {"name": f"slice-{number:010}.parquet", "bytes": 1, "crc32c": "0"}}
        shard["end"], shard["apart"] = start + PANE, []
        for folder in self.folders_of(place):
            (folder / f"slice-{number:010}.json").write_text(json.dumps(about))

    def say(self, place: int, until: int | None) -> None:
        about = {"manifest": 1, "pane_ns": PANE * SECOND, "keys": "string", "mapping": "m",
                 "closed_until": None if until is None else time_text(until * SECOND),
                 "counts": self.shards[place]["apart"]}
        for folder in self.folders_of(place) if self.of else []:
            (folder / "shard.json").write_text(json.dumps(about))

    def remove_some(self) -> None:
        """As `keep` does: the oldest ones that nobody has locked."""
        if not self.removes:
            return
        folder = self.folders_of(self.chance.randrange(len(self.shards)))[0]
        for path in sorted(folder.glob("slice-*.json"))[:-1]:
            with open(path, "rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return
            path.unlink()


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
        self.assertGreater(counts["lives"], STREAMS * 2)
        self.assertGreater(counts["removed"], STREAMS)

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


class MemoryTest(unittest.TestCase):
    def test_what_no_window_needs_is_forgotten(self) -> None:
        spec = WindowSpec("w", "event_time", 4 * PANE * SECOND, PANE * SECOND, 0, "keep", "pair",
                          "once", (), "")
        planner = Planner(spec, PANE * SECOND)
        for number in range(1, 200):
            start = number * PANE * SECOND
            one = Slice(number, start, start + PANE * SECOND, None if number == 1 else start,
                        {"on_time": True}, ())
            planned = planner.take([one], one.end)
            self.assertEqual(len(planned), 1)
            self.assertEqual(planner.needs, one.end - 5 * PANE * SECOND)
            self.assertLessEqual(len(planner._slices), 5)
        self.assertEqual(len(planned[0].slices), 4)

    def test_a_slice_that_was_removed_before_it_was_read_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            stream = Stream(random.Random(2), pathlib.Path(scratch))
            self.assertEqual(stream.of, 0)
            folder = stream.folders[0]
            for start in (0, 10):
                stream.write(0, start)
            slices = open_slices(folder)
            self.addCleanup(slices.close)
            for start in (20, 30):
                stream.write(0, start)
            (folder / "slice-0000000003.json").unlink()
            with self.assertRaisesRegex(InputError, "between slice 2 and slice 4 one is missing; "
                                        "it was removed before it was read; raise `keep`"):
                slices.read_more()

    def test_a_restart_after_needed_slices_were_removed_says_so(self) -> None:
        spec = WindowSpec("w", "event_time", 4 * PANE * SECOND, PANE * SECOND, 0, "keep", "pair",
                          "once", (), "")
        run = mock.Mock(spec=WindowRun)
        run.spec, run.jobs = spec, []
        for since, is_gone in ((50, True), (20, False)):
            output = mock.Mock(spec=ResultFiles)
            output.before.return_value = Before(50 * SECOND, 7, False, {"j": 50 * SECOND})
            window = FollowedWindow(run, PANE * SECOND, output)
            window.planner.whole_since = since * SECOND
            run.due.return_value = []
            following = PlannedWindow(20 * SECOND, 60 * SECOND, ())
            if is_gone:
                with self.assertRaisesRegex(
                        InputError, "its results end at 1970-01-01T00:00:50.000Z, and slices "
                        "before .*:50.000Z that the next one needs were removed before"):
                    window.step(following)
            else:
                window.step(following)
                run.step.assert_called_once_with(following)


class ResultFilesTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = self.enterContext(tempfile.TemporaryDirectory(prefix="sash-spark-"))
        self.folder = pathlib.Path(scratch, "out")

    def result(self, job: str, second: int, snapshot: int) -> dict[str, Any]:
        return {"job": job, "window_end": time_text(second * SECOND), "snapshot": snapshot,
                "empty": second == 30}

    def test_a_result_is_a_whole_file_that_a_restart_finds(self) -> None:
        with ResultFiles(self.folder) as output:
            self.assertIsNone(output.before("w", ["a", "a-b"]))
            for job, second, snapshot in (("a", 10, 1), ("a", 30, 3), ("a-b", 20, 2), ("c", 90, 9)):
                output.write(self.result(job, second, snapshot))
            with self.assertRaisesRegex(InputError, "another process writes results there"):
                ResultFiles(self.folder)
        torn = self.folder / "results" / "a-1970-01-01T000040.000Z.json.part"
        torn.write_text('{"job": "a", "win')
        with ResultFiles(self.folder) as output:
            self.assertFalse(torn.exists())
            ends = {"a": 30 * SECOND, "a-b": 20 * SECOND}
            before = output.before("w", ["a", "a-b"])
            self.assertEqual(before, Before(30 * SECOND, 3, True, ends))
            output.passed("w", 20 * SECOND, 9, False)
            self.assertEqual(output.before("w", ["a", "a-b"]), before)
            output.passed("w", 40 * SECOND, 4, False)
            self.assertEqual(output.before("w", ["a", "a-b"]),
                             Before(40 * SECOND, 4, False, ends, True))
            self.assertTrue(output.has("a-b", time_text(20 * SECOND)))
            self.assertFalse(output.has("a", time_text(20 * SECOND)))
        self.assertEqual(
            (self.folder / "results" / "a-1970-01-01T000030.000Z.json").read_text(),
            '{"job":"a","window_end":"1970-01-01T00:00:30.000Z","snapshot":3,"empty":true}\n')

    def test_a_folder_has_results_of_one_kind(self) -> None:
        with ResultFiles(self.folder):
            pass
        with self.assertRaisesRegex(InputError, "/out/results: exists; give another --output"):
            Output(self.folder)
        (self.folder / "results").rmdir()
        with Output(self.folder):
            pass
        with self.assertRaisesRegex(InputError, "/out/results.jsonl: exists"):
            ResultFiles(self.folder)


class ArgumentsTest(unittest.TestCase):
    def test_what_does_not_fit_together_is_refused(self) -> None:
        for given, why in ((["--snapshot", "d", "--follow"], "--follow needs --slices"),
                           (["--slices", "d", "--follow", "--ended"], "no --ended"),
                           (["--slices", "d", "--follow", "--poll", "0"], "--poll must be above")):
            said = io.StringIO()
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(said):
                main([*given, "--config", "c"])
            self.assertEqual(ended.exception.code, 2)
            self.assertIn(why, said.getvalue())


class WaitingTest(unittest.TestCase):
    def test_what_is_waited_for_is_said_once_and_again_when_it_changes(self) -> None:
        said: list[str] = []
        now = [100.0]
        waiting = Waiting(lambda: now[0], said.append)

        def note(text: str | None, seconds: float) -> None:
            waiting.note(text)
            now[0] += seconds
        note("a", 4)  # shards are never at the same place
        note(None, 60)
        note("b", 6)
        note("b", 60)
        note("b", 1)
        self.assertEqual(said, ["b"])
        note("c", 1)
        note("d", 40)
        self.assertEqual(said, ["b", "c"], "a shard that catches up changes each second")
        note("d", 1)
        note(None, 1)
        note("d", 6)
        note("d", 6)
        self.assertEqual(said, ["b", "c", "d", "d"])

    def test_a_shard_that_is_behind_others_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            stream = Stream(random.Random(5), pathlib.Path(scratch))
            self.assertEqual(stream.of, 2)
            stream.say(0, 30)
            slices = open_slices(stream.folders[0])
            self.addCleanup(slices.close)
            self.assertEqual(slices.behind(None),
                             ["shard-2-of-2 has closed nothing (no `closed_until`)"])
            stream.say(1, 20)
            slices.read_more()
            self.assertEqual(slices.behind(30 * SECOND), [
                "the `closed_until` of shard-2-of-2 is 1970-01-01T00:00:20.000Z"])
            self.assertEqual((slices.behind(20 * SECOND), slices.behind(40 * SECOND)), ([], []))
            (stream.folders[0] / "shard-2-of-2" / "shard.json").unlink()
            with self.assertRaisesRegex(NotThereYet, "shard-2-of-2/shard.json: cannot be read"):
                slices.read_more()


class IdsTest(unittest.TestCase):
    def test_ids_of_slices_that_come_one_after_the_other_are_compared_as_at_once(self) -> None:
        """As IdsSeen keeps them: the edges that counted, and are at most `within` old."""
        chance = random.Random(SEED)
        for _ in range(300):
            within = chance.choice([0, 3, 10, 25])
            rows = sorted((chance.randrange(60), ("t", 0, chance.randrange(20), 0))
                          for _ in range(chance.randrange(12)))
            rows = [(time, (*place[:3], at)) for at, (time, place) in enumerate(rows)]
            found: list[Any] = []
            kept: list[Any] = []
            for start in range(0, 60, PANE):
                every = kept + [row for row in rows if start <= row[0] < start + PANE]
                here = list(repeated(every, within))
                found += here
                kept = [row for row in every
                        if row[1] not in here and row[0] >= start + PANE - within]
            self.assertEqual(found, list(repeated(rows, within)))


if __name__ == "__main__":
    unittest.main()
