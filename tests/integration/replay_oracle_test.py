"""Every window of every random stream, and of real streams, equals the oracle's.

SASH_SLOW=1 runs many more streams; SASH_SEED=n starts at another seed, which is printed.
"""
import itertools
import json
import os
import random
import unittest
from dataclasses import dataclass
from typing import Any

from random_stream import Shape, Stream, field_of, make
from oracle import times
from oracle.live_edges import Edge, LiveEdges
from oracle.records import Event, Refused
from oracle.weights import same
from sashd_replay import Replay, sinks

SLOW = os.environ.get("SASH_SLOW") == "1"
SEED = int(os.environ.get("SASH_SEED", "1"))
POLICIES = ["keep", "drop", "weigh"]
IMPLEMENTATIONS = ["multiversioned", "rebuild"]
REPEATED = [0.2, 0, 0.8]
WEIGHTS = ["mixed", "integer", "changing", "huge", "real", "negative", ""]


def duration(nanoseconds: int) -> str:
    return f"{nanoseconds // 10**6}ms" if nanoseconds % 10**6 == 0 else f"{nanoseconds // 1000}us"


def network_jobs(window: str, parameters: dict[str, dict[str, Any]], every: int,
                 ) -> list[dict[str, Any]]:
    """The kernels that networkx computes, or the oracle in its place."""
    return [{"name": f"{window}-{kernel}", "kernel": kernel, "window": window, "top": 6,
             "every": every, "parameters": given} for kernel, given in parameters.items()]


def network_parameters(roots: list[str | int], sums: bool, chance: random.Random,
                       ends: list[str | int] | None = None, wide: bool = False,
                       ) -> dict[str, dict[str, Any]]:
    """`sums`: weights are sums that may cancel, and their sign may depend on rounding. `wide`: the
    sum of a path may need more than 113 bits."""
    directions = ["out", "in", "both"]
    parameters = {
        "wcc": {}, "scc": {}, "triangles": warm_start(chance), "lcc": {}, "kcore": {},
        "reciprocity": {}, "new_edges": {}, "vanished_edges": {},
        "cdlp": {"max_iterations": chance.choice([1, 2, 5])},
        "cycles": {"max_length": chance.choice([2, 3, 4]), "max_steps": 10**9,
                   "min_weight": "any" if sums else chance.choice(["any", 2]),
                   "through": chance.choice(["any", roots[:1]])},
        "hits": {"rank_by": chance.choice(["authorities", "hubs"]), "tolerance": 0,
                 "max_iterations": 40, "weighted": not sums and chance.random() < 0.7},
        "sssp": {"roots": roots, "direction": chance.choice(directions),
                 "delta": chance.choice(["auto", 0.5, 100])},
        "degree": {"direction": chance.choice(directions)},
        "strength": {"direction": chance.choice([*directions, "net"])},
        "fanout": {"direction": chance.choice(directions)}}
    if sums:
        del parameters["sssp"]
    parameters["edge_features"] = {
        "max_length": chance.choice([2, 3, 4]), "min_intermediates": chance.choice([1, 2, 3]),
        "max_steps": 10**9}
    parameters["paths"] = {
        "from": roots, "to": ends or roots, "by": "hops" if sums or wide else chance.choice(
            ["hops", "weight"]), "direction": chance.choice(directions),
        "most": chance.choice([1, 2, 3, 6])}
    return parameters


def warm_start(chance: random.Random) -> dict[str, Any]:
    """Half of the time a job starts from its previous result, which must not show."""
    if chance.random() < 0.5:
        return {}
    return {"warm_start": True, "check_every": chance.choice([0, 3, 100])}


def jobs(windows: list[str], stream: Stream, sums: bool, wide: bool, every_network: int,
         chance: random.Random) -> list[dict[str, Any]]:
    """Each kernel with parameters of all kinds, the same for each window."""
    roots = stream.roots
    networks = network_parameters(roots, sums, chance, stream.ends, wide)
    ranks = {"damping": chance.choice([0, 0.5, 0.85]), "tolerance": 1e-13, "max_iterations": 500}
    followed = {**ranks, **warm_start(chance)}
    reach = {"roots": roots, "direction": chance.choice(["out", "in", "both"]),
             "separate": chance.random() < 0.5, "parents": chance.random() < 0.5,
             **warm_start(chance)}
    bias = {**ranks, "damping": chance.choice([0.5, 0.85]),
            "weighted": not sums and chance.random() < 0.7,
            "sources": chance.choice(["all", roots, roots[:1]]),
            "direction": chance.choice(["out", "in", "both"])}
    every = chance.choice([1, 1, 3])
    found: list[dict[str, Any]] = []
    for window in windows:
        found += [
            {"name": f"{window}-ranks", "kernel": "pagerank", "window": window, "top": 7,
             "parameters": followed},
            {"name": f"{window}-bias", "kernel": "pagerank", "window": window, "top": 7,
             "every": every, "parameters": bias},
            {"name": f"{window}-reach", "kernel": "bfs", "window": window, "top": 5,
             "every": every, "parameters": reach},
            {"name": f"{window}-shape", "kernel": "window", "window": window},
            *network_jobs(window, networks, every_network)]
    return found


