"""PageRank four ways - built in, as a plug-in, as a vertex program, and in Python over a lease - is
equal on every window of the random streams with which replays are compared with the oracle.

SASH_SLOW=1 runs more streams; SASH_SEED=n starts at another seed.
"""
import json
import pathlib
import sys
import tempfile
import unittest
from typing import Any

import numpy

from sashd_process import ROOT, Sashd

sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "connectors/python")]
import sash  # noqa: E402

from external_jobs_test import Worker, pagerank  # noqa: E402
from oracle.compare import read_lines  # noqa: E402
from plugins_test import plugin, with_plugins  # noqa: E402
from replay_oracle_test import POLICIES, SEED, SLOW, Case  # noqa: E402

PATIENCE = 300  # seconds
EXACT = {"tolerance": 1e-13, "max_iterations": 1000}
WAYS = ("kernel", "plugin", "vertex", "python")
MOST_APART = 1e-9


def jobs_of(window: str) -> list[dict[str, Any]]:
    common = {"window": window, "top": 100_000}
    return [
        {"name": f"{window}-kernel", "kernel": "pagerank", **common, "parameters": EXACT},
        {**plugin(f"{window}-plugin", "pagerank", parameters=EXACT), **common},
        {**plugin(f"{window}-vertex", "vertex_pagerank", parameters=EXACT), **common},
        {"name": f"{window}-python", "kernel": "external", "deadline": "60s", **common}]


def identity(line: dict[str, Any]) -> tuple[str, str, int]:
    return line["window"], line["window_end"], line.get("accepted", 0)


class RanksFourWaysTest(unittest.TestCase):
    def setUp(self) -> None:
        shared = tempfile.TemporaryDirectory(prefix="sash-four-", dir="/dev/shm")
        self.addCleanup(shared.cleanup)
        self.snapshots = pathlib.Path(shared.name, "snapshots")

    def remote_worker(self, sashd: Sashd, windows: list[str], leased: list[int]) -> Worker:
        """A worker that takes each snapshot over a lease, as one on another host does."""
        def ranks(snapshot: sash.Snapshot) -> numpy.ndarray:
            self.assertFalse(snapshot.path.is_relative_to(self.snapshots))
            leased.append(snapshot.vertex_count)
            return pagerank(snapshot)
        worker = Worker(sashd, {f"{window}-python": ranks for window in windows})
        worker.client._api.is_on_this_host = lambda: False
        return worker

    def compare(self, case: Case) -> int:
        document, stream = case.build()
        windows = document["windows"][::2]  # one of each two twins
        names = [window["name"] for window in windows]
        document = {**document, "windows": windows, "plugins": ["plugins"],
                    "jobs": [job for name in names for job in jobs_of(name)],
                    "exports": [{"frozen": {"path": str(self.snapshots), "windows": names,
                                            "keep": 1}}],
                    "http": {"listen": "127.0.0.1:0"},
                    "sinks": [{"file": {"path": "results.jsonl"}}]}
        leased: list[int] = []
        with Sashd(document, stream.content, before=with_plugins) as sashd:
            with self.remote_worker(sashd, names, leased):
                self.assertEqual(sashd.wait(PATIENCE), 0, sashd.log())
            lines = [json.loads(line) for line in read_lines(str(sashd.folder / "results.jsonl"))]
        found: dict[tuple[str, str, int], dict[str, dict[Any, float]]] = {}
        for line in lines:
            way = line["job"].rpartition("-")[2]
            found.setdefault(identity(line), {})[way] = {
                row["vertex"]: row["score"] for row in line["top"]}
        full = 0
        for at, ways in found.items():
            self.assertEqual(sorted(ways), sorted(WAYS), at)
            full += 1 if ways["kernel"] else 0
            for way in WAYS[1:]:
                self.assertEqual(ways[way].keys(), ways["kernel"].keys(), (at, way))
                for vertex, rank in ways["kernel"].items():
                    self.assertAlmostEqual(ways[way][vertex], rank, delta=MOST_APART,
                                           msg=(at, way, vertex))
        self.assertEqual(len(leased), full, "each window with vertices was read over a lease")
        return full

    def run_cases(self, by: str, slow: int) -> None:
        compared = 0
        for seed in range(SEED, SEED + (slow if SLOW else 1)):
            for policy in POLICIES:
                case = Case(seed, policy, by, rows=400, count=1)
                with self.subTest(str(case)):
                    compared += self.compare(case)
        self.assertGreater(compared, 30)
        print(f"{compared} windows equal, from seed {SEED}")

    def test_windows_by_event_time(self):
        self.run_cases("event_time", 10)

    def test_windows_by_events(self):
        self.run_cases("events", 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
