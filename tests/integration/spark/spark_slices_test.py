"""Windows that Spark makes of exported slices: each result equals sashd's own."""
import json
import shutil
import unittest

import pyspark  # noqa: F401  (run_test.py reports that it is missing)

from engines import differences, disturbed, read_results, records
from slices_case import KEYS, SEED, WINDOWS, SlicesCase


class SlicesTest(SlicesCase):
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
