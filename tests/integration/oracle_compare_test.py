"""Tests the oracle's comparison: it finds every difference."""
import json
import random
import unittest

from oracle.compare import compare
from oracle.expectations import Expectation, expectations
from oracle.render import render
from oracle.slices import cut
from oracle_script import configuration, script


class CompareTest(unittest.TestCase):
    JOBS = [{"name": "shape", "kernel": "window", "window": "w"},
            {"name": "ranks", "kernel": "pagerank", "window": "w",
             "parameters": {"tolerance": 1e-12}},
            {"name": "biased", "kernel": "pagerank", "window": "w",
             "parameters": {"tolerance": 1e-12, "weighted": True, "sources": ["v1", "nobody"]}},
            {"name": "unranked", "kernel": "pagerank", "window": "w",
             "parameters": {"sources": ["nobody"]}},
            {"name": "reach", "kernel": "bfs", "window": "w", "parameters": {"roots": ["v1"]}},
            {"name": "each", "kernel": "bfs", "window": "w", "every": 2,
             "parameters": {"roots": ["v1", "nobody"], "separate": True, "direction": "both"}},
            {"name": "tree", "kernel": "bfs", "window": "w",
             "parameters": {"roots": ["v1"], "parents": True}},
            {"name": "far", "kernel": "sssp", "window": "w", "parameters": {"roots": ["v1"]}},
            {"name": "chains", "kernel": "paths", "window": "w",
             "parameters": {"from": ["v1", "v2"], "to": ["v3", "v7", "nobody"], "by": "weight"}},
            *({"name": kernel, "kernel": kernel, "window": "w", "top": 3} for kernel in (
                "hits", "wcc", "scc", "triangles", "lcc", "cdlp", "kcore", "degree", "strength",
                "fanout", "reciprocity", "new_edges", "vanished_edges", "cycles",
                "edge_features"))]

    def setUp(self):
        chance = random.Random(1)
        self.configuration = configuration(jobs=self.JOBS, window={"duplicates": "weigh"})
        self.records = script(*((time, "add", f"v{chance.randrange(9)}", f"v{chance.randrange(9)}",
                                 chance.choice([1, 2.5, 2**63 - 1])) for time in range(0, 60, 2)))
        self.expected: list[Expectation] = list(
            expectations(self.configuration, cut(self.records, self.configuration)))
        self.lines = [render(each, True) for each in self.expected]

    def differences(self, lines: list[str]) -> str:
        return str(compare(self.configuration, self.records, lambda path: lines)[0])

    def changed(self, job: str, change) -> str:
        lines = []
        for line in self.lines:
            result = json.loads(line)
            if result["job"] == job:
                change(result)
            lines.append(json.dumps(result))
        return self.differences(lines)

    def test_what_is_right_has_no_differences(self):
        self.assertEqual(self.differences(self.lines), "")
        self.assertEqual(len(self.lines), 6 * 23 + 3)

    def test_missing_surplus_repeated_and_disordered_results_are_seen(self):
        self.assertIn("no such result", self.differences(self.lines[1:]))
        self.assertIn("surplus", self.differences(
            self.lines + [self.lines[-1].replace("00:01:00.000Z", "00:02:00.000Z")]))
        self.assertIn("a second result", self.differences(self.lines + self.lines[-1:]))
        self.assertIn("after a newer one", self.differences(self.lines[::-1]))
        self.assertIn("not a result", self.differences(self.lines + ["{"]))

    def test_every_wrong_value_is_seen(self):
        def score(result):
            result["top"][0]["score"] *= 1.0001

        def hub(result):
            result["top"][-1]["hub"] += 1e-6

        def depth(result):
            result["top"][-1]["depth"] += 1

        def parent(result):
            result["top"][-1]["parent"] = "v1" if result["top"][-1]["parent"] != "v1" else "v2"

        def orphan(result):
            del result["top"][0]["parent"]

        def swap(result):
            top = result["top"]
            top[0], top[1] = top[1], top[0]
            top[0]["rank"], top[1]["rank"] = 1, 2

        def weight(result):
            result["top_edges"][0]["weight"] += 0.5

        def lose(result):
            result["top_edges"].pop()

        for job, change in (("ranks", score), ("ranks", swap), ("hits", score), ("hits", swap),
                            ("hits", hub), ("biased", score), ("reach", depth),
                            ("shape", weight), ("shape", lose), ("tree", depth),
                            ("tree", parent), ("tree", orphan)):
            self.assertTrue(self.changed(job, change), change.__name__)
        def group(result):
            result["members"][0]["community" if result["job"] == "cdlp" else "component"] += "0"

        def size(result):
            result["top"][0]["size"] += 1

        def distance(result):
            result["top"][-1]["distance"] += 1

        def error(result):
            result["error"] = "1 edge has a negative weight"

        def since(result):
            result["since"] = None

        def turn(result):
            for edge in result["top_edges"]:
                edge["source"], edge["target"] = edge["target"], edge["source"]

        def heavier(result):
            for name in ("top_edges", "top_cycles", "top_paths"):
                for row in result.get(name, []):
                    row["weight"] += 1

        def more(result):
            for row in result["top_edges"]:
                row["edges"] += 1

        def rotate(result):
            for cycle in result["top_cycles"]:
                cycle["vertices"].append(cycle["vertices"].pop(0))

        def back(result):
            for path in result["top_paths"]:
                path["vertices"].reverse()

        def farther(result):
            for path in result["top_paths"]:
                path["hops"] += 1

        def shorter(result):
            del result["top_paths"][-1:]

        def with_feature(name, value):
            def change(result):
                for row in result["top_features"]:
                    row[name] += value
            change.__name__ = name
            return change

        def no_feature(result):
            for row in result["top_features"]:
                del row["intermediates"]

        features = [with_feature(name, value) for name, value in (
            ("source_out_fan", 1), ("target_in_degree", 1), ("source_in_sum", 1),
            ("target_out_max", 1), ("source_out_mean", 1e-3), ("target_in_variance", 1e-3),
            ("cycles_3", 1), ("scatter_gathers", 1), ("intermediates", 1), ("edges", 1))]
        for job, change in (
                *(("edge_features", change) for change in (*features, no_feature, since, error)),
                *((job, change) for job in ("wcc", "scc", "cdlp") for change in (group, size)),
                *((job, score) for job in ("triangles", "lcc", "kcore", "degree",
                                               "strength", "fanout", "reciprocity")),
                ("strength", swap),
                *((job, change) for job in ("new_edges", "vanished_edges")
                  for change in (since, turn, heavier, more)),
                *(("cycles", change) for change in (since, rotate, heavier)),
                *(("chains", change) for change in (back, farther, shorter, heavier, error)),
                ("far", distance), ("far", error)):
            self.assertTrue(self.changed(job, change), f"{job}: {change.__name__}")
        for job, field in (("triangles", "triangles"), ("kcore", "degeneracy"),
                           ("reciprocity", "reciprocity"),
                           ("wcc", "components"), ("scc", "components"),
                           ("cdlp", "communities"), ("far", "reached"),
                           ("chains", "reached"),
                           ("new_edges", "pairs"), ("cycles", "cycles"), ("cycles", "entered"),
                           ("edge_features", "entered"),
                           ("biased", "absent_sources"),
                           ("biased", "error"), ("hits", "error"),
                           ("unranked", "absent_sources"), ("unranked", "error")):
            self.assertTrue(self.changed(job, lambda result: result.update({field: 77})), field)
        for field, value in (("edges", 7), ("vertices", 99), ("late", 1), ("refused", 1),
                             ("empty", True), ("gap", True), ("final", False), ("offsets", {}),
                             ("window_start", "1970-01-01T00:00:01.000Z"), ("schema", 2),
                             ("parameters", {"tolerance": 1}), ("reached", 0), ("levels", [])):
            self.assertTrue(self.changed("reach" if field in ("reached", "levels") else "ranks",
                                         lambda result: result.update({field: value})), field)

    def test_scores_within_the_tolerance_are_equal(self):
        def nudge(result):
            for entry in result["top"]:
                entry["score"] *= 1 + 1e-8

        self.assertEqual(self.changed("ranks", nudge), "")


if __name__ == "__main__":
    unittest.main()
