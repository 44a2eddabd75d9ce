"""The package sash-spark without Spark: its configuration, order, limits and numbers."""
import json
import math
import os
import pathlib
import random
import tempfile
import unittest
from typing import Any
from unittest import mock

import numpy
import pyarrow
import pyarrow.parquet

from engines import PACKAGE
from oracle.kernels import Graph
from oracle.networks import Network, cycles_in_time, new_cycles

from sash_spark.configuration import Configuration, JobSpec, WindowSpec, load_configuration
from sash_spark.crc32c import crc32c
from sash_spark.cycle_search import CycleSearch, StepsUsedUp
from sash_spark.edge_features import statistics
from sash_spark.errors import InputError, JobRefused
from sash_spark.kernels.set_paths import continued, first_paths
from sash_spark.keys import FileKeys
from sash_spark.limits import BYTES_PER_VERTEX, check_limit, parse_bytes
from sash_spark.parameters import KERNELS, NOT_HERE, REQUIRED, written
from sash_spark.plan import PlannedWindow, planned_windows, provenance
from sash_spark.progress import Progress
from sash_spark.ranking import counted_first, greatest_first, nearest_first, weighed_first
from sash_spark.repeated_ids import repeated
from sash_spark.rows import IN, OUT, make_block, reduced, sums
from sash_spark.scatter_gather import ScatterGathers
from sash_spark.shards import open_slices
from sash_spark.slices import Slice, SliceFolder
from sash_spark.timed_cycle_search import TimedCycleSearch
from sash_spark.times import parse_duration, parse_time, time_text

SCHEMA = PACKAGE.parents[1] / "configs" / "sash.schema.json"
WINDOW = "windows: [{name: w, length: 5m, slide: 1m}]\n"


class ConfigurationTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-")
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name, "sashd.yaml")

    def load(self, text: str) -> Configuration:
        self.path.write_text(text, encoding="utf-8")
        return load_configuration(self.path)

    def faults(self, text: str) -> list[str]:
        with self.assertRaises(InputError) as refused:
            self.load(text)
        return [line.removeprefix(f"{self.path}: ") for line in str(refused.exception).splitlines()]

    def test_what_concerns_windows_and_jobs_is_read_and_the_rest_is_named(self) -> None:
        found = self.load("""
source: {replay: {path: x}}
windows:
  - {name: w, length: 1h, slide: 90s, offset: 1s, duplicates: weigh, types: [b, a], live: true}
  - {name: all, length: forever, slide: 1d}
jobs:
  - {name: p, kernel: pagerank, window: w, parameters: {tolerance: 1e-9, sources: [1, yes]}, top: 3}
  - {name: q, kernel: bfs, window: all, every: 2, deadline: 5s, parameters: {roots: [~]}}
  - {name: r, kernel: external, window: w, deadline: 20s}
  - {name: s, kernel: degree, window: w, visibility: live, every: 1s}
  - {name: t, kernel: degree, window: w, visibility: published}
http: {listen: "off"}
""")
        window = found.windows["w"]
        self.assertEqual((window.length, window.slide, window.offset),
                         (3600 * 10**9, 90 * 10**9, 10**9))
        self.assertEqual((window.duplicates, window.types, window.where), ("weigh", ("a", "b"), ""))
        self.assertIsNone(found.windows["all"].length)
        job = found.jobs["p"]
        self.assertEqual((job.top, job.every), (3, 1))
        self.assertEqual(job.parameters["sources"], ("1", "yes"), "keys stay as they are written")
        self.assertEqual(written("pagerank", job.parameters), {
            "damping": 0.85, "tolerance": 1e-9, "max_iterations": 100, "sources": ("1", "yes")})
        self.assertEqual(found.jobs["q"].parameters["roots"], ("~",))
        self.assertEqual(list(found.not_here), ["r", "s"])
        self.assertEqual(found.ignored, ("source", "http", "windows[].live", "jobs[].deadline"))

    def test_every_fault_says_where_it_is_and_what_would_be_right(self) -> None:
        self.assertEqual(self.faults("""
windows: [{name: w, length: 10, slide: 10s}]
jobs:
  - {name: a, kernel: pagerank, window: w, parameters: {dampin: 0.5, tolerance: -1}}
  - {name: b, kernel: pagerak, window: w}
  - {name: c, kernel: bfs, window: v, parameters: {direction: up, separate: 3}}
  - {name: c, kernel: cdlp, window: w, parameters: {max_iterations: 0}, top: 0}
  - {name: e, kernel: pagerank, window: w, parameters: {warm_start: true, weighted: true}}
"""), [
            "windows[0].length: `10` is not a duration; give one whole number and one unit of ns, "
            "us, ms, s, m, h, d, such as 5m",
            "jobs[0].parameters.dampin: unknown key; did you mean `damping`? (known here: damping, "
            "tolerance, max_iterations, warm_start, check_every, weighted, sources, direction)",
            "jobs[0].parameters.tolerance: `-1` is out of range; give a number of at least 0",
            f"jobs[1].kernel: `pagerak` is not a known kernel; available: "
            f"{', '.join([*KERNELS, *NOT_HERE])}; did you mean `pagerank`?",
            "jobs[2].window: there is no window `v`; windows: w",
            "jobs[2].parameters.roots: is required: give a list of vertex keys, such as [alice]",
            "jobs[2].parameters.direction: must be out, in or both, not `up`",
            "jobs[2].parameters.separate: must be true or false, not `3`",
            "jobs[3].name: there is another job `c`",
            "jobs[3].parameters.max_iterations: `0` is out of range; give a number from 1 to "
            "1000000",
            "jobs[3].top: `0` is not a whole number of at least 1",
            "jobs[4].parameters.warm_start: cannot be combined with `weighted`, `sources` or "
            "`direction`; leave it out"])

    def test_files_may_include_others_and_refer_to_values_outside(self) -> None:
        self.path.with_name("more.yaml").write_text(
            "jobs: [{name: b, kernel: bfs, window: w, parameters: {roots: ['${env:SASH_ROOT}']}}]\n"
            "http: {listen: 'off'}\n")
        with mock.patch.dict(os.environ, {"SASH_ROOT": "alice"}):
            found = self.load(WINDOW + "include: [more.yaml]\n"
                              "jobs: [{name: a, kernel: wcc, window: w}]\n")
            self.assertEqual(list(found.jobs), ["a", "b"])
            self.assertEqual(found.jobs["b"].parameters["roots"], ("alice",))
            self.assertEqual(found.ignored, ("http",))
            escaped = self.load(WINDOW + "jobs: [{name: a, kernel: bfs, window: w, parameters: "
                                "{roots: ['$${env:SASH_ROOT}']}}]\n")
            self.assertEqual(escaped.jobs["a"].parameters["roots"], ("${env:SASH_ROOT}",))
        self.assertIn("${env:SASH_ROOT}: the variable is not set", self.faults(
            WINDOW + "jobs: [{name: '${env:SASH_ROOT}', kernel: wcc, window: w}]\n")[0])
        self.assertIn("includes itself", self.faults("include: [sashd.yaml]\n")[0])
        self.assertIn("is not YAML", self.faults("windows: [\n")[0])
        self.assertIn("is not a configuration", self.faults("- a\n")[0])

    def test_parameters_are_those_of_sashd(self) -> None:
        """The schema is generated from the rows of windows/jobs/kinds."""
        schema = json.loads(SCHEMA.read_text())["properties"]["jobs"]["items"]
        kernels = {}
        for each in schema["allOf"]:
            kernel = each["if"]["properties"]["kernel"]["const"]
            kernels[kernel] = each["then"]["properties"].get("parameters", {}).get("properties", {})
        self.assertEqual(list(kernels), [*KERNELS, *NOT_HERE])
        for kernel, rows in KERNELS.items():
            with self.subTest(kernel):
                self.assertEqual([row.name for row in rows], list(kernels[kernel]))
                for row in rows:
                    self.compare(row, kernels[kernel][row.name])
        self.assertEqual(set(BYTES_PER_VERTEX), set(KERNELS))

    def compare(self, row: Any, known: dict[str, Any]) -> None:
        default = row.word or (None if row.default is REQUIRED else row.default)
        self.assertEqual(known.get("default"), default, row.name)
        forms = {name: value for form in known.get("anyOf", [known]) if "$ref" not in form
                 for name, value in form.items()}
        if row.kind == "words":
            self.assertEqual(tuple(forms["enum"]), row.words)
        elif row.kind == "whole":
            self.assertEqual((forms["minimum"], forms["maximum"]), (row.least, row.most))
        elif row.kind == "real":
            self.assertEqual("exclusiveMinimum" in forms, row.least > 0)
            self.assertEqual(forms.get("minimum", 0), 0)
            self.assertEqual(forms.get("exclusiveMaximum") == 1, row.most < 1)
        else:
            self.assertEqual(forms["type"], {"keys": "array", "truth": "boolean"}[row.kind])