@dataclass(frozen=True)
class Case:
    """A stream and a configuration, both from one seed.

    Windows of several lengths and slides, which share their stores, and one of another policy; each
    of them twice, in both implementations.
    """

    seed: int
    duplicates: str
    by: str
    rows: int = 1500
    count: int = 3  # of windows of this policy
    base: int = 0  # of slides, in rows; 0: random
    hub_neighbours: int = 0
    every_network: int = 7  # for the jobs that the oracle computes slowly

    def __str__(self) -> str:
        hubs = f", hubs of {self.hub_neighbours}" if self.hub_neighbours else ""
        return f"seed {self.seed}, {self.duplicates}, by {self.by}, {self.rows} rows{hubs}"

    def build(self) -> tuple[dict[str, Any], Stream]:
        chance = random.Random(f"{self}")
        landmark = chance.random() < 0.25
        unit, step, quantum = chance.choice([
            ("s", 20 * 10**9, 10**9), ("s", 2 * 10**9, 10**6), ("ms", 10**8, 10**6),
            ("us", 10**6, 10**3), ("ns", 10**7, 1), ("rfc3339", 10**9, 10**6),
            ("rfc3339", 10**6, 10**3), ("rfc3339", 60 * 10**9, 10**9)])
        turn = self.seed * len(POLICIES) + POLICIES.index(self.duplicates)
        disorder = chance.choice([0, 1, 5, 40]) * step
        weights = WEIGHTS[turn % len(WEIGHTS)]
        stream = make(Shape(
            seed=self.seed, format=chance.choice(["json", "json", "csv", "csv_numbered", "tsv"]),
            rows=self.rows, integer_keys=chance.random() < 0.3, unit=unit, step=step,
            quantum=quantum, disorder=disorder,
            silences=not landmark and not self.hub_neighbours, operations=chance.random() < 0.8,
            weights=weights, repeated=REPEATED[self.seed % len(REPEATED)],
            vertex_removals=0.0005 if self.hub_neighbours else 0.02,
            hub_neighbours=self.hub_neighbours, outliers=0.01 if self.seed % 2 else 0,
            **self._labels(step)))
        shapes = self._shapes(chance, step, landmark)
        self._choose_edges(shapes, stream)
        windows, ran = [], []
        for number, shape in enumerate(shapes):
            twins = [{"name": f"w{number}-{kind}", **shape, "implementation": kind}
                     for kind in IMPLEMENTATIONS]
            windows += twins
            if shape["length"] != "forever":
                ran.append(self._timed_cycles(twins[0], shape["slide"]))
            wide = weights in ("mixed", "changing", "huge")
            sums = shape["duplicates"] == "weigh" and wide
            ran += jobs([twin["name"] for twin in twins], stream, sums, wide, self.every_network,
                        chance)
        source = {
            "replay": {"path": "events"}, "format": stream.format,
            "time": {"unit": unit, "disorder": duration(disorder),
                     "late": chance.choice(["drop", "dead_letter", "next_slice"])}}
        if within := self._labels(step).get("dedupe"):
            source["dedupe"] = {"within": duration(within)}
        return {"source": source, "windows": windows, "jobs": ran, "sinks": sinks()}, stream

    def _timed_cycles(self, window: dict[str, Any], slide: str | int) -> dict[str, Any]:
        """A job on this window, which keeps its slices for it."""
        chance = random.Random(f"order of {window['name']} of {self}")
        window["retain"] = slide
        return {"name": f"{window['name']}-timed", "kernel": "cycles", "window": window["name"],
                "top": 6, "every": self.every_network,
                "parameters": {"max_length": chance.choice([2, 3, 4]), "max_steps": 10**9,
                               "in_time_order": True,
                               "min_weight": "any" if window["duplicates"] == "weigh"
                               else chance.choice(["any", 2])}}

    def _labels(self, step: int) -> dict[str, Any]:
        """Most streams in time have types, and half of them ids."""
        if self.by != "event_time":
            return {}
        chance = random.Random(f"labels of {self}")
        within = chance.choice([1, 10, 100]) * step if chance.random() < 0.5 else 0
        return {"kinds": chance.random() < 0.8, "dedupe": within}

    def _choose_edges(self, shapes: list[dict[str, Any]], stream: Stream) -> None:
        """Most windows over edges with types have a filter."""
        chance = random.Random(f"filters of {self}")
        [mapping] = [stream.format[kind] for kind in ("json", "csv") if kind in stream.format]
        if "type" not in mapping:
            return
        kind = field_of(stream, "type")
        wheres = [f"{kind} == 'paid'", f"{kind} in ['owed', '7'] || !has({kind})"]
        if "weight" in mapping:
            weight = field_of(stream, "weight")
            wheres += [f"double({weight}) > 1.0", f'double({weight}) <= 2.0 && {kind} != "owed"']
        for shape in shapes:
            if chance.random() < 0.5:
                shape["identity"] = "pair_and_type"
            if chance.random() < 0.5:
                shape["types"] = chance.sample(["paid", "owed", "7", "nothing"],
                                               chance.choice([1, 2]))
            if chance.random() < 0.5:
                shape["where"] = chance.choice(wheres)

    def _shapes(self, chance: random.Random, step: int, landmark: bool) -> list[dict[str, Any]]:
        base = self.base or chance.choice([5, 8, 13])
        other = POLICIES[(POLICIES.index(self.duplicates) + 1) % len(POLICIES)]
        in_time = self.by == "event_time"
        shapes = []
        for duplicates in [*([self.duplicates] * self.count), other]:
            slide = base * chance.choice([1, 2, 3])
            length = slide * chance.choice([1, 2, 5, 12, 50])
            shapes.append({
                "by": self.by, "duplicates": duplicates,
                "empty_windows": chance.choice(["once", "skip"]),
                "slide": duration(slide * step) if in_time else slide,
                "length": duration(length * step) if in_time else length})
        if in_time:
            self._move_ends(shapes, step)
        if landmark:
            shapes[0]["length"] = "forever"
        return shapes

    def _move_ends(self, shapes: list[dict[str, Any]], step: int) -> None:
        """Every second window or so ends at a part of its slide."""
        chance = random.Random(f"offsets of {self}")
        for shape in shapes:
            steps = times.parse_duration(shape["slide"]) // step
            if chance.random() < 0.5:
                shape["offset"] = duration(chance.randrange(steps) * step)


