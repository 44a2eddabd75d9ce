"""`sashctl` as a program: on pipes, and on a terminal of its own."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import unittest
from typing import Any

from sashd_process import PATIENCE_SECONDS, Sashd, await_that, program

RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w", "top": 5, "keep_results": 100,
         "overrun": {"queue": 100}}
OK, REFUSED, USAGE, UNREACHABLE = 0, 1, 2, 3


def sashctl(*words: str, url: str = "", stdin: str = "", **environment: str
            ) -> subprocess.CompletedProcess:
    """Output is bytes, so that unchanged bytes can be checked."""
    return subprocess.run([program("SASHCTL", "control/sashctl"), *words], input=stdin.encode(),
                          capture_output=True, check=False, timeout=PATIENCE_SECONDS,
                          env={"PATH": "/usr/bin:/bin", "SASHCTL_URL": url, **environment})


class Screen:
    """sashctl on its own terminal."""

    def __init__(self, *words: str, columns: int = 100, rows: int = 30, **environment: str) -> None:
        self.text = ""
        self._master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(slave)
        self._slave = slave  # kept, to check its final state
        self.process = subprocess.Popen(
            [program("SASHCTL", "control/sashctl"), *words], stdin=slave, stdout=slave,
            stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={"PATH": "/usr/bin:/bin", "TERM": "xterm", **environment})

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._slave)
        os.close(self._master)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def take(self) -> str:
        """The output so far."""
        while select.select([self._master], [], [], 0.02)[0]:
            self.text += os.read(self._master, 1 << 16).decode()
        return self.text

    def drawings(self) -> list[str]:
        """Whole screens, without control sequences that move the cursor."""
        whole = re.findall(r"\x1b\[H(.*?)\x1b\[J", self.take(), re.DOTALL)
        return [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", drawing) for drawing in whole]

    def await_drawing(self, pattern: str, since: int = 0) -> str:
        """The newest drawing that matches, from number `since` on."""
        found = await_that(lambda: next((each for each in reversed(self.drawings()[since:])
                                         if re.search(pattern, each)), None))
        assert found, f"no {pattern!r} on the screen:\n{self.text!r}"
        return found

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self) -> int:
        def ended() -> bool:
            self.take()
            return self.process.poll() is not None
        assert await_that(ended), f"it goes on:\n{self.text!r}"
        self.take()
        return self.process.returncode

    def mode(self) -> list[Any]:
        return termios.tcgetattr(self._slave)


class SashctlCase(unittest.TestCase):
    sashd: Sashd

    def ask(self, *words: str, code: int = OK, **more: str) -> str:
        done = sashctl(*words, url=self.sashd.url(""), **more)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stderr.decode() != "", code != OK, done)
        return (done.stdout if code == OK else done.stderr).decode()

    def screen(self, *words: str, **more: Any) -> Screen:
        screen = Screen(*words, SASHCTL_URL=self.sashd.url(""), **more)
        self.addCleanup(screen.__exit__)
        return screen

    def await_results(self, job: str, count: int) -> None:
        path = f"/api/v1/jobs/{job}/results"
        self.assertTrue(await_that(lambda: len(self.sashd.json(path)) >= count), self.sashd.log())