class OrderTest(unittest.TestCase):
    def test_scores_that_differ_by_rounding_are_ordered_by_key(self) -> None:
        scores = numpy.array([0.1, 0.3 * (1 + 1e-13), 0.3, numpy.nan, 0.30000001, 0.2])
        ids = numpy.flatnonzero(~numpy.isnan(scores))
        self.assertEqual(greatest_first(scores, ids, None).tolist(), [4, 1, 2, 5, 0])
        for count in range(1, 6):
            self.assertEqual(greatest_first(scores, ids, count).tolist(),
                             [4, 1, 2, 5, 0][:count], count)
        self.assertEqual(nearest_first(scores, ids, 2).tolist(), [0, 5])

    def test_a_list_is_the_beginning_of_the_whole_list(self) -> None:
        chosen = random.Random(1)
        for _ in range(50):
            scores = numpy.array([chosen.choice([-1, 1, 0, 1e-300, 1 / 3, 1 / 3 + 1e-17, 2e9])
                                  * chosen.choice([1, 1 + 1e-12]) for _ in range(30)])
            ids = numpy.arange(30)
            whole = greatest_first(scores, ids, None).tolist()
            for count in (1, 7, 29, 30, 40):
                self.assertEqual(greatest_first(scores, ids, count).tolist(), whole[:count])

    def test_counts_and_sums_are_ordered_exactly(self) -> None:
        counts = numpy.array([2**60, 2**60 + 1, 5, 2**60])
        self.assertEqual(counted_first(counts, numpy.arange(4), 3).tolist(), [1, 0, 3])
        self.assertEqual(counted_first(counts, numpy.arange(4), 2, sign=1).tolist(), [2, 0])
        self.assertEqual(weighed_first([2**60, 2**60 + 1, 1.0, -1], numpy.arange(4), 3).tolist(),
                         [1, 0, 2])


class BlockTest(unittest.TestCase):
    def test_rows_are_those_of_the_edges_in_whatever_blocks(self) -> None:
        chosen = random.Random(2)
        for _ in range(60):
            vertices, count = chosen.randint(1, 9), chosen.randint(1, 4)
            edges = sorted((chosen.randrange(vertices), chosen.randrange(vertices),
                            chosen.choice([0.5, 2.0])) for _ in range(chosen.randint(0, 20)))
            found = []
            for number in range(min(count, vertices)):
                here = [edge for edge in edges if edge[0] % count == number]
                chosen.shuffle(here)
                rows, others, weights = (numpy.array([edge[at] for edge in here]).astype(kind)
                                         for at, kind in enumerate((int, int, float)))
                block = make_block(number, count, vertices, rows, others, weights, None)
                found += zip(block.vertex_of_each().tolist(), block.others.tolist(),
                             block.weights.tolist())
                self.assertEqual(len(block.indptr) - 1, len(range(number, vertices, count)))
                totals = sums(block, block.weights)
                for vertex, total in zip(range(number, vertices, count), totals.tolist()):
                    self.assertEqual(total, sum(edge[2] for edge in edges if edge[0] == vertex))
                most = reduced(block, numpy.maximum, block.weights, -1.0)
                self.assertEqual((most < 0).tolist(), (block.lengths() == 0).tolist())
            self.assertEqual(sorted(found), edges)

    def test_merged_rows_have_each_neighbour_once(self) -> None:
        rows, others = numpy.array([0, 2, 0, 0, 2]), numpy.array([1, 0, 2, 1, 0])
        bits = numpy.array([OUT, IN, OUT, IN, IN])
        block = make_block(0, 2, 3, rows, others, None, bits)
        self.assertEqual(block.indptr.tolist(), [0, 2, 3])
        self.assertEqual(block.others.tolist(), [1, 2, 0])
        self.assertEqual(block.bits.tolist(), [OUT | IN, OUT, IN])


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
        """Two blocks, of the edges along which paths go."""
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