class ReplayTest(unittest.TestCase):
    """The common part of all of them."""

    def check(self, document: dict[str, Any], content: bytes | None = None) -> int:
        with Replay(document, content) as replay:
            replay.run()
            differences, compared = replay.differences()
            self.assertEqual(differences, "")
            self.assertGreater(compared, 0)
            refused = [each.offset for each in replay.events() if isinstance(each, Refused)]
            reported = [letter["offset"] for letter in replay.dead_letters()
                        if letter["reason"] != "late"]
            self.assertEqual(sorted(reported), refused, "offsets in the dead letters")
        return compared


class RandomStreamsTest(ReplayTest):
    def run_cases(self, cases: list[Case]) -> None:
        compared = 0
        for case in cases:
            with self.subTest(str(case)):
                document, stream = case.build()
                compared += self.check(document, stream.content)
        print(f"{len(cases)} streams from seed {SEED}, {compared} results equal")

    def cases(self, by: str, quick: int, slow: int, **more: int) -> list[Case]:
        seeds = range(SEED, SEED + (slow if SLOW else quick))
        return [Case(seed, policy, by, **more)
                for seed, policy in itertools.product(seeds, POLICIES)]

    def test_windows_by_event_time_equal_the_oracle(self):
        self.run_cases(self.cases("event_time", 2, 60))

    def test_windows_by_events_equal_the_oracle(self):
        # About 12,600 results when quick: most of the time of this suite went into them.
        self.run_cases(self.cases("events", 1, 20, rows=1500 if SLOW else 700, every_network=3))

    def test_hubs_of_thousands_of_neighbours_equal_the_oracle(self):
        self.run_cases(self.cases("event_time", 1, 12, rows=6000, count=2, base=200,
                                  hub_neighbours=4000))

    def test_thousands_of_windows_equal_the_oracle(self):
        self.run_cases([Case(SEED, policy, "event_time", rows=40000 if SLOW else 8000, count=1)
                        for policy in (POLICIES if SLOW else POLICIES[2:])])


