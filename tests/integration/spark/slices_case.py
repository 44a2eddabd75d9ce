"""Streams of slices for sashd and Spark: windows of every policy, and jobs that list every edge."""
import contextlib
import io
import pathlib
import unittest
from typing import Any

from engines import document, open_spark, require_spark
from sashd_replay import Replay

from sash_spark.command import main

SEED = 20261129
KEYS = ["a", "b", "é", "😀", "10", "9", *(f"v{i}" for i in range(8))]
LENGTH = {"length": "40s", "slide": "20s"}
WINDOWS: dict[str, dict[str, Any]] = {
    "keep": {"duplicates": "keep", "retain": "10s", **LENGTH},
    "weigh": {"duplicates": "weigh", **LENGTH},
    "drop-where": {"duplicates": "drop", "where": "/big", "empty_windows": "skip", **LENGTH},
    "weigh-types": {"duplicates": "weigh", "identity": "pair_and_type", "types": ["y", "x"],
                    "where": "/big || /w > 1.0", **LENGTH},
    "for-ever": {"duplicates": "keep", "types": ["x"], "length": "forever", "slide": "100s"},
    "drop-types": {"duplicates": "drop", "identity": "pair_and_type", "length": "20s",
                   "slide": "20s", "offset": "10s"}}


def jobs_of(windows: list[str]) -> list[dict[str, Any]]:
    """The kernel `window` lists every edge; the others are spread over the windows."""
    jobs = [{"name": f"{window}-edges", "kernel": "window", "window": window}
            for window in windows]
    others = [("keep", "new_edges", {}), ("weigh", "vanished_edges", {}),
              ("weigh-types", "new_edges", {}), ("drop-types", "vanished_edges", {}),
              ("drop-where", "strength", {"direction": "net"}),
              ("drop-types", "cycles", {"max_length": 4, "min_weight": 1}),
              ("keep", "cycles", {"max_length": 4, "in_time_order": True}),
              ("keep", "edge_features", {"max_length": 4}),
              ("weigh-types", "edge_features", {"min_intermediates": 1}),
              ("for-ever", "pagerank", {"tolerance": 0, "max_iterations": 3})]
    return jobs + [{"name": f"{window}-{kernel}", "kernel": kernel, "window": window, "top": 4,
                    "every": 2 if kernel == "strength" else 1, "parameters": parameters}
                   for window, kernel, parameters in others if window in windows]


class SlicesCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        require_spark()
        cls.spark = open_spark()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()

    def replayed(self, names: list[str], content: bytes) -> pathlib.Path:
        made = document("string", [{"name": name, **WINDOWS[name]} for name in names],
                        jobs_of(names), [{"parquet": {"path": "slices", "slices": True}}])
        made["source"]["time"] |= {"disorder": "2s", "late": "next_slice"}
        made["source"]["format"]["json"]["id"] = "/id"
        made["source"]["dedupe"] = {"within": "10s"}
        replay = Replay(made, content)
        self.addCleanup(replay.__exit__)
        replay.run()
        return replay.folder

    def ran(self, folder: pathlib.Path, *more: str) -> tuple[int, str]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = main(["--slices", str(folder / "slices"), "--config",
                         str(folder / "sashd.yaml"), *more])
        return code, said.getvalue()