class PartsTest(unittest.TestCase):
    def test_the_checksum_is_that_of_the_reference(self) -> None:
        def bytewise(content: bytes) -> int:
            remainder = 0xFFFFFFFF
            for byte in content:
                remainder ^= byte
                for _ in range(8):
                    remainder = remainder >> 1 ^ (0x82F63B78 if remainder & 1 else 0)
            return remainder ^ 0xFFFFFFFF

        self.assertEqual(crc32c(numpy.frombuffer(b"123456789", numpy.uint8)), 0xE3069283)
        chosen = random.Random(3)
        for size in (1, 7, 8, 9, 255, 1000, 70001, 350003):
            content = chosen.randbytes(size)
            self.assertEqual(crc32c(numpy.frombuffer(content, numpy.uint8)), bytewise(content))
        whole = numpy.frombuffer(chosen.randbytes((1 << 22) * 2 + 3), numpy.uint8)
        joined = numpy.concatenate([numpy.zeros(1, numpy.uint8), whole])
        self.assertNotEqual(crc32c(whole), crc32c(joined), "a zero before a text counts")
        self.assertEqual(crc32c(numpy.zeros(16 << 20, numpy.uint8)), 0xA3AB8542)

    def test_beyond_the_limit_a_job_is_refused_with_the_numbers(self) -> None:
        job = JobSpec("b", "bfs", "w", {"separate": True, "roots": ("a", "b", "c")}, 1, 50)
        check_limit(job, 100_000_000, parse_bytes("4GiB"))
        with self.assertRaisesRegex(JobRefused, r"holds 40 bytes .* 200,000,000 vertices, so 8.0 GB"
                                    r".* is 4.3 GB, enough for 107,374,182 vertices"):
            check_limit(job, 200_000_000, parse_bytes("4GiB"))
        with self.assertRaisesRegex(InputError, "`4GB` is not a size"):
            parse_bytes("4GB")

    def test_keys_are_found_by_id_and_by_key_over_row_groups(self) -> None:
        keys = sorted(("k" + str(i) for i in range(50)), key=str.encode)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "vertices.parquet")
            pyarrow.parquet.write_table(pyarrow.table({"id": range(50), "key": keys}), path,
                                        row_group_size=7)
            found = FileKeys(path)
            ids = numpy.array([49, 0, 7, 7, 6, 48])
            self.assertEqual(found.of(ids).to_pylist(), [keys[i] for i in ids])
            self.assertEqual(found.of(ids[:0]).to_pylist(), [])
            self.assertEqual(found.places([keys[8], "none", keys[0], keys[8]]),
                             {keys[0]: 0, keys[8]: 8})
            self.assertEqual([key for batch in found.batches() for key in batch.to_pylist()], keys)

    def test_times_are_written_as_in_results(self) -> None:
        for text in ("1970-01-01T00:00:10.000Z", "2026-02-28T23:59:59.000001Z",
                     "1969-12-31T23:59:59.999999999Z"):
            self.assertEqual(time_text(parse_time(text)), text)
        self.assertEqual(parse_duration("90m"), 5400 * 10**9)
        for wrong in ("5", "m", "1.5h", "5 m", ""):
            with self.assertRaises(ValueError):
                parse_duration(wrong)


