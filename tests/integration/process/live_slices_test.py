"""Slices of a live stream: the state when they cannot be written, and what the API refuses."""
import json
import pathlib
import tempfile
import unittest
import urllib.error
import urllib.request
from typing import Any

from sashd_process import PATIENCE_SECONDS, Sashd, await_that, live

WINDOWS = [{"name": "w", "length": "2s", "slide": "1s"},
           {"name": "v", "by": "events", "length": 2000, "slide": 1000}]


def remove(address: str) -> tuple[int, Any]:
    request = urllib.request.Request(address, method="DELETE")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, None
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


class LiveSlicesTest(unittest.TestCase):
    def document(self, path: str, limit: str) -> dict[str, Any]:
        return live(windows=WINDOWS, jobs=[{"name": "shape", "kernel": "window", "window": "v"}],
                    exports=[{"parquet": {"path": path, "slices": True, "limit": limit}}])

    def test_slices_that_do_not_fit_are_a_state_and_windows_go_on(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sash-slices-") as scratch:
            path = pathlib.Path(scratch, "slices")
            with Sashd(self.document(str(path), "64KiB")) as sashd:
                sashd.generate("--rate", "20000", "--scale", "16")
                self.assertTrue(await_that(
                    lambda: sashd.metric("sash_export_failing") == 1), sashd.log())
                status, _, body = sashd.get("/readyz")
                self.assertEqual(status, 503)
                self.assertIn("slices are not written: it does not fit into limit; nothing is "
                              "committed beyond them", body)
                self.assertGreater(sashd.metric("sash_export_waiting_slices"), 0)
                self.assertGreater(sashd.metric("sash_export_waiting_bytes"), 0)
                seen = len(sashd.lines())
                sashd.await_lines(seen + 5)
                self.assertIn("it is tried again every second, and committing stops", sashd.log())
                self.assertEqual(sashd.stop(), 0, sashd.log())
                self.assertIn("slices that have closed are not exported; a restart reads them "
                              "again", sashd.log())
            self.assertEqual([file.name for file in path.glob("*.new")], [])

    def test_the_last_window_by_event_time_stays(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sash-slices-") as scratch:
            path = pathlib.Path(scratch, "slices")
            with Sashd(self.document(str(path), "1GiB")) as sashd:
                sashd.generate("--rate", "500", "--scale", "5")
                self.assertTrue(await_that(
                    lambda: sashd.metric("sash_export_written_total") > 2), sashd.log())
                self.assertEqual(sashd.metric("sash_export_failing"), 0)
                status, said = remove(sashd.url("/api/v1/windows/w"))
                self.assertEqual((status, "the export of slices needs one" in
                                  said["error"]["message"]), (409, True), said)
                self.assertEqual(sashd.stop(), 0, sashd.log())
            self.assertEqual(len(list(path.glob("slice-*.json"))),
                             len(list(path.glob("slice-*.parquet"))))


if __name__ == "__main__":
    unittest.main()
