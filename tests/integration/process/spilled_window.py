"""A window whose edges lie in a file, its stream, and a control group that is too small for it.

Shared by the test of its results and by the measurement of its cost.
"""
import contextlib
import os
import pathlib
import subprocess
from typing import Any, Callable, Iterator

from sashd_process import CSV_FORMAT, program, replay

EDGES = 16_000_000
SECONDS = 100  # of event time, a slice each
JOBS = [{"name": "ranks", "kernel": "pagerank", "window": "w", "every": 50, "top": 1000},
        {"name": "reach", "kernel": "bfs", "window": "w", "every": 50, "top": 1000,
         "parameters": {"roots": [1]}},
        {"name": "each", "kernel": "bfs", "window": "w", "every": 50, "top": 100,
         "parameters": {"roots": [1, 2, 3], "separate": True}}]


def produce(events: pathlib.Path) -> None:
    subprocess.run([program("SASH_GENERATE", "generate/sash-generate"), "--edges", str(EDGES),
                    "--graph", "uniform", "--scale", "15", "--keys", "integer", "--format", "csv",
                    "--event-rate", str(EDGES // SECONDS), "--to", events], check=True)


def document(events: pathlib.Path, **memory: Any) -> dict[str, Any]:
    return replay(str(events), format={**CSV_FORMAT, "keys": "integer"},
                  time={"unit": "ms", "disorder": "0s"}, jobs=JOBS, memory=memory,
                  windows=[{"name": "w", "length": f"{SECONDS}s", "slide": "1s"}])


@contextlib.contextmanager
def control_group(limit: int) -> Iterator[pathlib.Path]:
    """A new group, whose processes hold at most `limit` bytes, including pages of files. An OSError
    when groups cannot be created here."""
    name = f"sash-spill-{os.getpid()}"
    first = pathlib.Path("/sys/fs/cgroup/memory")  # of version 1
    group = (first if first.is_dir() else pathlib.Path("/sys/fs/cgroup")) / name
    try:
        group.mkdir()
        (group / ("memory.limit_in_bytes" if first.is_dir()
                  else "memory.max")).write_text(str(limit))
        yield group
    finally:
        if group.is_dir():
            group.rmdir()


def join(group: pathlib.Path | None) -> Callable[[], None]:
    """Called in the process before it becomes sashd: it joins the group, if there is one."""
    def enter() -> None:
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))
    return enter
