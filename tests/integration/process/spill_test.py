"""Windows that are larger than memory: their edges lie in a file.

The same stream, once with its window in memory and once with a limit of a third of what that took.
"""
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any

from memory_test import MEBIBYTE, PeakUse
from sashd_process import CSV_FORMAT, Sashd, program, replay

EDGES = 16_000_000
SECONDS = 100  # of event time, a slice each
JOBS = [{"name": "ranks", "kernel": "pagerank", "window": "w", "every": 50, "top": 1000},
        {"name": "reach", "kernel": "bfs", "window": "w", "every": 50, "top": 1000,
         "parameters": {"roots": [1]}},
        {"name": "each", "kernel": "bfs", "window": "w", "every": 50, "top": 100,
         "parameters": {"roots": [1, 2, 3], "separate": True}}]


def document(events: pathlib.Path, **memory: Any) -> dict[str, Any]:
    config = replay(str(events), format={**CSV_FORMAT, "keys": "integer"},
                    time={"unit": "ms", "disorder": "0s"}, jobs=JOBS, memory=memory,
                    windows=[{"name": "w", "length": f"{SECONDS}s", "slide": "1s"}])
    return config


class SpillTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory(prefix="sash-spill-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.events = cls.folder / "events.csv"
        subprocess.run([program("SASH_GENERATE", "generate/sash-generate"), "--edges", str(EDGES),
                        "--graph", "uniform", "--scale", "15", "--keys", "integer", "--format", "csv",
                        "--event-rate", str(EDGES // SECONDS), "--to", cls.events], check=True)

    def results(self, **memory: Any) -> tuple[list[dict[str, Any]], int]:
        """And the most memory of its own that the process held."""
        with Sashd(document(self.events, **memory)) as sashd, PeakUse(sashd) as peak:
            self.assertEqual(sashd.wait(600), 0, sashd.log())
            lines = sashd.lines()
            for line in lines:
                del line["seconds"]
            return lines, peak.bytes

    def test_a_window_of_three_times_the_memory_gives_the_same_answers(self):
        whole, most = self.results(limit="none")
        self.assertEqual(len(whole), 6)
        self.assertEqual(whole[-1]["edges"], EDGES)
        limit = most // 3 // MEBIBYTE
        spilled, peak = self.results(limit=f"{limit}MiB", spill=str(self.folder))
        print(f"{peak / MEBIBYTE:.1f} MiB of {limit}, {most / MEBIBYTE:.1f} in memory")
        self.assertLess(peak, limit * MEBIBYTE * 1.1)
        for one, other in zip(whole, spilled, strict=True):
            if one["kernel"] == "pagerank":  # rows are in another order
                self.assertEqual([row["vertex"] for row in one["top"][:10]],
                                 [row["vertex"] for row in other["top"][:10]])
                for row, same in zip(one.pop("top"), other.pop("top"), strict=True):
                    self.assertAlmostEqual(row["score"], same["score"], delta=1e-9)
                self.assertAlmostEqual(one.pop("residual"), other.pop("residual"), delta=1e-9)
            self.assertEqual(one, other)

    def test_the_file_has_no_name(self):
        self.assertEqual([path.name for path in self.folder.iterdir()], ["events.csv"])

    def test_a_folder_that_is_not_there_is_said(self):
        with Sashd(document(self.events, spill="nowhere")) as sashd:
            self.assertEqual(sashd.wait(), 1)
            self.assertIn("memory.spill: nowhere: no file can be made in it: "
                          "No such file or directory", sashd.log())


if __name__ == "__main__":
    unittest.main()
