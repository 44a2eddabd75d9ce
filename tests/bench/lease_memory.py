#!/usr/bin/env python3
"""What a reader's memory holds of a frozen snapshot, over a lease and mapped on the same host.

A real `sashd` replays random pairs into one window and freezes it. A new Python process opens the
snapshot, reads every array, and makes matrices of both directions. The kernel reports
what it holds: pages of files, which the snapshot is, and pages of its own, which a copy would be.
The exit code is 1 when its own pages have grown by a tenth of the snapshot, or a matrix has other
arrays.
SASHD names the program, or it is that of the release preset.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/integration/process"), str(ROOT / "connectors/python")]
import numpy  # noqa: E402
import scipy.sparse  # noqa: E402,F401  # loaded before anything is measured

import sash  # noqa: E402
from sashd_process import Sashd, await_that, replay  # noqa: E402

MOST_OWN = 0.1  # of the bytes of the snapshot


def resident() -> dict[str, int]:
    """Bytes by kind: own pages, and pages of files (on disk or in shared memory)."""
    kinds = {"RssAnon": 0, "RssFile": 0, "RssShmem": 0}
    for line in pathlib.Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(":")
        if name in kinds:
            kinds[name] = int(value.split()[0]) * 1024
    return {"own": kinds["RssAnon"], "mapped": kinds["RssFile"] + kinds["RssShmem"]}


def arrays_of(snapshot: sash.Snapshot) -> list[numpy.ndarray]:
    return [array for side in (snapshot.out, snapshot.in_)
            for array in (side.indptr, side.indices, side.weights)]


def read(url: str, lease: bool) -> dict[str, Any]:
    """In a process of its own: what opening, reading and `to_scipy()` add."""
    window = sash.connect(url).window("w")
    window.status()  # so that what HTTP needs is loaded
    before = resident()
    steps = {}
    with window.snapshot(lease=lease, progress=False if lease else None) as snapshot:
        arrays = arrays_of(snapshot)
        steps["opened"] = resident()
        total = sum(float(array.sum()) for array in arrays)
        steps["read"] = resident()
        matrices = [side.to_scipy() for side in (snapshot.out, snapshot.in_)]
        shared = all(numpy.shares_memory(mine, theirs) for mine, theirs in zip(
            arrays, [array for matrix in matrices
                     for array in (matrix.indptr, matrix.indices, matrix.data)]))
        steps["matrices"] = resident()
        size = sum(array.nbytes for array in arrays)
    return {"bytes": size, "shared": shared, "total": total,
            "steps": {step: {kind: now[kind] - before[kind] for kind in now}
                      for step, now in steps.items()}}


def records(edges: int) -> bytes:
    chance = random.Random(1)
    most = max(edges // 8, 2)
    return "".join(f"{chance.randrange(most)},{chance.randrange(most)},{i * 1000 // edges}\n"
                   for i in range(edges)).encode()


def measure(edges: int) -> int:
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="sash-lease-", dir="/dev/shm") as folder:
        document = replay(
            format={"csv": {"source": 1, "target": 2, "time": 3},
                    "keys": "integer"},
            windows=[{"name": "w", "length": "10s", "slide": "10s"}],
            http={"listen": "127.0.0.1:0"},
            jobs=[{"name": "shape", "kernel": "window", "window": "w"}],
            exports=[{"frozen": {"path": f"{folder}/snapshots", "windows": ["w"]}}])
        document["source"]["replay"]["at_end"] = "stay"
        with Sashd(document, records(edges)) as sashd:
            written = pathlib.Path(folder, "snapshots/w")
            if not await_that(lambda: list(written.glob("*/snapshot.json")), 300):
                raise AssertionError(sashd.log())
            for way in ("lease", "mapped"):
                done = subprocess.run(
                    [sys.executable, __file__, "--read", sashd.url(""), "--way", way],
                    stdout=subprocess.PIPE, check=True)
                found = json.loads(done.stdout)
                wrong += show(way, found)
    return 1 if wrong else 0


def show(way: str, found: dict[str, Any]) -> bool:
    """Whether the reader has a second copy."""
    size = found["bytes"]
    for step, grown in found["steps"].items():
        print(f"{way:8} {step:9} arrays {size / 2**20:7.1f} MiB   "
              f"mapped {grown['mapped'] / size:5.2f}   own {grown['own'] / size:5.2f} x the arrays")
    copies = found["steps"]["matrices"]["own"] > MOST_OWN * size
    if copies or not found["shared"]:
        print(f"{way}: the reader has a copy")
    return copies or not found["shared"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    parser.add_argument("--way", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(read(options.read, options.way == "lease")))
        return 0
    return measure(options.edges)


if __name__ == "__main__":
    sys.exit(main())
