"""The edges that entered a window in a span of time are those of windows that are one slice long:
what the slice itself ended is not there, and `drop` and `weigh` have one edge for each pair (or
pair and type)."""
import json
import random
import unittest
from typing import Any

from sashd_process import SHAPE, Sashd, await_that, replay

PANE = 2000  # milliseconds
START = 1767225600000  # 2026-01-01T00:00:00Z
POLICIES = [("keep", "pair"), ("drop", "pair"), ("weigh", "pair"), ("weigh", "pair_and_type")]
FORMAT = {"json": {"source": "/from", "target": "/to", "time": "/ts", "weight": "/w",
                   "type": "/type", "operation": "/op"}}


def records(seed: int) -> bytes:
    """Records with few vertices, so that slices repeat pairs and end their own edges."""
    chance = random.Random(seed)
    weights = [[1, 2, -3, 2**62], [0.25, 0.1, 3, 1e300]][seed % 2]
    return "".join(json.dumps({
        "from": f"v{chance.randrange(5)}", "to": f"v{chance.randrange(5)}", "ts": START + 60 * i,
        "w": chance.choice(weights), "type": chance.choice(["a", "b", ""]),
        "op": chance.choice(["add"] * 8 + ["remove", "remove_vertex"])}) + "\n"
        for i in range(400)).encode()


def told(edge: dict[str, Any]) -> tuple[str, ...]:
    return (edge["source"], edge["target"], edge.get("type", ""), repr(float(edge["weight"])))


class EnteredEdgesTest(unittest.TestCase):
    def compare(self, seed: int, duplicates: str, identity: str) -> int:
        policy = {"duplicates": duplicates, "identity": identity, "slide": f"{PANE}ms"}
        document = replay(
            format=FORMAT, time={"unit": "ms", "disorder": "0s"},
            windows=[{"name": "w", "length": f"{3 * PANE}ms", "retain": "1h", **policy},
                     {"name": "slice", "length": f"{PANE}ms", **policy}],
            jobs=[{**SHAPE, "window": "slice"}],
            sinks=[{"file": {"path": "results.jsonl", "vertices": "all"}}],
            http={"listen": "127.0.0.1:0"})
        document["source"]["replay"]["at_end"] = "stay"
        with Sashd(document, records(seed)) as sashd:
            slices = await_that(lambda: len(lines := sashd.lines()) == 400 * 60 // PANE and lines)
            self.assertTrue(slices, sashd.log())
            for line in slices:
                span = f"from={line['window_start']}&to={line['window_end']}"
                entered = sashd.json(f"/api/v1/windows/w/edges?{span}&limit=10000")
                self.assertEqual(sorted(map(told, entered["rows"])),
                                 sorted(map(told, line["top_edges"])), (seed, policy, span))
                self.assertEqual(entered["edges"], line["edges"])
            return sum(line["edges"] for line in slices)

    def test_they_are_those_of_windows_of_one_slice(self) -> None:
        for seed, (duplicates, identity) in enumerate(POLICIES * 2):
            with self.subTest(duplicates=duplicates, identity=identity, seed=seed):
                self.assertGreater(self.compare(seed + seed // 4, duplicates, identity), 50)


if __name__ == "__main__":
    unittest.main()
