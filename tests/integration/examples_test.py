"""The worked examples in configs/: the command in each example finds what its comment says. Only
the standard library is needed.
"""
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs"
SECONDS = 300  # for actions that usually take a second

Results = dict[str, dict[int, dict[str, Any]]]  # by job and by seconds of event time


def program(variable: str, name: str) -> str:
    return os.environ.get(variable) or str(ROOT / "build/release/daemon" / name)


def run(example: str) -> Results:
    """Runs the command in the comment of an example, in its own folder."""
    text = (CONFIGS / f"{example}.yaml").read_text()
    command = re.search(r"^#   sash-generate (.*(?: \\\n#       .*)*) \\\n#     \| sashd --config "
                        rf"configs/{example}\.yaml$",
                        text, re.MULTILINE)
    if command is None:
        raise AssertionError(f"configs/{example}.yaml names no command to try it")
    with tempfile.TemporaryDirectory(prefix="sash-example-") as folder:
        options = shlex.split(command[1].replace("\\\n#", ""))
        with subprocess.Popen([program("SASH_GENERATE", "generate/sash-generate"), *options],
                              stdout=subprocess.PIPE) as generate:
            done = subprocess.run([program("SASHD", "sashd"), "--config",
                                   CONFIGS / f"{example}.yaml"], cwd=folder, timeout=SECONDS,
                                  stdin=generate.stdout, capture_output=True, text=True,
                                  check=False)
            generate.stdout.close()
        if (done.returncode, generate.returncode) != (0, 0):
            raise AssertionError(f"{done.returncode}, {generate.returncode}:\n{done.stderr}")
        lines = (pathlib.Path(folder) / f"{example}.jsonl").read_text().splitlines()
    results: Results = collections.defaultdict(dict)
    for line in lines:
        result = json.loads(line)
        hours, minutes, seconds = (int(part) for part in
                                   re.search(r"T(\d+):(\d+):(\d+)", result["window_end"]).groups())
        results[result["job"]][hours * 3600 + minutes * 60 + seconds] = result
    return results


def places(result: dict[str, Any]) -> list[str]:
    return [vertex["vertex"] for vertex in result["top"]]


class ExamplesTest(unittest.TestCase):
    def test_fraud_finds_the_ring_alone_at_the_top_while_it_is_in_the_window(self):
        results = run("fraud")
        ring = {f"ring-1-{member}" for member in range(1, 13)}
        self.assertEqual(sorted(results), ["follow-the-money", "rings", "volume"])
        for end, result in results["rings"].items():
            with self.subTest(end=end):
                if 70 <= end <= 105:
                    self.assertEqual(set(places(result)[:12]), ring)
                    self.assertGreater(result["top"][11]["score"], result["top"][12]["score"] + 2)
                elif end <= 60 or end >= 115:
                    self.assertFalse(ring & set(places(result)))
        self.assertEqual(results["rings"][90]["top"][0]["score"], 11)
        self.assertEqual(set(places(results["follow-the-money"][90])[:12]), ring)

    def test_network_finds_the_flooded_host_while_it_is_flooded_and_not_before(self):
        senders = run("network")["most-senders"]
        self.assertEqual(set(senders), set(range(2, 122, 2)))
        for end, result in senders.items():
            with self.subTest(end=end):
                if 70 <= end <= 90:
                    self.assertEqual(places(result)[0], "hub-1")
                elif end <= 60 or end > 100:
                    self.assertNotIn("hub-1", places(result))

    def test_trends_sees_in_the_short_window_what_the_long_one_does_not_show_yet(self):
        results = run("trends")
        first = min(end for end, result in results["now"].items()
                    if places(result)[0] == "hub-1")
        self.assertGreater(first, 120)
        self.assertLessEqual(first, 140)
        self.assertNotIn("hub-1", places(results["usual"][first]))
        self.assertTrue(all(places(result)[0] != "hub-1" for result in results["usual"].values()))
        self.assertIn("hub-1", places(results["usual"][160]),
                      "the longer window still holds its edges")
        self.assertNotIn("hub-1", places(results["now"][175]))


if __name__ == "__main__":
    unittest.main()
