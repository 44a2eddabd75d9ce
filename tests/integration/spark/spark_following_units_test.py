"""The pieces of `sash-spark --follow`: what is kept in memory, files of results, arguments, what is
waited for, and ids across slices.

SASH_SEED=n makes the ids, and is printed.
"""
import contextlib
import io
import os
import pathlib
import random
import tempfile
import unittest
from typing import Any
from unittest import mock

from written_slices import PANE, SECOND, Stream

from sash_spark.command import main
from sash_spark.configuration import WindowSpec
from sash_spark.errors import InputError, NotThereYet
from sash_spark.followed_window import FollowedWindow
from sash_spark.output import Output
from sash_spark.plan import PlannedWindow, Planner
from sash_spark.repeated_ids import repeated
from sash_spark.result_files import Before, ResultFiles
from sash_spark.shards import open_slices
from sash_spark.slices import Slice
from sash_spark.times import time_text
from sash_spark.waiting import Waiting
from sash_spark.window_run import WindowRun

SEED = int(os.environ.get("SASH_SEED") or random.randrange(10**6))


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
        print(f"SASH_SEED={SEED}", flush=True)
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
