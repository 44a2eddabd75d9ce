#!/usr/bin/env python3
"""What a shard takes for each record, and Spark for each edge and iteration: the rates of
deploy/sizing.md, and how well its model predicts runs of 2 and 4 processes.

  shards  a topic of a real broker, read by 1, 2 and 4 shards at once: processor time, memory and
          bytes of slices for each record
  spark   PageRank on windows of several sizes with `sash-spark`, on 1, 2 and 4 threads

The programs are those of the release preset, or named by SASHD and SASH_GENERATE.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration/process"))
sys.path.insert(0, str(ROOT / "tests/integration/kafka"))
from kafka_broker import KafkaBroker, free_ports  # noqa: E402
from sashd_process import JSON_FORMAT, Sashd, await_that, program  # noqa: E402

PARTITIONS = 8
PROCESSES = (1, 2, 4)
PATIENCE_SECONDS = 600
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_mebibytes(pid: int) -> float:
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def shard_document(address: str, folder: pathlib.Path, shard: int, of: int) -> dict[str, Any]:
    return {"source": {"kafka": {"brokers": address, "topics": ["edges"],
                                 "group": f"of-{of}-{folder.parent.name}",
                                 "partitions": {"shard": shard, "of": of}},
                       "format": JSON_FORMAT, "time": {"unit": "ms", "disorder": "1s"}},
            "windows": [{"name": "w", "length": "1m", "slide": "1s"}],
            "jobs": [{"name": "shape", "kernel": "window", "window": "w"}],
            "exports": [{"parquet": {"path": str(folder), "slices": True, "keep": "7300d",
                                     "limit": "100GiB"}}],
            "http": {"listen": f"127.0.0.1:{free_ports(1)[0]}"}}


def read_by(address: str, of: int, records: int) -> dict[str, float]:
    """All records, read by `of` shards at once."""
    with tempfile.TemporaryDirectory(prefix="sash-shards-") as scratch:
        folder = pathlib.Path(scratch, "slices")
        begun = time.monotonic()
        shards = [Sashd(shard_document(address, folder, shard, of)) for shard in range(1, of + 1)]
        try:
            for shard in shards:
                shard.__enter__()

            def are_read() -> bool:
                return sum(shard.metric("sash_source_records_total") for shard in shards) >= records
            if not await_that(are_read, PATIENCE_SECONDS):
                raise AssertionError("\n".join(shard.log() for shard in shards))
            seconds = time.monotonic() - begun
            pids = [shard.process.pid for shard in shards]
            spent = [processor_seconds(pid) for pid in pids]
            peak = [peak_mebibytes(pid) for pid in pids]
            rows = sum(json.loads(text.read_text())["file"]["rows"]
                       for text in folder.rglob("slice-*.json"))
            size = sum(table.stat().st_size for table in folder.rglob("slice-*.parquet"))
        finally:
            for shard in shards:
                shard.__exit__(None, None, None)
    return {"seconds": seconds, "processor": sum(spent), "greatest": max(spent),
            "peak": max(peak), "bytes": size / max(rows, 1)}


def shards(given: argparse.Namespace) -> None:
    with KafkaBroker() as broker:
        broker.create_topic("edges", PARTITIONS)
        subprocess.run(
            [program("SASH_GENERATE", "generate/sash-generate"), "--to", "kafka", "--brokers",
             broker.address, "--topic", "edges", "--edges", str(given.records), "--event-rate",
             str(given.records / 20), "--scale", "18"], check=True)
        cost = None
        for of in PROCESSES:
            runs = [read_by(broker.address, of, given.records) for _ in range(given.repetitions)]
            run = min(runs, key=lambda each: each["processor"])
            micros = run["processor"] / given.records * 1e6
            cost = cost or micros
            print(f"{of} shards: {given.records / run['seconds'] / 1e6:6.2f} M records/s together, "
                  f"{micros:6.2f} us of a core a record ({micros / cost:.2f} times one shard), the "
                  f"busiest shard {run['greatest'] / run['processor'] * of:.2f} of its part, "
                  f"{run['bytes']:5.1f} bytes an edge in slices, at most {run['peak']:.0f} MiB")


def exported(folder: pathlib.Path, edges: int) -> pathlib.Path:
    """The snapshot of a window of so many edges."""
    folder.mkdir()
    subprocess.run([program("SASH_GENERATE", "generate/sash-generate"), "--edges", str(edges),
                    "--scale", "18", "--event-rate", str(edges / 10), "--format", "csv", "--to",
                    str(folder / "edges.csv")], check=True)
    (folder / "sashd.yaml").write_text(json.dumps({
        "source": {"replay": {"path": "edges.csv"},
                   "format": {"csv": {"source": "source", "target": "target", "time": "time"}},
                   "time": {"unit": "ms", "disorder": "0s"}},
        "windows": [{"name": "w", "length": "10s", "slide": "10s"}],
        "jobs": [{"name": "ranks", "kernel": "pagerank", "window": "w", "top": 3,
                  "parameters": {"tolerance": 1e-12, "max_iterations": 50}}],
        "sinks": [{"file": {"path": "results.jsonl"}}],
        "exports": [{"parquet": {"path": "export", "windows": ["w"], "keep": 1}}],
        "http": "off"}))
    subprocess.run([program("SASHD", "sashd"), "--config", "sashd.yaml"], cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
    return folder / "export" / "w"


# Runs sash-spark, and prints when each iteration began.
TIMED = """
import sys, time
import sash_spark.command, sash_spark.progress
begun = []
of_iteration = sash_spark.progress.Progress.iteration
def timed(self, number, residual=None):
    begun.append(time.monotonic())
    of_iteration(self, number, residual)
sash_spark.progress.Progress.iteration = timed
sash_spark.command.main(sys.argv[1:])
print("begun", *begun)
"""


def iteration_seconds(folder: pathlib.Path, snapshot: pathlib.Path, threads: int) -> float:
    """The median of the iterations of PageRank but the first two, in which Java warms up."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "connectors/spark"),
                   "PYSPARK_PYTHON": sys.executable,
                   "PYSPARK_SUBMIT_ARGS": f"--master local[{threads}] --driver-memory 2g "
                                          "pyspark-shell"}
    done = subprocess.run(
        [sys.executable, "-c", TIMED, "--snapshot", str(snapshot), "--config",
         str(folder / "sashd.yaml"), "--blocks", str(threads)],
        env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    begun = re.search(r"^begun (.*)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not begun:
        raise AssertionError(done.stderr[-3000:])
    times = [float(each) for each in begun[1].split()]
    return statistics.median(later - one for one, later in zip(times[2:], times[3:]))


def spark(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="sash-sizing-") as scratch:
        for edges in given.edges:
            folder = pathlib.Path(scratch, str(edges))
            snapshot = exported(folder, edges)
            for threads in given.threads:
                seconds = iteration_seconds(folder, snapshot, threads)
                print(f"{edges / 1e6:5.1f} M edges, {threads} threads and blocks: "
                      f"{seconds:6.3f} s an iteration", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["shards", "spark"], default=["shards", "spark"])
    parser.add_argument("--records", type=int, default=4_000_000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--edges", type=int, nargs="+", default=[1_000_000, 4_000_000])
    parser.add_argument("--threads", type=int, nargs="+", default=list(PROCESSES))
    given = parser.parse_args()
    for what in given.what:
        {"shards": shards, "spark": spark}[what](given)


if __name__ == "__main__":
    main()
