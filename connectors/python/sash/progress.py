"""How far a download is: a bar on a terminal, or calls of a function."""
from __future__ import annotations

import shutil
import sys
import time
from typing import Callable, Optional, TextIO, Union

Tell = Callable[[int, int], None]
Progress = Union[None, bool, Tell]

_UNITS = ("B", "kB", "MB", "GB", "TB")
_BETWEEN = 0.1  # seconds


def teller(progress: Progress, title: str) -> Tell:
    """What is called with the bytes that are there, and all bytes.

    `progress`: True, a bar on standard error; None, a bar if that is a terminal; False, nothing; or
    a function of the caller.
    """
    if callable(progress):
        return progress
    if progress or (progress is None and sys.stderr is not None and sys.stderr.isatty()):
        return Bar(title, sys.stderr)
    return lambda done, total: None


class Bar:
    """One line of a terminal, which is written again at most ten times a second."""

    def __init__(self, title: str, terminal: TextIO) -> None:
        self._title = title
        self._terminal = terminal
        self._begin = time.monotonic()
        self._first: Optional[int] = None  # bytes that were there before
        self._shown = 0.0
        self._is_open = False  # whether the line has no end yet

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = done
        if done < total and now - self._shown < _BETWEEN:
            return
        self._shown = now
        text = self._text(done, total, now - self._begin)
        self._terminal.write("\r" + text)
        self._terminal.flush()
        self._is_open = True

    def end(self) -> None:
        """Ends the line, also of a download that has failed."""
        if self._is_open:
            self._terminal.write("\n")
            self._terminal.flush()

    def _text(self, done: int, total: int, seconds: float) -> str:
        share = done / total if total else 1.0
        speed = (done - (self._first or 0)) / seconds if seconds > 0 else 0.0
        words = f" {share:4.0%} of {_bytes(total)}, {_bytes(speed)}/s  "
        room = shutil.get_terminal_size().columns - len(self._title) - len(words) - 4
        width = max(0, min(room, 40))
        bar = f" [{'#' * int(share * width):{width}}]" if width else ""
        return self._title + bar + words


def _bytes(count: float) -> str:
    at = 0
    while count >= 999.5 and at < len(_UNITS) - 1:
        count /= 1000
        at += 1
    return f"{count:.0f} {_UNITS[at]}" if at == 0 or count >= 99.5 else f"{count:.3g} {_UNITS[at]}"
