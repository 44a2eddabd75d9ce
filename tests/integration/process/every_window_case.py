"""Exports of every window of a replay, which are compared with the results of the same run."""
import json
import pathlib
import random
import unittest
from typing import Any, Callable

from sashd_process import Sashd, replay

MINUTE = 60_000


def events(chance: random.Random, count: int, integer_keys: bool, removals: bool,
           edge: Callable[[], dict[str, Any]]) -> bytes:
    """Records of a few vertices over ten minutes, with silence. `edge` gives their weight and
    type."""
    def key() -> Any:
        number = int(chance.random() ** 2 * 40)
        return number - 20 if integer_keys else f"vértex {number}"
    lines = []
    for time in sorted(chance.randrange(10 * MINUTE) for _ in range(count)):
        if 4 * MINUTE < time < 6 * MINUTE:
            continue
        record = {"from": key(), "to": key(), "ts": time, **edge()}
        if removals and chance.random() < 0.1:
            record["op"] = "remove"
        lines.append(json.dumps(record) + "\n")
    return "".join(lines).encode()


class EveryWindowCase(unittest.TestCase):
    """In a replay every advance is written, so all of them are compared with results."""
    EXPORT = ""  # the kind of export
    SLIDE = ""

    def compare_one(self, folder: pathlib.Path, result: dict[str, Any]) -> None:
        raise NotImplementedError

    def compare(self, path: str, duplicates: str, integer_keys: bool, records: bytes) -> int:
        """Exports to `path`. Returns the number of windows."""
        document = replay(
            format={"json": {"source": "/from", "target": "/to", "time": "/ts",
                             "weight": "/w", "type": "/type", "operation": "/op"},
                    "keys": "integer" if integer_keys else "string"},
            windows=[{"name": "w", "length": "1m", "slide": self.SLIDE, "duplicates": duplicates,
                      "identity": "pair_and_type"}],
            sinks=[{"file": {"path": "results.jsonl", "vertices": "all"}}],
            exports=[{self.EXPORT: {"path": path, "windows": ["w"], "keep": 1000}}])
        with Sashd(document, records) as sashd:
            self.assertEqual(sashd.wait(), 0, sashd.log())
            results = sashd.lines()
        for result in results:
            self.compare_one(pathlib.Path(path, "w", str(result["snapshot"])), result)
        self.assertEqual(len(list(pathlib.Path(path, "w").iterdir())), len(results))
        return len(results)

    def about(self, folder: pathlib.Path, result: dict[str, Any]) -> dict[str, Any]:
        """What a snapshot says about itself, which is what the result says about its window."""
        about = json.loads((folder / "snapshot.json").read_text())
        for member in ("window", "snapshot", "window_start", "window_end", "empty", "final", "gap",
                       "edges", "vertices", "late", "refused", "offsets"):
            self.assertEqual(about[member], result[member], member)
        return dict(about)

    def check_keys(self, about: dict[str, Any], keys: list[Any]) -> None:
        self.assertEqual(keys, sorted(keys, key=lambda k: k if isinstance(k, int) else k.encode()))
        self.assertEqual(about["keys"]["count"], len(keys))
