"""A live window shows events whose slices have not closed, over HTTP and with sashctl; and after
the stream has become silent, it has every record that was sent."""
import json
import subprocess
import unittest
from typing import Any

from sashd_process import PATIENCE_SECONDS, Sashd, await_that, live, program

# Nothing closes during the test: the slide is long.
WINDOW = {"name": "w", "length": "1h", "slide": "1h", "live": True}
SHAPE = {"name": "shape", "kernel": "window", "window": "w"}
EDGES = 500


class LiveViewTest(unittest.TestCase):
    def setUp(self):
        self.sashd = self.enterContext(Sashd(live(
            windows=[WINDOW, {**WINDOW, "name": "closed", "live": False}], jobs=[SHAPE])))

    def has_read_everything(self) -> bool:
        status, _, body = self.sashd.get("/api/v1/windows/w?view=live")
        return status == 200 and sum(json.loads(body)["cut"]["edges"].values()) == EDGES

    def sashctl(self, *words: str) -> Any:
        done = subprocess.run(
            [program("SASHCTL", "control/sashctl"), "--url", self.sashd.url(""), "--json", *words],
            capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_events_are_visible_before_their_window_is_published(self):
        self.assertEqual(self.sashd.get("/api/v1/windows/w?view=live")[0], 404)
        self.sashd.generate("--rate", "2000", "--scale", "4", "--edges", str(EDGES))
        self.assertTrue(await_that(self.has_read_everything), self.sashd.log())
        # The hour may end while the test runs; then the window has the newest events alone.
        window = self.sashd.json("/api/v1/windows/w?view=live")
        self.assertEqual(window["final"], False)
        self.assertLessEqual(window["edges"], EDGES)
        self.assertGreater(window["edges"], 0)
        self.assertEqual(sum(window["cut"]["edges"].values()), EDGES)
        vertex = self.sashd.json("/api/v1/windows/w/vertices/v0?view=live&limit=10000")
        self.assertEqual(len(vertex["out"]), vertex["out_degree"])
        self.assertEqual(vertex["final"], False)
        self.assertEqual(self.sashctl("windows", "show", "w", "--live")["edges"], window["edges"])
        target = vertex["out"][0]["vertex"]
        path = self.sashctl("path", "w", "v0", target, "--live")
        self.assertEqual((path["final"], path["found"]), (False, True))
        self.assertEqual(self.sashd.get("/api/v1/windows/closed?view=live")[0], 422)
        self.assertEqual([each.get("live") for each in self.sashd.json("/api/v1/windows")],
                         [True, None])


if __name__ == "__main__":
    unittest.main()
