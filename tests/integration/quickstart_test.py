"""deploy/quickstart.sh: the demo responds, Ctrl-C ends all of it, and it can be run again."""
import ctypes
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from typing import Any

from sashd_replay import ROOT

URL = "http://127.0.0.1:9640"
PORT = 9640
ANSWER_SECONDS = 60
STOP_SECONDS = 40
_PR_SET_CHILD_SUBREAPER = 36


def port_is_taken() -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", PORT)) == 0


def get(path: str) -> Any:
    """The JSON of the response; None while there is none."""
    try:
        with urllib.request.urlopen(URL + path, timeout=5) as answer:
            return json.load(answer)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return None


class Demo:
    """One run of the script, called from another directory, in its own session."""

    def __init__(self) -> None:
        self._log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [ROOT / "deploy/quickstart.sh", "--no-build"], cwd="/", stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True)

    def __enter__(self) -> "Demo":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._log.close()

    def wait_for(self, path: str, has_come: Any) -> Any:
        """The response, once it is as wanted; None when the demo ended or it took too long."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while self.process.poll() is None and time.monotonic() < deadline:
            answer = get(path)
            if answer is not None and has_come(answer):
                return answer
            time.sleep(0.2)
        return None

    def press_ctrl_c(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(STOP_SECONDS)

    def output(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-4000:]


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        if port_is_taken():
            self.skipTest(f"port {PORT} is taken")

    def test_it_answers_and_stops_twice_in_a_row(self):
        # Processes that the script leaves behind become children of this process, and are found
        # below.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        for _ in range(2):
            with Demo() as demo:
                ranks = demo.wait_for("/api/v1/jobs/influencers/results/latest?top=5",
                                      lambda answer: answer.get("top"))
                self.assertIsNotNone(ranks, demo.output())
                self.assertEqual(len(ranks["top"]), 5)
                reach = demo.wait_for("/api/v1/jobs/reach/results/latest",
                                      lambda answer: answer.get("reached", 0) > 1)
                self.assertIsNotNone(reach, demo.output())
                self.assertEqual(demo.press_ctrl_c(), 0, demo.output())
            self.assertFalse(port_is_taken(), "sashd is still there")
            with self.assertRaises(ChildProcessError, msg="a process was left behind"):
                os.waitpid(-1, os.WNOHANG)

    def test_it_says_that_the_port_is_taken(self):
        with socket.create_server(("127.0.0.1", PORT)), Demo() as demo:
            self.assertNotEqual(demo.process.wait(ANSWER_SECONDS), 0)
            self.assertIn(f"port {PORT} is taken", demo.output())


if __name__ == "__main__":
    unittest.main()
