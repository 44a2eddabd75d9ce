"""Replays of generated rows whose input stays open, so that their process can be queried; and the
peak memory of a process.
"""
import pathlib
import random
import re
import subprocess
import threading
from typing import Any, Iterator

from sashd_process import CSV_FORMAT, Sashd, replay

MEBIBYTE = 1 << 20
ROWS_A_SECOND = 20_000  # of event time
RANKS = {"name": "ranks", "kernel": "pagerank", "window": "w",
         "parameters": {"max_iterations": 3}, "every": 20}


def rows(count: int, vertices: int = 50_000) -> Iterator[bytes]:
    """CSV in blocks."""
    chance = random.Random(1)
    yield b"source,target,time\n"
    for begin in range(0, count, 20_000):
        rows_here = range(begin, min(begin + 20_000, count))
        sources, targets = (chance.choices(range(vertices), k=len(rows_here)) for _ in "st")
        yield "".join(f"v{source},v{target},{1767225600000 + i * 1000 // ROWS_A_SECOND}\n"
                      for i, source, target in zip(rows_here, sources, targets)).encode()


def varied_rows(count: int, hub: bool = False, removals: bool = True, weighted: bool = False,
                vertices: int = 50_000, rate: int = ROWS_A_SECOND) -> Iterator[bytes]:
    """A fifth of these repeat an edge, and one in fifty removes one; with a hub, half belong to the
    hub."""
    chance = random.Random(2)
    recent = [("v0", "v1")]
    yield b"source,target,weight,operation,time\n"
    for begin in range(0, count, 20_000):
        lines = []
        for i in range(begin, min(begin + 20_000, count)):
            draw = chance.random()
            if draw < 0.22:
                source, target = recent[chance.randrange(len(recent))]
            elif hub and draw < 0.6:
                source, target = "hub", f"v{chance.randrange(vertices)}"
            else:
                source, target = f"v{chance.randrange(vertices)}", f"v{chance.randrange(vertices)}"
                recent.append((source, target))
            operation = "remove" if removals and draw < 0.02 else "add"
            weight = chance.randrange(2, 100) if weighted else 1
            lines.append(f"{source},{target},{weight},{operation},"
                         f"{1767225600000 + i * 1000 // rate}\n")
        yield "".join(lines).encode()


def document(length: str, implementation: str = "multiversioned", **more: Any) -> dict[str, Any]:
    window = {"name": "w", "length": length, "slide": "1s", "implementation": implementation}
    return replay(**{"format": CSV_FORMAT, "time": {"unit": "ms", "disorder": "0s"},
                     "windows": [window], "jobs": [RANKS], **more})


class HeldReplay(Sashd):
    """Reads `count` rows from a standard input that stays open."""

    def __init__(self, count: int, config: dict[str, Any],
                 content: Iterator[bytes] | None = None, **options: Any) -> None:
        config["source"]["replay"]["path"] = "-"
        config["http"] = {"listen": "127.0.0.1:0"}
        super().__init__(config, stdin=subprocess.PIPE, **options)
        self._count = count
        self._content = rows(count) if content is None else content

    def __enter__(self) -> "HeldReplay":
        super().__enter__()
        self._feeder = threading.Thread(target=self._feed)
        self._feeder.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self._feeder.join()
        super().__exit__()

    def _feed(self) -> None:
        try:
            for block in self._content:
                self.process.stdin.write(block)
                self.process.stdin.flush()
        except OSError:  # the process has ended
            pass

    def is_calm(self) -> bool:
        return (self.metric("sash_engine_events_accepted_total") == self._count
                and self.metric("sash_buffer_bytes") == 0
                and self.metric("sash_job_running") + self.metric("sash_job_waiting") == 0)

    def parts(self) -> dict[str, float]:
        return {part: float(value) for part, value in re.findall(
            r'^sash_memory_bytes\{part="(\w+)"\} (\S+)$', self.get("/metrics")[2], re.MULTILINE)}


class PeakUse:
    """The peak of a process's own memory, while it runs."""

    def __init__(self, sashd: Sashd) -> None:
        self._status = pathlib.Path(f"/proc/{sashd.process.pid}/status")
        self.bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "PeakUse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.005):
            try:
                found = re.search(r"RssAnon:\s+(\d+) kB", self._status.read_text())
            except (FileNotFoundError, ProcessLookupError):
                return
            self.bytes = max(self.bytes, int(found[1]) * 1024 if found else 0)
