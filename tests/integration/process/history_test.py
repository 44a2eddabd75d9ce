"""Windows that are read again over HTTP are those that results told of when they were published,
also after a restart with a checkpoint."""
import json
import unittest
from typing import Any

from sashd_process import Sashd, await_that, live

WINDOW = {"name": "w", "length": "4s", "slide": "1s", "retain": "1h"}
DEGREES = {"name": "degrees", "kernel": "degree", "window": "w", "top": 6,
           "parameters": {"direction": "in"}}


class HistoryTest(unittest.TestCase):
    def setUp(self):
        self.sashd = self.enterContext(Sashd(live(
            windows=[WINDOW], jobs=[DEGREES], recovery="checkpoint", state={"interval": "100ms"})))

    def compare(self, lines: list[dict[str, Any]]) -> None:
        """Every window that the lines tell of."""
        newest = self.sashd.json("/api/v1/windows/w")["snapshot"]
        for line in lines:
            if line["snapshot"] > newest:
                continue
            past = f"snapshot={line['snapshot']}"
            window = self.sashd.json(f"/api/v1/windows/w?{past}")
            for member in ("window_start", "window_end", "edges", "vertices"):
                self.assertEqual(window[member], line[member], (member, line))
            for row in line["top"]:
                vertex = self.sashd.json(
                    f"/api/v1/windows/w/vertices/{row['vertex']}?limit=10000&{past}")
                self.assertEqual(vertex["in_degree"], row["score"], (row, line))
                self.assertEqual(len(vertex["in"]), row["score"])
            if line["top"]:
                vertex = line["top"][0]["vertex"]
                path = self.sashd.json(f"/api/v1/windows/w/paths?from={vertex}&to={vertex}&{past}")
                self.assertEqual((path["snapshot"], path["length"]), (line["snapshot"], 0))
            changes = self.sashd.json(f"/api/v1/windows/w/changes?since={line['snapshot']}&{past}")
            self.assertEqual(changes["appeared"]["pairs"] + changes["vanished"]["pairs"], 0)
            at = self.sashd.json(f"/api/v1/windows/w?at={line['window_end']}")
            self.assertEqual(at["snapshot"], line["snapshot"])

    def test_every_published_window_can_be_read_until_it_is_too_old(self):
        self.sashd.generate("--rate", "2000", "--scale", "6")
        lines = self.sashd.await_lines(8)
        self.compare(lines)
        self.assertGreater(self.sashd.metric("sash_memory_bytes", part="history"), 0)
        status, _, body = self.sashd.get("/api/v1/windows/w?at=2020-01-01T00:00:00Z")
        self.assertEqual(status, 410)
        self.assertEqual(json.loads(body)["oldest"]["snapshot"], 1)
        # A restart from the checkpoint.
        written = self.sashd.metric("sash_checkpoint_writes_total")
        await_that(lambda: self.sashd.metric("sash_checkpoint_writes_total") > written + 1)
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())
        before = self.sashd.lines()
        (self.sashd.folder / "log").unlink()  # it names the broker of the first process
        self.sashd.start()
        self.sashd.await_log("windows go on from the checkpoint")
        self.sashd.generate("--rate", "2000", "--scale", "6")
        after = self.sashd.await_lines(len(before) + 3)
        self.compare(after)
        snapshots = [line["snapshot"] for line in after]  # a busy machine may skip some
        self.assertEqual(snapshots, sorted(set(snapshots)))


if __name__ == "__main__":
    unittest.main()
