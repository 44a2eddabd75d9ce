"""Windows that Spark makes of exported slices: each result equals sashd's own."""
import contextlib
import io
import json
import pathlib
import shutil
import unittest
from typing import Any

import pyspark  # noqa: F401  (run_test.py reports that it is missing)

from engines import (differences, disturbed, document, open_spark, read_results, records,
                     require_spark)
from sashd_replay import Replay

from sash_spark.command import main

SEED = 20261129
KEYS = ["a", "b", "é", "😀", "10", "9", *(f"v{i}" for i in range(8))]
LENGTH = {"length": "40s", "slide": "20s"}
WINDOWS: dict[str, dict[str, Any]] = {
    "keep": {"duplicates": "keep", **LENGTH},
    "weigh": {"duplicates": "weigh", **LENGTH},
    "drop-where": {"duplicates": "drop", "where": "/big", "empty_windows": "skip", **LENGTH},
    "weigh-types": {"duplicates": "weigh", "identity": "pair_and_type", "types": ["y", "x"],
                    "where": "/big || /w > 1.0", **LENGTH},
    "for-ever": {"duplicates": "keep", "types": ["x"], "length": "forever", "slide": "100s"},
    "drop-types": {"duplicates": "drop", "identity": "pair_and_type", "length": "20s",
                   "slide": "20s", "offset": "10s"}}


def jobs_of(windows: list[str]) -> list[dict[str, Any]]:
    """The kernel `window` lists every edge; the others are spread over the windows."""
    jobs = [{"name": f"{window}-edges", "kernel": "window", "window": window}
            for window in windows]
    others = [("keep", "new_edges", {}), ("weigh", "vanished_edges", {}),
              ("weigh-types", "new_edges", {}), ("drop-types", "vanished_edges", {}),
              ("drop-where", "strength", {"direction": "net"}),
              ("drop-types", "cycles", {"max_length": 4, "min_weight": 1}),
              ("for-ever", "pagerank", {"tolerance": 0, "max_iterations": 3})]
    return jobs + [{"name": f"{window}-{kernel}", "kernel": kernel, "window": window, "top": 4,
                    "every": 2 if kernel == "strength" else 1, "parameters": parameters}
                   for window, kernel, parameters in others if window in windows]


class SlicesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        require_spark()
        cls.spark = open_spark()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()

    def replayed(self, names: list[str], content: bytes) -> pathlib.Path:
        made = document("string", [{"name": name, **WINDOWS[name]} for name in names],
                        jobs_of(names), [{"parquet": {"path": "slices", "slices": True}}])
        made["source"]["time"] |= {"disorder": "2s", "late": "next_slice"}
        made["source"]["format"]["json"]["id"] = "/id"
        made["source"]["dedupe"] = {"within": "10s"}
        replay = Replay(made, content)
        self.addCleanup(replay.__exit__)
        replay.run()
        return replay.folder

    def ran(self, folder: pathlib.Path, *more: str) -> tuple[int, str]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = main(["--slices", str(folder / "slices"), "--config",
                         str(folder / "sashd.yaml"), *more])
        return code, said.getvalue()

    def test_all_windows_of_a_stream_are_those_of_sashd(self) -> None:
        content = disturbed(records(SEED, KEYS, [0, 1, 2, 2**40, 0.5, -3], 120), SEED)
        folder = self.replayed(list(WINDOWS), content)
        code, said = self.ran(folder, "--ended", "--vertices", "all", "--output",
                              str(folder / "out"))
        self.assertEqual(code, 0, said)
        expected = read_results(folder / "all.jsonl")
        found = read_results(folder / "out" / "results.jsonl")
        self.assertEqual(sorted(found), sorted(expected))
        removed = [json.loads(line)["op"] for line in content.splitlines()]
        self.assertGreater(len([op for op in removed if op != "add"]), 10)
        self.assertTrue(any(result["empty"] for result in expected.values()))
        self.assertTrue(any(result["late"] for result in expected.values()))
        for identity, result in found.items():
            with self.subTest(identity=identity, seed=SEED):
                self.assertEqual(differences(result, expected[identity]), [])

    def test_while_the_stream_goes_on_only_whole_windows_have_results(self) -> None:
        folder = self.replayed(["keep"], records(SEED, KEYS, [1], 150))
        newest = max((folder / "slices").glob("slice-*.json"))
        end = json.loads(newest.read_text())["end"]
        code, said = self.ran(folder, "--jobs", "keep-edges", "--output", str(folder / "out"))
        self.assertEqual(code, 0, said)
        found = read_results(folder / "out" / "results.jsonl")
        every = [identity for identity in read_results(folder / "all.jsonl")
                 if identity[0] == "keep-edges"]
        self.assertEqual(sorted(found), sorted(each for each in every if each[1] <= end))
        code, said = self.ran(folder, "--jobs", "keep-edges", "--driver-limit", "100")
        self.assertEqual(code, 1, said)
        self.assertIn("job keep-edges is refused: the keys of a window are on the driver", said)
        newest.with_suffix(".parquet").unlink()
        code, said = self.ran(folder, "--jobs", "keep-edges")
        self.assertEqual(code, 78)
        self.assertIn("cannot be read", said)
        shutil.rmtree(folder / "slices")
        self.assertIn("is not a folder", self.ran(folder)[1])


if __name__ == "__main__":
    unittest.main()
