"""Waits for shards: says which one is behind, and ends on a signal."""
from __future__ import annotations

import signal
import threading
import time
from typing import Callable, Optional

from sash_spark.progress import say

_PATIENCE_SECONDS = 5.0  # shards close the same pane at slightly different times
_AGAIN_SECONDS = 30.0  # a shard that catches up changes each second


class Waiting:
    """Says what is waited for after some seconds: once, and again when it has changed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic,
                 says: Callable[[str], None] = say) -> None:
        self._clock, self._says = clock, says
        self._since: Optional[float] = None
        self._said: Optional[str] = None
        self._said_at = 0.0

    def note(self, text: Optional[str]) -> None:
        """Called at each poll. `text` None: nothing is waited for but time."""
        now = self._clock()
        if text is None:
            self._since = self._said = None
            return
        if self._since is None:
            self._since = now
        is_new = self._said is None or (text != self._said
                                        and now - self._said_at >= _AGAIN_SECONDS)
        if is_new and now - self._since >= _PATIENCE_SECONDS:
            self._said, self._said_at = text, now
            self._says(text)


class Ending:
    """SIGTERM and SIGINT ask for the end; so does ask(), also from other threads."""

    def __init__(self) -> None:
        self._asked = threading.Event()

    def catch_signals(self) -> None:
        """Called again after Spark has begun, because Spark catches SIGINT itself."""
        if threading.current_thread() is threading.main_thread():
            for each in (signal.SIGTERM, signal.SIGINT):
                signal.signal(each, lambda *_: self.ask())

    def ask(self) -> None:
        self._asked.set()

    def is_asked(self) -> bool:
        return self._asked.is_set()

    def wait(self, seconds: float) -> None:
        self._asked.wait(seconds)
