"""Which job and iteration runs: on standard error, and in Spark's own pages."""
from __future__ import annotations

import sys
import time
from typing import Any, Optional


def say(text: str) -> None:
    """A line on standard error."""
    print(f"sash-spark: {text}", file=sys.stderr, flush=True)


class Progress:
    """The progress of one run. Iterations are said at most once a second; Spark shows each."""

    def __init__(self, context: Any, job: str, kernel: str, window: str) -> None:
        self._context = context
        self._name = f"{job} ({kernel} over {window})"
        self._job = job
        self._said = time.monotonic()
        self.step("begins")

    def step(self, what: str) -> None:
        """What runs from now on, besides iterations."""
        self._context.setJobDescription(f"{self._name}: {what}")

    def iteration(self, number: int, residual: Optional[float] = None) -> None:
        """Before an iteration; `residual` is that of the last one, so the first one has none."""
        self.step(f"iteration {number}")
        if time.monotonic() - self._said >= 1:
            self._said = time.monotonic()
            known = "" if residual is None or number == 1 else f", residual {residual:.3g}"
            say(f"{self._job}: iteration {number}{known}")
