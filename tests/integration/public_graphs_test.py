"""Real mail, and the Graphalytics validation graphs with their reference answers.

The data is not part of the project; without it these tests are skipped.
"""
import json
import os
import random
import unittest
from typing import Any

from replay_oracle_test import (IMPLEMENTATIONS, POLICIES, ReplayTest, network_jobs,
                                network_parameters)
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
            {"name": f"{window}-shape", "kernel": "window", "window": window},
            *network_jobs(window, network_parameters(["25", "30"], False, random.Random(1)), 9)]

    def test_weeks_equal_the_oracle(self):
        self.check_mail("672h", "168h")

    @unittest.skipUnless(SLOW, "slow; SASH_SLOW=1 runs it")
    def test_days_equal_the_oracle(self):
        self.check_mail("2160h", "24h")


@unittest.skipUnless((DATA / "graphalytics").exists(), f"no {DATA}/graphalytics")
class GraphalyticsTest(ReplayTest):
    """The whole graph is one window. By its rules PageRank, LCC and SSSP may differ by 1e-4, BFS
    and CDLP not at all, and WCC by what components are called."""

    FOLDER = DATA / "graphalytics"

    def run_job(self, graph: str, job: dict, implementation: str) -> dict[str, Any]:
        """The job's result: `graph` has a line of targets for each source, or, as `.e`, one for
        each edge with its weight."""
        content = b""
        for line in (self.FOLDER / graph).read_text().splitlines():
            source, *targets = line.split()
            if graph.endswith(".e"):
                content += f"{source},{targets[0]},{targets[1]}\n".encode()
            else:
                content += b"".join(f"{source},{target},1\n".encode() for target in targets)
        document = {
            "source": {"replay": {"path": "events"},
                       "format": {"csv": {"source": 1, "target": 2, "weight": 3},
                                  "keys": "integer"}},
            "windows": [{"name": "whole", "by": "events", "length": 10**6, "slide": 10**6,
                         "implementation": implementation}],
            "jobs": [{"name": "answer", "window": "whole", **job}],
            "sinks": [{"file": {"path": "all.jsonl", "vertices": "all"}}]}
        with Replay(document, content) as replay:
            replay.run()
            results = [json.loads(line) for line in replay.lines("all.jsonl")]
        self.assertEqual(len(results), 1)
        return results[0]

    def entries(self, graph: str, job: dict, implementation: str, rows: str,
                value: str) -> dict[int, Any]:
        """The value of each vertex in the result."""
        result = self.run_job(graph, job, implementation)
        return {entry["vertex"]: entry[value] for entry in result[rows]}

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
                    found = self.entries(graph, {"kernel": "pagerank", "parameters": {
                        "damping": 0.85, "tolerance": 0, "max_iterations": iterations}},
                        implementation, "top", "score")
                    expected = self.reference(answer, float)
                    self.assertEqual(set(found), set(expected))
                    for vertex, score in expected.items():
                        self.assertAlmostEqual(found[vertex] / score, 1, delta=1e-4)

    def test_bfs_is_that_of_the_reference(self):
        for graph, answer, root in (
                ("bfs/dir-input", "bfs/dir-output", 1), ("bfs/undir-input", "bfs/undir-output", 1),
                ("example/example-directed-input", "example/example-directed-BFS", 1),
                ("example/example-undirected-input", "example/example-undirected-BFS", 2)):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.entries(
                        graph, {"kernel": "bfs", "parameters": {"roots": [root]}}, implementation,
                        "top", "depth")
                    depths = self.reference(answer, int)
                    self.assertEqual(found, {vertex: depth for vertex, depth in depths.items()
                                             if depth != UNREACHED})

    def test_sssp_is_that_of_the_reference(self):
        for graph, answer, root, direction in (
                ("sssp/dir-input.e", "sssp/dir-output", 1, "out"),
                ("sssp/undir-input.e", "sssp/undir-output", 1, "both"),
                ("example/example-directed.e", "example/example-directed-SSSP", 1, "out"),
                ("example/example-undirected.e", "example/example-undirected-SSSP", 2, "both")):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.entries(graph, {"kernel": "sssp", "parameters": {
                        "roots": [root], "direction": direction}}, implementation, "top",
                        "distance")
                    expected = {vertex: distance
                                for vertex, distance in self.reference(answer, float).items()
                                if distance < float("inf")}
                    self.assertEqual(set(found), set(expected))
                    for vertex, distance in expected.items():
                        self.assertAlmostEqual(found[vertex], distance, delta=1e-4 * distance)

    def test_wcc_is_that_of_the_reference(self):
        for graph, answer in (
                ("wcc/dir-input", "wcc/dir-output"), ("wcc/undir-input", "wcc/undir-output"),
                ("example/example-directed-input", "example/example-directed-WCC"),
                ("example/example-undirected-input", "example/example-undirected-WCC")):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.entries(graph, {"kernel": "wcc"}, implementation, "members",
                                         "component")
                    expected = self.reference(answer, int)
                    self.assertEqual(set(found), set(expected))
                    pairs = {(found[vertex], expected[vertex]) for vertex in found}
                    self.assertEqual(len(pairs), len(set(found.values())))
                    self.assertEqual(len(pairs), len(set(expected.values())))

    def test_cdlp_is_that_of_the_reference(self):
        for graph, answer, iterations in (
                ("cdlp/dir-input", "cdlp/dir-output", 5),
                ("cdlp/undir-input", "cdlp/undir-output", 5),
                ("example/example-directed-input", "example/example-directed-CDLP", 2),
                ("example/example-undirected-input", "example/example-undirected-CDLP", 2)):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.entries(graph, {"kernel": "cdlp", "parameters": {
                        "max_iterations": iterations}}, implementation, "members", "community")
                    self.assertEqual(found, self.reference(answer, int))

    def test_lcc_is_that_of_the_reference(self):
        for graph, answer in (
                ("lcc/dir-input", "lcc/dir-output"), ("lcc/undir-input", "lcc/undir-output"),
                ("example/example-directed-input", "example/example-directed-LCC"),
                ("example/example-undirected-input", "example/example-undirected-LCC")):
            for implementation in IMPLEMENTATIONS:
                with self.subTest(graph, implementation=implementation):
                    found = self.entries(graph, {"kernel": "lcc"}, implementation, "top", "score")
                    expected = self.reference(answer, float)
                    self.assertEqual(set(found), set(expected))
                    for vertex, score in expected.items():
                        self.assertAlmostEqual(found[vertex], score, delta=1e-4 * score)


if __name__ == "__main__":
    unittest.main()
