"""A window whose filter is new while the stream runs: after a kill, its results and diffs go on."""
import json
import pathlib
import signal
import sys
import time
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

from broker_case import BrokerCase
from sashd_process import RESULTS, Sashd, await_that

TOPIC = "edges"


def window(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "length": "10s", "slide": "5s", **more}


def degrees(name: str) -> dict[str, Any]:
    return {"name": name, "kernel": "degree", "window": name, "overrun": {"queue": 100}}


class NewFilterTest(BrokerCase):
    def test_diffs_go_on_after_a_kill(self) -> None:
        self.broker.create_topic(TOPIC, 1)
        document = self.document(TOPIC)
        document.update(windows=[window("all")], jobs=[degrees("all")], recovery="checkpoint",
                        state={"path": "state", "interval": "100ms"},
                        sinks=[RESULTS, {"file": {"path": "diffs.jsonl", "content": "diffs"}}])
        with Sashd(document) as sashd:
            self.send(sashd, "a", 1, 6)
            document["windows"].append(window("chosen", where="/from != 'x'"))
            document["jobs"].append(degrees("chosen"))
            (sashd.folder / "sashd.yaml").write_text(json.dumps(document))
            sashd.send(signal.SIGHUP)
            sashd.await_log(r"reload: changed windows\[chosen\] is new")
            self.send(sashd, "x", 7, 7)  # it may be in a round of the source that began before
            self.send(sashd, "c", 8, 12)
            self.send(sashd, "d", 13, 21)
            self.await_end(sashd, "20")
            seen = time.time_ns()
            self.send(sashd, "d", 22, 22)
            manifest = sashd.folder / "state/manifest"
            self.assertTrue(await_that(
                lambda: manifest.exists() and manifest.stat().st_mtime_ns > seen), sashd.log())
            sashd.send(signal.SIGKILL)
            sashd.wait()
            sashd.start()
            sashd.await_log("windows go on from the checkpoint in state")
            self.send(sashd, "e", 23, 36, 36 - 22)
            self.await_end(sashd, "35")
            self.assertEqual(sashd.stop(), 0, sashd.log())
            diffs = [line for line in sashd.lines("diffs.jsonl") if line["job"] == "chosen"]
            results = [line for line in sashd.lines() if line["job"] == "chosen"]
        self.assertEqual([(line["window_end"][17:19], line["gap"]) for line in results],
                         [("10", True), ("15", True),
                          *((end, False) for end in ("20", "25", "30", "35"))])
        self.assertEqual([line["since"] for line in diffs],
                         [None, *(line["window_end"] for line in results[:-1])])
        listed: dict[str, float] = {}
        for diff, result in zip(diffs, results, strict=True):
            for row in diff["left"]:
                del listed[row["vertex"]]
            listed.update((row["vertex"], row["score"])
                          for row in diff["entered"] + diff["changed"])
            self.assertEqual(listed, {row["vertex"]: row["score"] for row in result["top"]})

    def send(self, sashd: Sashd, source: str, first: int, last: int,
             accepted: int | None = None) -> None:
        """One edge a second; returns when this number is accepted since the start."""
        self.produce(TOPIC, first, last - first + 1, source=source)
        self.assertTrue(await_that(lambda: sashd.metric(
            "sash_engine_events_accepted_total", operation="add") >= (accepted or last)),
            sashd.log())

    def await_end(self, sashd: Sashd, second: str) -> None:
        self.assertTrue(await_that(lambda: any(
            line["job"] == "chosen" and line["window_end"][17:19] == second
            for line in sashd.lines("diffs.jsonl"))), sashd.log())


if __name__ == "__main__":
    unittest.main()