class ProgressTest(unittest.TestCase):
    def test_the_first_iteration_has_no_residual(self) -> None:
        said: list[str] = []
        with mock.patch("sash_spark.progress.say", said.append), mock.patch(
                "time.monotonic", side_effect=range(0, 100, 2)):
            progress = Progress(mock.Mock(), "ranks", "pagerank", "w")
            progress.iteration(1, 0.0)
            progress.iteration(2, 0.0123)
        self.assertEqual(said, ["ranks: iteration 1", "ranks: iteration 2, residual 0.0123"])


class PlanTest(unittest.TestCase):
    """Windows of slices of 10 s, by their manifests alone."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, number: int, start: int, previous: int | None, on_time: bool = True,
              filters: tuple[tuple[str, bool], ...] = (), **more: Any) -> None:
        about = {"slices": 1, "number": number, "start": time_text(start * 10**9),
                 "end": time_text((start + 10) * 10**9),
                 "previous_end": None if previous is None else time_text(previous * 10**9),
                 "edges": 1, "late": number, "refused": 1, "gap": number == 2, "on_time": on_time,
                 "offsets": {"t": {"0": [number, number + 1], "10": [0, 0]}}, "keys": "string",
                 "filters": [{"column": f"filter_{i}", "filter": text, "on_time": passes}
                             for i, (text, passes) in enumerate(filters)],
                 "file": {"name": f"slice-{number:010}.parquet", "bytes": 1, "crc32c": "0"}}
        (self.folder / f"slice-{number:010}.json").write_text(json.dumps({**about, **more}))

    def ends(self, ended: bool = True, **more: Any) -> list[tuple[int, int, list[int]]]:
        """Start and end in seconds, and the numbers of the slices."""
        spec = WindowSpec(**{
            "name": "w", "by": "event_time", "length": 20 * 10**9, "slide": 10 * 10**9, "offset": 0,
            "duplicates": "keep", "identity": "pair", "empty_windows": "once", "types": (),
            "where": "", **more})
        folder = SliceFolder(self.folder)
        self.addCleanup(folder.close)
        return [(each.start // 10**9, each.end // 10**9, [one.number for one in each.slices])
                for each in planned_windows(spec, folder, ended)]

    def test_windows_begin_with_the_first_edge_and_a_silence_has_one_end(self) -> None:
        self.write(1, 0, None)
        self.write(2, 10, 10)
        self.write(3, 60, 20)
        self.assertEqual(self.ends(), [(-10, 10, [1]), (0, 20, [1, 2]), (10, 30, [2]), (20, 40, []),
                                       (50, 70, [3])])
        self.assertEqual(self.ends(slide=30 * 10**9, length=30 * 10**9), [
            (0, 30, [1, 2]), (30, 60, []), (60, 90, [3])])
        self.assertEqual(self.ends(ended=False, slide=30 * 10**9, length=30 * 10**9), [
            (0, 30, [1, 2]), (30, 60, [])], "the last window is not full yet")
        self.assertEqual(self.ends(length=None, slide=30 * 10**9), [
            (0, 30, [1, 2]), (0, 60, [1, 2]), (0, 90, [1, 2, 3])])
        self.assertEqual(self.ends(length=20 * 10**9, slide=20 * 10**9, offset=10 * 10**9), [
            (-10, 10, [1]), (10, 30, [2]), (30, 50, []), (50, 70, [3])])

    def test_windows_with_removed_slices_are_left_out(self) -> None:
        self.write(5, 40, 30)
        self.write(6, 50, 50)
        self.assertEqual(self.ends(), [(30, 50, [5]), (40, 60, [5, 6])])
        with self.assertRaisesRegex(InputError, "begins with the stream, and the slices before"):
            self.ends(length=None)

    def test_a_filter_begins_with_its_first_edge_on_time(self) -> None:
        text = 'types: "a", "b\\"c"; /w > 1.0'
        self.write(1, 0, None, filters=((text, False),))
        self.write(2, 10, 10, filters=(("other", True), (text, True)))
        chosen = {"types": ("a", 'b"c'), "where": "/w > 1.0"}
        self.assertEqual(self.ends(**chosen), [(0, 20, [1, 2])])
        folder = SliceFolder(self.folder)
        self.addCleanup(folder.close)
        self.assertEqual([each.parts[0].column_of(text) for each in folder.slices],
                         ["filter_0", "filter_1"])
        with self.assertRaisesRegex(InputError, "slice 1 has no column for its filter `other`"):
            self.ends(where="other")

    def test_slices_that_do_not_fit_are_refused(self) -> None:
        with self.assertRaisesRegex(InputError, "has no slice-.*json"):
            self.ends()
        (self.folder / "shard.json").touch()
        with self.assertRaisesRegex(InputError, "name the folder above it, which has those of all"):
            self.ends()
        (self.folder / "shard.json").unlink()
        self.write(1, 0, None)
        for change, why in (({"slide": 15 * 10**9}, "its slide is not a multiple of the pane of the"
                                                    " slices, 10 s"),
                            ({"by": "events"}, "slices are cut by event time")):
            with self.assertRaisesRegex(InputError, why):
                self.ends(**change)
        self.write(3, 30, 20)
        with self.assertRaisesRegex(InputError, "between slice 1 and slice 3 one is missing"):
            self.ends()
        self.write(2, 10, 10, slices=2)
        with self.assertRaisesRegex(InputError, "install a newer sash-spark"):
            self.ends()
        self.write(2, 10, 10, keys="integer")
        with self.assertRaisesRegex(InputError, "slice 2 has another pane or other keys"):
            self.ends()
        (self.folder / "slice-0000000002.json").write_text("{}")
        with self.assertRaisesRegex(InputError, "is not the manifest of a slice"):
            self.ends()

    def test_a_result_sums_over_the_slices_of_its_window(self) -> None:
        self.write(1, 0, None)
        self.write(2, 10, 10)
        folder = SliceFolder(self.folder)
        self.addCleanup(folder.close)
        spec = WindowSpec("w", "event_time", 20, 10, 0, "keep", "pair", "once", (), "")
        about = provenance(spec, PlannedWindow(0, 20 * 10**9, tuple(folder.slices)), 7, 0, 0)
        self.assertEqual((about["late"], about["refused"], about["gap"], about["empty"]),
                         (3, 2, True, True))
        self.assertEqual(json.dumps(about["offsets"]), '{"t": {"0": [1, 3], "10": [0, 0]}}')



class ShardsTest(unittest.TestCase):
    """Slices of 10 s of three shards, by their manifests alone."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="sash-spark-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for shard in (1, 2, 3):
            self.state(shard, 100)

    def state(self, shard: int, until: int | None, counts: list[Any] | None = None,
              **more: Any) -> None:
        folder = self.folder / f"shard-{shard}-of-3"
        folder.mkdir(exist_ok=True)
        about = {"manifest": 1, "pane_ns": 10 * 10**9, "keys": "string", "mapping": "m",
                 "closed_until": None if until is None else time_text(until * 10**9),
                 "counts": counted(counts or [])}
        (folder / "shard.json").write_text(json.dumps({**about, **more}))

    def write(self, shard: int, number: int, start: int, previous: int | None,
              counts: list[Any] | None = None, **more: Any) -> None:
        about = {"slices": 1, "number": number, "start": time_text(start * 10**9),
                 "end": time_text((start + 10) * 10**9),
                 "previous_end": None if previous is None else time_text(previous * 10**9),
                 "edges": 1, "late": 1, "refused": 0, "gap": False, "on_time": True,
                 "offsets": {"t": {str(shard): [number, number + 1]}}, "keys": "string",
                 "filters": [], "counts": counted(counts or []),
                 "file": {"name": f"slice-{number:010}.parquet", "bytes": 1, "crc32c": "0"}}
        path = self.folder / f"shard-{shard}-of-3" / f"slice-{number:010}.json"
        path.write_text(json.dumps({**about, **more}))

    def merged(self) -> list[Slice]:
        folder = open_slices(self.folder)
        self.addCleanup(folder.close)
        return folder.slices

    def refused(self) -> str:
        with self.assertRaises(InputError) as error:
            open_slices(self.folder)
        return str(error.exception)

    def test_slices_with_one_start_are_one_up_to_what_all_have_closed(self) -> None:
        self.write(1, 1, 0, None)
        self.write(1, 2, 30, 10, gap=True)
        self.write(2, 1, 30, None, on_time=False)
        self.write(3, 1, 60, None)
        self.state(2, 40)
        found = self.merged()
        self.assertEqual([(each.number, each.start // 10**9, each.previous_end, each.edges,
                           each.about["gap"], len(each.parts)) for each in found],
                         [(1, 0, None, 1, False, 1), (2, 30, 10 * 10**9, 2, True, 2)])
        self.assertEqual(found[1].about["offsets"], {"t": {"1": [2, 3], "2": [1, 2]}})
        self.state(3, None)
        self.assertEqual(self.merged(), [])

    def test_a_slice_of_which_a_shard_has_removed_its_part_is_left_out(self) -> None:
        self.write(1, 1, 0, None)
        self.write(1, 2, 10, 10)
        self.write(2, 7, 30, 20)
        self.write(3, 1, 20, None)
        self.assertEqual([(each.start // 10**9, each.previous_end) for each in self.merged()],
                         [(20, 20 * 10**9), (30, 30 * 10**9)])

    def test_counts_go_to_their_slice_or_the_next_one_in_time(self) -> None:
        self.write(1, 1, 0, None)
        self.write(2, 1, 20, None, on_time=False)
        self.write(1, 2, 40, 10, counts=[(20, 10, 1), (30, 100, 0)])
        self.state(3, 100, counts=[(10, 1000, 0), (None, 0, 10), (90, 5, 5)])
        self.assertEqual([(each.about["late"], each.about["refused"]) for each in self.merged()],
                         [(1, 10), (11, 1), (1101, 0)])
        self.state(1, 40)
        self.assertEqual([(each.about["late"], each.about["refused"]) for each in self.merged()],
                         [(1, 10), (1, 0)], "counts of a slice behind the manifest come later")

    def test_shards_that_are_missing_or_of_other_streams_are_named(self) -> None:
        self.state(2, 10, mapping="other")
        self.assertIn("shard-2-of-3: `mapping` in shard.json is 'other', and 'm' in shard-1-of-3",
                      self.refused())
        self.state(2, 10, manifest=2)
        self.assertIn("install a newer sash-spark", self.refused())
        manifest = self.folder / "shard-2-of-3" / "shard.json"
        manifest.write_text("{}")
        self.assertIn("is not the manifest of a shard", self.refused())
        manifest.write_text("{")
        self.assertIn("is not JSON", self.refused())
        manifest.unlink()
        self.assertIn("shard-2-of-3/shard.json: cannot be read", self.refused())
        manifest.parent.rmdir()
        self.assertIn("has no shard-2-of-3; windows need the slices of all", self.refused())
        (self.folder / "shard-1-of-2").mkdir()
        self.assertIn("different streams (shard-1-of-2, shard-1-of-3, shard-3-of-3)",
                      self.refused())

    def test_an_id_counts_again_after_the_time_or_in_its_own_record(self) -> None:
        rows = [(0, ("t", 0, 1, 0)), (0, ("t", 0, 1, 1)), (4, ("t", 1, 1, 0)), (8, ("t", 2, 1, 0)),
                (12, ("u", 0, 1, 0))]
        self.assertEqual(list(repeated(rows, 5)), [("t", 1, 1, 0), ("u", 0, 1, 0)])
        self.assertEqual(list(repeated(rows, 3)), [])
        self.assertEqual(len(list(repeated(rows, 12))), 3)


def counted(counts: list[Any]) -> list[dict[str, Any]]:
    return [{"start": None if start is None else time_text(start * 10**9), "late": late,
             "refused": refused} for start, late, refused in counts]


if __name__ == "__main__":
    unittest.main()
