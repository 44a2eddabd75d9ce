"""Baselines of every result of random streams equal those recomputed from the whole vectors.

SASH_SLOW=1 runs more streams; SASH_SEED=n starts at another seed, which is printed.
"""
import json
import os
import random
import unittest
from typing import Any

from oracle.baselines import Baselines
from random_stream import Shape, make
from sashd_replay import Replay, sinks

SEED = int(os.environ.get("SASH_SEED", "1"))
STREAMS = 40 if os.environ.get("SASH_SLOW") == "1" else 8
PARAMETERS: dict[str, dict[str, Any]] = {
    "pagerank": {"tolerance": 1e-12, "max_iterations": 300},
    "hits": {"tolerance": 0, "max_iterations": 20, "rank_by": "hubs"},
    "degree": {"direction": "in"}, "fanout": {"direction": "both"},
    "strength": {"direction": "net"}, "kcore": {}, "triangles": {}, "lcc": {}, "reciprocity": {}}


def build(seed: int) -> tuple[dict[str, Any], bytes]:
    """Windows of several lengths in random order, each kernel with several baselines."""
    chance = random.Random(f"baselines {seed}")
    step = 10**9
    by_events = chance.random() < 0.3
    stream = make(Shape(
        seed=seed, format="json", rows=700, integer_keys=chance.random() < 0.5, unit="ms",
        step=step, disorder=2 * step, weights=chance.choice(["integer", "mixed", "real"]),
        broken=0.01, vertex_removals=0.01))
    unit = "" if by_events else "s"
    base = chance.choice([10, 20])
    shapes = {"short": (2, 1), "long": (12, chance.choice([1, 3])), "other": (6, 2)}
    windows = [
        {"name": name, "length": f"{length * base}{unit}", "slide": f"{slide * base}{unit}",
         "duplicates": chance.choice(["keep", "drop", "weigh"]),
         "empty_windows": chance.choice(["once", "skip"])}
        for name, (length, slide) in shapes.items()]
    if by_events:
        for window in windows:
            window |= {"by": "events", "length": int(window["length"]),
                       "slide": int(window["slide"])}
    chance.shuffle(windows)
    jobs = []
    for kernel in chance.sample(sorted(PARAMETERS), 4):
        for name in shapes:
            job = {"name": f"{name}-{kernel}", "kernel": kernel, "window": name, "top": 5,
                   "parameters": PARAMETERS[kernel], "every": chance.choice([1, 1, 2, 3])}
            choices: list[dict[str, Any] | None] = [{"results": chance.choice([1, 2, 5])}, None]
            if name == "short":
                choices = [{"window": "long"}, {"window": "other"}]
            elif name == "other":
                choices.append({"window": "long"})
            if (baseline := chance.choice(choices)) is not None:
                job |= {"baseline": baseline, "order": chance.choice(["score", "surprise"])}
            jobs.append(job)
    chance.shuffle(jobs)
    return {"source": {"replay": {"path": "events"}, "format": stream.format,
                       "time": {"unit": "ms", "disorder": "2s", "late": "next_slice"}},
            "windows": windows, "jobs": jobs, "sinks": sinks()}, stream.content


class RandomBaselinesTest(unittest.TestCase):
    def test_every_result_has_the_baseline_that_its_window_end_says(self) -> None:
        compared = without = 0
        for seed in range(SEED, SEED + STREAMS):
            document, content = build(seed)
            with self.subTest(seed=seed), Replay(document, content) as replay:
                replay.run()
                whole = [json.loads(line) for line in replay.lines("all.jsonl")]
                tops = [json.loads(line) for line in replay.lines("top.jsonl")]
                baselines = Baselines(document, whole)
                by_name = {job["name"]: job for job in document["jobs"]}
                for result, top in zip(whole, tops, strict=True):
                    self.assertEqual(top["top"], result["top"][:5])
                    if "baseline" not in by_name[result["job"]]:
                        self.assertNotIn("baseline", result)
                        continue
                    wrong = baselines.check(result)
                    self.assertEqual(
                        wrong[:3], [], f"seed {seed}: {result['job']} {result['window_end']}")
                compared += baselines.compared
                without += baselines.without
        print(f"{compared} results compared, {without} without a baseline, from seed {SEED}")
        self.assertGreater(compared, 10 * without)


if __name__ == "__main__":
    unittest.main()
