"""The package sash-spark without Spark: searches of cycles, patterns and paths, compared with the
oracle."""
import math
import random
import unittest
from typing import Any

import numpy

import engines  # noqa: F401 - adds the package to the path
from oracle.kernels import Graph
from oracle.networks import Network, cycles_in_time, new_cycles

from sash_spark.cycle_search import CycleSearch, StepsUsedUp
from sash_spark.edge_features import statistics
from sash_spark.kernels.set_paths import continued, first_paths
from sash_spark.rows import make_block
from sash_spark.scatter_gather import ScatterGathers
from sash_spark.timed_cycle_search import TimedCycleSearch


class CyclesTest(unittest.TestCase):
    def test_each_new_cycle_is_found_once_in_the_order_of_keys(self) -> None:
        """As networkx finds them (tests/integration/oracle)."""
        chosen = random.Random(4)
        for _ in range(120):
            vertices = chosen.randint(2, 7)
            every = [(a, b) for a in range(vertices) for b in range(vertices) if a != b]
            now = set(chosen.sample(every, chosen.randint(1, len(every))))
            before = set(chosen.sample(every, chosen.randint(0, len(every))))
            longest = chosen.randint(2, 6)
            search = self.search(vertices, now, before, longest, 10**6)
            found = list(search.cycles())
            self.assertEqual(found, new_cycles(before, now, longest, ()))
            if search.steps:
                fewer = self.search(vertices, now, before, longest, search.steps - 1)
                with self.assertRaises(StepsUsedUp):
                    list(fewer.cycles())

    def test_each_cycle_in_time_order_is_found_once_in_the_order_of_keys(self) -> None:
        """As the oracle finds them, which tries every cycle of networkx."""
        chosen, several = random.Random(6), 0
        for _ in range(200):
            vertices, slices = chosen.randint(2, 7), chosen.randint(1, 6)
            every = [(a, b) for a in range(vertices) for b in range(vertices) if a != b]
            dates = {pair: sorted(chosen.sample(range(slices), chosen.randint(1, min(2, slices))))
                     for pair in chosen.sample(every, chosen.randint(1, len(every)))}
            since, longest = chosen.randint(0, slices), chosen.randint(2, 6)
            search = TimedCycleSearch(dates, since, longest, 10**6)
            found = list(search.cycles())
            self.assertEqual(found, cycles_in_time(dates, since - 1, longest, ()))
            several += len(found) > 2
            if search.steps:
                with self.assertRaises(StepsUsedUp):
                    list(TimedCycleSearch(dates, since, longest, search.steps - 1).cycles())
        self.assertGreater(several, 30)

    def test_cycles_and_patterns_of_a_pair_are_those_of_the_oracle(self) -> None:
        chosen, patterns = random.Random(8), 0
        for _ in range(120):
            vertices = chosen.randint(2, 8)
            every = [(a, b) for a in range(vertices) for b in range(vertices) if a != b]
            pairs = sorted(chosen.sample(every, chosen.randint(1, len(every))))
            longest, least = chosen.randint(2, 5), chosen.randint(1, 3)
            weighed = [(*pair, chosen.choice([1, -2, 2**40, 0.5])) for pair in pairs]
            network = Network(weighed, Graph(weighed))
            search = self.search(vertices, set(pairs), set(), longest, 10**6)
            self.assertEqual(search.first_entered(3), pairs[:3])
            gathers = ScatterGathers(search.out, search.into, least, 10**6)
            found = gathers.of(pairs)
            for pair, gathered in zip(pairs, found):
                expected = network.edge_features(*pair, longest, least)
                lengths = [len(cycle) for cycle in search.through(*pair)]
                for length in range(2, longest + 1):
                    self.assertEqual(lengths.count(length), expected[f"cycles_{length}"])
                self.assertEqual(gathered,
                                 (expected["scatter_gathers"], expected["intermediates"]))
                weights = [weight for source, _, weight in weighed if source == pair[0]]
                for name, value in statistics(weights).items():
                    self.assertAlmostEqual(value, expected[f"source_out_{name}"])
                patterns += gathered[0] > 0
            if gathers.steps:
                fewer = ScatterGathers(search.out, search.into, least, gathers.steps - 1).of(pairs)
                known = len(pairs) - fewer.count(None)
                self.assertLess(known, len(pairs))
                self.assertEqual(fewer[:known], found[:known])
        self.assertGreater(patterns, 100)

    def test_weights_beyond_a_double_have_no_sums(self) -> None:
        self.assertEqual(statistics([]), {"sum": 0, "mean": 0.0, "min": 0, "max": 0,
                                          "variance": 0.0})
        found = statistics([1.7e308, 1.7e308, 1])
        self.assertEqual((found["sum"], found["max"]), (math.inf, 1.7e308))
        self.assertAlmostEqual(found["mean"] / 1e308, 3.4 / 3)
        self.assertFalse(math.isfinite(found["variance"]))
        self.assertEqual(statistics([math.inf, math.inf])["variance"], 0.0)

    def search(self, vertices: int, now: set[tuple[int, int]], before: set[tuple[int, int]],
               longest: int, steps: int) -> CycleSearch:
        pairs, entered = (numpy.array(sorted(each), dtype=numpy.int64).reshape(-1, 2)
                          for each in (now, now - before))
        return CycleSearch(vertices, pairs, entered, longest, steps)


class PathsTest(unittest.TestCase):
    def test_paths_are_those_of_networkx(self) -> None:
        """Those of tests/integration/oracle; equal weights are frequent."""
        chosen = random.Random(5)
        reached = 0
        for _ in range(150):
            keys = chosen.randint(2, 9)
            edges = [(chosen.randrange(keys), chosen.randrange(keys), chosen.randint(0, 3), "")
                     for _ in range(chosen.randint(1, 3 * keys))]
            graph = Graph(edges)
            starts, ends = (chosen.sample(range(keys), chosen.randint(1, keys)) for _ in range(2))
            by, most = chosen.choice(["hops", "weight"]), chosen.randint(1, 5)
            direction = chosen.choice(["out", "in", "both"])
            expected = Network(edges, graph).paths(starts, ends, by, direction, most)
            found, rounds = first_paths(
                len(graph.keys), numpy.array(graph.numbers_of(starts), dtype=numpy.int64),
                numpy.array(graph.numbers_of(ends), dtype=numpy.int64), most,
                self.step(graph, by == "weight", direction), lambda number: None)
            self.assertEqual([[graph.keys[vertex] for vertex in path] for path in found],
                             [[key for key, _ in path] for path in expected])
            self.assertLessEqual(rounds, most)
            reached += len(found)
        self.assertGreater(reached, 300)

    def step(self, graph: Graph, by_weight: bool, direction: str) -> Any:
        """The step of first_paths() over two blocks of the edges along which paths go."""
        along = {"out": [(graph.targets, graph.sources)], "in": [(graph.sources, graph.targets)]}
        pairs = along["out"] + along["in"] if direction == "both" else along[direction]
        rows, others = (numpy.concatenate(ends) for ends in zip(*pairs))
        weights = numpy.tile(graph.weights, len(pairs))
        count = len(graph.keys)

        def step(current: Any, places: Any) -> tuple[Any, Any]:
            found, origins = numpy.full(count, numpy.inf), numpy.zeros(count, dtype=numpy.int64)
            for number in range(min(2, count)):
                mine = rows % 2 == number
                block = make_block(number, 2, count, rows[mine], others[mine],
                                   weights[mine] if by_weight else None, None)
                found[number::2], origins[number::2] = continued(block, current, places)
            return found, origins
        return step


if __name__ == "__main__":
    unittest.main()
