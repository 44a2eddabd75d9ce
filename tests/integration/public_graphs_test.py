"""Real mail, and the Graphalytics validation graphs with their reference answers.

The data is not part of the project; without it these tests are skipped.
"""
import json
import os
import unittest
from typing import Any

from replay_oracle_test import IMPLEMENTATIONS, POLICIES, ReplayTest
from sashd_replay import DATA, Replay, sinks

SLOW = os.environ.get("SASH_SLOW") == "1"
UNREACHED = 2**63 - 1


@unittest.skipUnless((DATA / "enron-emails.csv").exists(), f"no {DATA}/enron-emails.csv")
class EnronTest(ReplayTest):
    def check_mail(self, length: str, slide: str) -> None:
        """Impossible dates, months of silence, self-loops, and bursts of equal times."""
        for duplicates in POLICIES:
            with self.subTest(f"{duplicates}, {length} by {slide}"):
                self.check({
                    "source": {"replay": {"path": str(DATA / "enron-emails.csv")},
                               "format": {"csv": {"source": "source", "target": "target",
                                                  "time": "time"}},
                               "time": {"unit": "s", "disorder": "1h"}},
                    "windows": [{"name": implementation, "length": length, "slide": slide,
                                 "duplicates": duplicates, "implementation": implementation}
                                for implementation in IMPLEMENTATIONS],
                    "jobs": [job for window in IMPLEMENTATIONS for job in self.jobs(window)],
                    "sinks": sinks()})

    @staticmethod
    def jobs(window: str) -> list[dict[str, Any]]:
        return [
            {"name": f"{window}-ranks", "kernel": "pagerank", "window": window, "parameters": {
                "tolerance": 1e-13, "max_iterations": 500}},
            {"name": f"{window}-reach", "kernel": "bfs", "window": window, "parameters": {
                "roots": ["25", "30", "nobody"], "direction": "both"}},
            {"name": f"{window}-shape", "kernel": "window", "window": window}]

    def test_weeks_equal_the_oracle(self):
        self.check_mail("672h", "168h")

    @unittest.skipUnless(SLOW, "slow; SASH_SLOW=1 runs it")
    def test_days_equal_the_oracle(self):
        self.check_mail("2160h", "24h")


@unittest.skipUnless((DATA / "graphalytics").exists(), f"no {DATA}/graphalytics")
class GraphalyticsTest(ReplayTest):
    """The whole graph is one window. By its rules PageRank may differ by 1e-4, BFS not at all."""

    FOLDER = DATA / "graphalytics"

    def run_job(self, graph: str, job: dict, implementation: str) -> dict[int, dict]:
        """The job's entry for each vertex."""
        content = b""
        for line in (self.FOLDER / graph).read_text().splitlines():
            source, *targets = line.split()
            content += b"".join(f"{source},{target}\n".encode() for target in targets)
        document = {
            "source": {"replay": {"path": "events"},
                       "format": {"csv": {"source": 1, "target": 2}, "keys": "integer"}},
            "windows": [{"name": "whole", "by": "events", "length": 10**6, "slide": 10**6,
                         "implementation": implementation}],
            "jobs": [{"name": "answer", "window": "whole", **job}],
            "sinks": [{"file": {"path": "all.jsonl", "vertices": "all"}}]}
        with Replay(document, content) as replay:
            replay.run()
            results = [json.loads(line) for line in replay.lines("all.jsonl")]
        self.assertEqual(len(results), 1)
        return {entry["vertex"]: entry for entry in results[0]["top"]}

    def reference(self, name: str, kind: type) -> dict[int, float]:
        lines = (self.FOLDER / name).read_text().splitlines()
        return {int(line.split()[0]): kind(line.split()[1]) for line in lines if line.strip()}

    def test_pagerank_is_that_of_the_reference(self):
        for graph, answer, iterations in (
                ("pr/dir-input", "pr/dir-output", 40), ("pr/undir-input", "pr/undir-output", 26),
                ("example/example-directed-input", "example/example-directed-PR", 2),
                ("example/example-undirected-input", "example/example-undirected-PR", 2)):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.run_job(graph, {"kernel": "pagerank", "parameters": {
                        "damping": 0.85, "tolerance": 0, "max_iterations": iterations}},
                        implementation)
                    expected = self.reference(answer, float)
                    self.assertEqual(set(found), set(expected))
                    for vertex, score in expected.items():
                        self.assertAlmostEqual(found[vertex]["score"] / score, 1, delta=1e-4)

    def test_bfs_is_that_of_the_reference(self):
        for graph, answer, root in (
                ("bfs/dir-input", "bfs/dir-output", 1), ("bfs/undir-input", "bfs/undir-output", 1),
                ("example/example-directed-input", "example/example-directed-BFS", 1),
                ("example/example-undirected-input", "example/example-undirected-BFS", 2)):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.run_job(
                        graph, {"kernel": "bfs", "parameters": {"roots": [root]}}, implementation)
                    depths = self.reference(answer, int)
                    expected = {vertex: depth for vertex, depth in depths.items()
                                if depth != UNREACHED}
                    self.assertEqual({vertex: entry["depth"] for vertex, entry in found.items()},
                                     expected)


if __name__ == "__main__":
    unittest.main()