class ProcessingTimeTest(ReplayTest):
    def test_tumbling_windows_hold_every_edge_exactly_once(self):
        """The content of a window by processing time depends on the clock; their union does not."""
        stream = make(Shape(seed=SEED, format="json", operations=False, rows=20000))
        document = {
            "source": {"replay": {"path": "events"}, "format": stream.format,
                       "time": {"unit": "ms"}},
            "windows": [{"name": "w", "by": "processing_time", "length": "20ms", "slide": "20ms"}],
            "jobs": [{"name": "shape", "kernel": "window", "window": "w"}],
            "sinks": [{"file": {"path": "all.jsonl", "vertices": "all"}}]}
        with Replay(document, stream.content) as replay:
            replay.run()
            accepted = [(event.source, event.target, event.weight) for event in replay.events()
                        if not isinstance(event, Refused)]
            results = [json.loads(line) for line in replay.lines("all.jsonl")]
            refused = len(replay.events()) - len(accepted)
        listed = [(edge["source"], edge["target"], edge["weight"])
                  for result in results for edge in result["top_edges"]]
        self.assertEqual(sorted(listed), sorted(accepted))
        self.assertEqual(sum(result["refused"] for result in results), refused)
        bounds = [(times.from_result(result["window_start"]),
                   times.from_result(result["window_end"])) for result in results]
        self.assertEqual(bounds, sorted(set(bounds)))
        for start, end in bounds:
            self.assertEqual(end - start, 20 * 10**6)
            self.assertEqual(end % (20 * 10**6), 0)

    def test_windows_of_every_policy_equal_the_oracle_of_the_slices_they_tell_of(self):
        """A tumbling window shows by its offsets which events its slice holds; longer windows hold
        several slices."""
        stream = make(Shape(seed=SEED, format="json", rows=20000, vertex_removals=0.002))
        shapes = [("slice", "keep", 20), *((f"{policy}-{length}", policy, length)
                                           for policy in POLICIES for length in (40, 200))]
        windows = [{"name": f"{name}-{kind}", "by": "processing_time", "length": f"{length}ms",
                    "slide": "20ms", "duplicates": policy, "implementation": kind}
                   for name, policy, length in shapes for kind in IMPLEMENTATIONS]
        document = {
            "source": {"replay": {"path": "events"}, "format": stream.format,
                       "time": {"unit": "ms"}},
            "windows": windows,
            "jobs": [{"name": window["name"], "kernel": "window", "window": window["name"]}
                     for window in windows],
            "sinks": [{"file": {"path": "all.jsonl", "vertices": "all"}}]}
        with Replay(document, stream.content) as replay:
            replay.run()
            accepted = {event.offset: event for event in replay.events()
                        if not isinstance(event, Refused)}
            results = [json.loads(line) for line in replay.lines("all.jsonl")]
        slices = {times.from_result(result["window_end"]): self.events_of(result, accepted)
                  for result in results if result["job"] == "slice-rebuild"}
        self.assertEqual(sum(map(len, slices.values())), len(accepted),
                         "each event is in one slice")
        filled = {result["window_end"] for result in results
                  if result["job"] == "slice-rebuild" and not result["empty"]}
        for (name, policy, length), kind in itertools.product(shapes, IMPLEMENTATIONS):
            found = [result for result in results if result["job"] == f"{name}-{kind}"]
            self.assertLessEqual(filled, {result["window_end"] for result in found}, name)
            for result in found:
                end = times.from_result(result["window_end"])
                live = LiveEdges(policy)
                for place in sorted(slices):
                    if end - length * 10**6 < place <= end:
                        live.apply(slices[place])
                self.check_edges(result, live.edges())

    @staticmethod
    def events_of(result: dict[str, Any], accepted: dict[int, Event]) -> list[Event]:
        """The events of a result, in the order in which they take effect."""
        if not result["offsets"]:
            return []
        least, greatest = result["offsets"]["replay"]["0"]
        return sorted(accepted[offset] for offset in range(least, greatest + 1)
                      if offset in accepted)

    def check_edges(self, result: dict[str, Any], edges: list[Edge]) -> None:
        where = f"{result['job']} ending {result['window_end']}"
        listed = result["top_edges"]
        self.assertEqual(len(listed), len(edges), where)
        for found, (source, target, weight, _) in zip(listed, sorted(edges)):
            self.assertEqual((found["source"], found["target"]), (source, target), where)
            self.assertTrue(same(weight, found["weight"]), f"{where}: {found}, not {weight}")


if __name__ == "__main__":
    unittest.main()
