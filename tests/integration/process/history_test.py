"""Windows that are read again over HTTP are those that results told of when they were published,
also after a restart with a checkpoint."""
import json
import subprocess
import unittest
from typing import Any

from sashd_process import PATIENCE_SECONDS, Sashd, await_that, live, program

WINDOW = {"name": "w", "length": "4s", "slide": "1s", "retain": "1h"}
DEGREES = {"name": "degrees", "kernel": "degree", "window": "w", "top": 6,
           "parameters": {"direction": "in"}}


class HistoryTest(unittest.TestCase):
    def setUp(self):
        self.sashd = self.enterContext(Sashd(live(
            windows=[WINDOW], jobs=[DEGREES], recovery="checkpoint", state={"interval": "100ms"})))

    def compare(self, lines: list[dict[str, Any]]) -> None:
        """Every window that the lines tell of."""
        newest = self.sashd.json("/api/v1/windows/w/snapshots?limit=1")[0]["snapshot"]
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
            # Nothing is removed, so a window has what entered in its span.
            span = f"from={line['window_start']}&to={line['window_end']}"
            entered = self.sashd.json(f"/api/v1/windows/w/edges?{span}&limit=10000")
            self.assertEqual(entered["edges"], line["edges"])
            self.assertEqual(len(entered["rows"]), min(line["edges"], 10000))
            for row in entered["rows"]:
                self.assertGreaterEqual(row["slice_start"], line["window_start"])
                self.assertLessEqual(row["slice_end"], line["window_end"])

    def sashctl(self, *words: str) -> Any:
        done = subprocess.run(
            [program("SASHCTL", "control/sashctl"), "--url", self.sashd.url(""), "--json", *words],
            capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def run_again(self, line: dict[str, Any]) -> None:
        """The job on the window of a result gives that result."""
        kept = len(self.sashd.json("/api/v1/jobs/degrees/results?limit=1000&top=0"))
        for past in (("--snapshot", str(line["snapshot"])), ("--at", line["window_end"])):
            again = self.sashctl("jobs", "trigger", "degrees", *past)
            self.assertEqual(again.pop("past"), True)
            self.assertEqual({**again, "seconds": 0}, {**line, "seconds": 0})
            window = self.sashctl("windows", "show", "w", *past)
            self.assertEqual(window["edges"], line["edges"])
        after = self.sashd.json("/api/v1/jobs/degrees/results?limit=1000&top=0")
        self.assertEqual([each for each in after if "past" in each], [])
        self.assertGreaterEqual(len(after), kept)

    def deliver_again(self, line: dict[str, Any], state: str) -> None:
        """The file has the result on the window of `line` beside it, once and marked."""
        said = self.sashctl("jobs", "trigger", "degrees", "--snapshot", str(line["snapshot"]),
                            "--deliver")
        self.assertEqual([each["state"] for each in said["delivered"]], [state])
        past = [each for each in self.sashd.lines() if each.get("past")]
        self.assertEqual([{**each, "seconds": 0} for each in past],
                         [{**line, "seconds": 0, "past": True}])

    def test_every_published_window_can_be_read_until_it_is_too_old(self):
        self.sashd.generate("--rate", "2000", "--scale", "6")
        lines = self.sashd.await_lines(8)
        self.compare(lines)
        self.run_again(lines[3])
        self.deliver_again(lines[3], "written")
        self.deliver_again(lines[3], "already_there")
        self.assertGreater(self.sashd.metric("sash_memory_bytes", part="history"), 0)
        status, _, body = self.sashd.get("/api/v1/windows/w?at=2020-01-01T00:00:00Z")
        self.assertEqual(status, 410)
        self.assertEqual(json.loads(body)["oldest"]["snapshot"], 1)
        # A restart from the checkpoint.
        written = self.sashd.metric("sash_checkpoint_writes_total")
        await_that(lambda: self.sashd.metric("sash_checkpoint_writes_total") > written + 1)
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())
        before = [line for line in self.sashd.lines() if "past" not in line]
        (self.sashd.folder / "log").unlink()  # it names the broker of the first process
        self.sashd.start()
        self.sashd.await_log("windows go on from the checkpoint")
        self.assertIsNone(self.sashd.json("/api/v1/windows/w")["snapshot"])
        self.compare(before)
        self.run_again(before[3])
        self.deliver_again(lines[3], "already_there")
        self.sashd.generate("--rate", "2000", "--scale", "6")
        after = self.sashd.await_lines(len(before) + 4)
        after = [line for line in after if "past" not in line]
        self.compare(after)
        self.run_again(before[3])
        snapshots = [line["snapshot"] for line in after]  # a busy machine may skip some
        self.assertEqual(snapshots, sorted(set(snapshots)))


if __name__ == "__main__":
    unittest.main()
