"""Windows that are larger than memory: their edges lie in a file.

The same stream, once with its window in memory and once with a limit of a third of that memory.
"""
import contextlib
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any, Iterator

from held_replay import MEBIBYTE, PeakUse
from sashd_process import Sashd
from spilled_window import EDGES, control_group, document, join, produce


@contextlib.contextmanager
def small_disk(place: pathlib.Path, mebibytes: int) -> Iterator[pathlib.Path]:
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "sash", place],
                             capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        raise unittest.SkipTest(f"no disk can be made here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


class Spilled(unittest.TestCase):
    """The stream, and its results."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory(prefix="sash-spill-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.events = cls.folder / "events.csv"
        produce(cls.events)

    def results(self, group: pathlib.Path | None = None,
                **memory: Any) -> tuple[list[dict[str, Any]], int]:
        """The results of a run, and the peak of the process's own memory."""
        with Sashd(document(self.events, **memory), preexec_fn=join(group)) as sashd, \
                PeakUse(sashd) as peak:
            self.assertEqual(sashd.wait(1200), 0, sashd.log())
            lines = sashd.lines()
            if "spill" in memory:
                self.assertEqual(list((sashd.folder / memory["spill"]).iterdir()), [])
            for line in lines:
                print(f"{line['job']} of {line['edges']} edges: {line.pop('seconds'):.2f} s")
            return lines, peak.bytes

    def expect_the_same(self, whole: list[dict[str, Any]], spilled: list[dict[str, Any]]) -> None:
        for one, other in zip(whole, spilled, strict=True):
            if one["kernel"] == "pagerank":  # rows have another order
                self.assertEqual([row["vertex"] for row in one["top"][:10]],
                                 [row["vertex"] for row in other["top"][:10]])
                for row, same in zip(one.pop("top"), other.pop("top"), strict=True):
                    self.assertAlmostEqual(row["score"], same["score"], delta=1e-9)
                self.assertAlmostEqual(one.pop("residual"), other.pop("residual"), delta=1e-9)
            self.assertEqual(one, other)


class SpillTest(Spilled):
    def test_a_window_of_three_times_the_memory_gives_the_same_answers(self):
        whole, most = self.results(limit="none")
        self.assertEqual(len(whole), 6)
        self.assertEqual(whole[-1]["edges"], EDGES)
        limit = most // 3 // MEBIBYTE
        spilled, peak = self.results(limit=f"{limit}MiB", spill="spill")
        print(f"{peak / MEBIBYTE:.1f} MiB of {limit}, {most / MEBIBYTE:.1f} in memory")
        self.assertLess(peak, limit * MEBIBYTE * 1.1)
        self.expect_the_same(whole, spilled)

    def test_a_full_disk_is_said_and_what_comes_later_stays_in_memory(self):
        whole, most = self.results(limit="none")
        with small_disk(self.folder / "disk", 64) as disk, \
                Sashd(document(self.events, limit="none", spill=str(disk))) as sashd, \
                PeakUse(sashd) as peak:
            self.assertEqual(sashd.wait(600), 0, sashd.log())
            self.assertRegex(sashd.log(),
                             r"memory\.spill: the disk is full at (48|64) MiB, so new data")
            spilled = sashd.lines()
        for line in spilled:
            del line["seconds"]
        self.assertGreater(peak.bytes, most - 100 * MEBIBYTE)
        self.expect_the_same(whole, spilled)

    def test_a_folder_that_cannot_be_made_is_said(self):
        with Sashd(document(self.events, spill="no/where")) as sashd:
            self.assertEqual(sashd.wait(), 1)
            self.assertIn("memory.spill: no/where: no file can be made in it: "
                          "No such file or directory", sashd.log())


class ControlGroupTest(Spilled):
    """Data that does not fit has to leave the memory, and is read from disk again and again."""

    def test_pages_of_the_file_may_be_taken_away_too(self):
        whole, most = self.results(limit="none")
        limit = most // 3
        with contextlib.ExitStack() as stack:
            try:
                group = stack.enter_context(control_group(limit))
            except OSError as error:
                self.skipTest(f"no control group can be made here: {error}")
            spilled, peak = self.results(group, spill="spill")
        print(f"{peak / MEBIBYTE:.1f} MiB of {limit / MEBIBYTE:.1f}, {most / MEBIBYTE:.1f} in "
              "memory")
        self.assertLess(peak, limit)
        self.expect_the_same(whole, spilled)


if __name__ == "__main__":
    unittest.main()
