#!/usr/bin/env python3
"""The speed of the Parquet writer, beside pyarrow's on the same table, in turns.

Both write to shared memory in one thread, from columns (pyarrow) or rows (Sash) in memory, with
zstd. The program is that of the release preset, or named by SASH_PARQUET_TABLE. Needs pyarrow.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SASH_PARQUET_TABLE") or ROOT / "build/release/tests/bench/" \
    "sash_parquet_table"
RAW_BYTES = 24  # of a row: two ids and a weight
WAYS = {  # of pyarrow
    "pyarrow": {},
    "pyarrow_encoded": {  # as Sash does it
        "use_dictionary": False,
        "column_encoding": {"source": "DELTA_BINARY_PACKED", "target": "DELTA_BINARY_PACKED",
                            "weight": "PLAIN"}},
}


def by_sash(folder: pathlib.Path, edges: int, weights: str) -> tuple[float, int]:
    (folder / "edges.parquet").unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, folder, str(edges), weights], stdout=subprocess.PIPE,
                          check=True)
    measured = json.loads(done.stdout)
    return measured["seconds"], measured["bytes"]


def by_pyarrow(table: pyarrow.Table, folder: pathlib.Path, **way: object) -> tuple[float, int]:
    path = folder / "other.parquet"
    begun = time.monotonic()
    pyarrow.parquet.write_table(table, path, compression="zstd", compression_level=1,
                                write_page_checksum=True, **way)
    return time.monotonic() - begun, path.stat().st_size


def measure(edges: int, repetitions: int, weights: str) -> dict[str, list[tuple[float, int]]]:
    """Seconds and bytes of every repetition, for each writer."""
    taken: dict[str, list[tuple[float, int]]] = {"sash": [], **{way: [] for way in WAYS}}
    with tempfile.TemporaryDirectory(prefix="sash-parquet-", dir="/dev/shm") as scratch:
        folder = pathlib.Path(scratch)
        for _ in range(repetitions):
            taken["sash"].append(by_sash(folder, edges, weights))
            table = pyarrow.parquet.read_table(folder / "edges.parquet").combine_chunks()
            for way, options in WAYS.items():
                taken[way].append(by_pyarrow(table, folder, **options))
    return taken


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--edges", type=int, default=1 << 23)
    arguments.add_argument("--repetitions", type=int, default=5)
    arguments.add_argument("--json", type=pathlib.Path, metavar="FILE")
    given = arguments.parse_args()
    rows = []
    for weights in ("amounts", "counts"):
        taken = measure(given.edges, given.repetitions, weights)
        for writer, runs in taken.items():
            rates = [given.edges / seconds * 1e-6 for seconds, _ in runs]
            median = statistics.median(rates)
            ratios = [other[0] / own[0] for own, other in zip(taken["sash"], runs)]
            rows.append({"name": f"parquet_{weights}_{writer}", "value": median,
                         "unit": "M edges/s", "spread": (max(rates) - min(rates)) / median,
                         "ratio": None if writer == "sash" else statistics.median(ratios)})
            print(f"{weights:8} {writer:16} {median:6.1f} M edges/s "
                  f"{median * RAW_BYTES:6.0f} MB/s {runs[0][1] / given.edges:5.2f} bytes an edge, "
                  f"{statistics.median(ratios):.2f} times the seconds of sash", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
