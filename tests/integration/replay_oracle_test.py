"""Every window of every random stream, and of real ones, equals the oracle's.

SASH_SLOW=1 runs many more streams; SASH_SEED=n begins at another seed, which is printed.
"""
import itertools
import json
import os
import random
import unittest
from dataclasses import dataclass
from typing import Any

from random_stream import Shape, Stream, make
from oracle import times
from oracle.records import Refused
from sashd_replay import Replay, sinks

SLOW = os.environ.get("SASH_SLOW") == "1"
SEED = int(os.environ.get("SASH_SEED", "1"))
STORES = [("keep", "multiversioned"), ("keep", "rebuild"), ("drop", "rebuild"),
          ("weigh", "rebuild")]


def duration(nanoseconds: int) -> str:
    return f"{nanoseconds // 10**6}ms" if nanoseconds % 10**6 == 0 else f"{nanoseconds // 1000}us"


def jobs(windows: list[str], roots: list[str | int], chance: random.Random) -> list[dict[str, Any]]:
    """Each kernel on each window, with parameters of all kinds."""
    found: list[dict[str, Any]] = []
    for window in windows:
        found += [
            {"name": f"{window}-ranks", "kernel": "pagerank", "window": window, "top": 7,
             "parameters": {"damping": chance.choice([0, 0.5, 0.85]), "tolerance": 1e-13,
                            "max_iterations": 500}},
            {"name": f"{window}-reach", "kernel": "bfs", "window": window, "top": 5,
             "every": chance.choice([1, 1, 3]),
             "parameters": {"roots": roots, "direction": chance.choice(["out", "in", "both"]),
                            "separate": chance.random() < 0.5}},
            {"name": f"{window}-shape", "kernel": "window", "window": window}]
    return found


@dataclass(frozen=True)
class Case:
    """A stream and a configuration, both from one seed."""

    seed: int
    duplicates: str
    implementation: str
    by: str
    rows: int = 1500
    count: int = 2  # of windows

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.duplicates}, {self.implementation}, by {self.by}"

    def build(self) -> tuple[dict[str, Any], Stream]:
        chance = random.Random(f"{self}")
        landmark = chance.random() < 0.25
        unit, step, quantum = chance.choice([
            ("s", 20 * 10**9, 10**9), ("s", 2 * 10**9, 10**6), ("ms", 10**8, 10**6),
            ("us", 10**6, 10**3), ("ns", 10**7, 1), ("rfc3339", 10**9, 10**6),
            ("rfc3339", 10**6, 10**3), ("rfc3339", 60 * 10**9, 10**9)])
        shape = Shape(
            seed=self.seed, format=chance.choice(["json", "json", "csv", "csv_numbered", "tsv"]),
            rows=self.rows, integer_keys=chance.random() < 0.3, unit=unit, step=step,
            quantum=quantum, disorder=chance.choice([0, 1, 5, 40]) * step,
            silences=not landmark,
            operations=self.implementation == "rebuild" and chance.random() < 0.8,
            weights=chance.random() < 0.8)
        stream = make(shape)
        windows = self._windows(chance, step, landmark)
        names = [window["name"] for window in windows]
        return {
            "source": {
                "replay": {"path": "events"}, "format": stream.format,
                "time": {"unit": unit, "disorder": duration(shape.disorder),
                         "late": chance.choice(["drop", "dead_letter", "next_slice"])}},
            "windows": windows,
            "jobs": jobs(names, stream.roots, chance), "sinks": sinks()}, stream

    def _windows(self, chance: random.Random, step: int, landmark: bool) -> list[dict[str, Any]]:
        base = chance.choice([5, 8, 13])
        windows = []
        for number in range(self.count):
            slide = base * chance.choice([1, 2, 3])
            length = slide * chance.choice([1, 2, 5, 12])
            in_time = self.by == "event_time"
            windows.append({
                "name": f"w{number}", "by": self.by, "duplicates": self.duplicates,
                "implementation": self.implementation,
                "empty_windows": chance.choice(["once", "skip"]),
                "slide": duration(slide * step) if in_time else slide,
                "length": duration(length * step) if in_time else length})
        if landmark:
            windows[0]["length"] = "forever"
        return windows


class ReplayTest(unittest.TestCase):
    """What all of them check."""

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

    def cases(self, by: str, quick: int, slow: int) -> list[Case]:
        seeds = range(SEED, SEED + (slow if SLOW else quick))
        return [Case(seed, *store, by) for seed, store in itertools.product(seeds, STORES)]

    def test_windows_by_event_time_equal_the_oracle(self):
        self.run_cases(self.cases("event_time", 5, 60))

    def test_windows_by_events_equal_the_oracle(self):
        self.run_cases(self.cases("events", 2, 20))

    def test_thousands_of_windows_equal_the_oracle(self):
        rows = 40000 if SLOW else 8000
        self.run_cases([Case(SEED, *store, "event_time", rows=rows, count=1)
                        for store in (STORES if SLOW else STORES[:2])])


class ProcessingTimeTest(ReplayTest):
    def test_tumbling_windows_hold_every_edge_exactly_once(self):
        """What a window by processing time holds depends on the clock; what all hold does not."""
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


if __name__ == "__main__":
    unittest.main()
