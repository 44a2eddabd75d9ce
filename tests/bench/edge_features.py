#!/usr/bin/env python3
"""Compares a job `edge_features` with the GraphFeaturePreprocessor of snapml on equal transactions.

  edge_features.py SASHD [--transactions N] [--accounts N] [--per-slice N] [--window SLICES]
                   [--repetitions N] [--threads N] [--without PART...]

Needs snapml 1.17, numpy and PyYAML. The transactions have the shape of IBM's AML data, from a seed:
few accounts make most of them, most go to usual partners, amounts are log-normal with two digits
behind the point; circles, scatter-gather patterns and fans are planted. Times are rounded to
slices, and a slice is one call of transform(). Both have the same window and the same features.

transform() takes a slice in batches of about a hundred, and an answer does not see the batches that
follow; so compare the answers with --per-slice 100.
"""
import argparse
import csv
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy
import yaml

SLICE_SECONDS = 3600
STATISTICS = {"fan": 0, "degree": 1, "mean": 3, "sum": 4, "min": 5, "max": 6, "variance": 8}
SIZES = list(range(2, 41))  # of scatter-gather patterns, in bins of one
LONGEST = 5
Table = list[tuple[int, int, int, float]]  # slice, source, target, amount


def transactions(count: int, accounts: int, per_slice: int, seed: int) -> Table:
    chance = random.Random(seed)
    popular = numpy.random.default_rng(seed).pareto(1.3, accounts) + 0.05
    steps = numpy.cumsum(popular)

    def some(size: int) -> list[int]:
        drawn = [chance.random() * steps[-1] for _ in range(size)]
        return numpy.searchsorted(steps, drawn).tolist()

    partners: dict[int, list[int]] = {}
    rows: Table = []
    while len(rows) < count:
        at = len(rows) // per_slice
        pairs = _planted(chance, accounts)
        for source, other in zip(some(per_slice - len(pairs)), some(per_slice - len(pairs))):
            usual = partners.setdefault(source, [])
            if not usual or chance.random() < 0.3:
                usual.append(other)
            pairs.append((source, chance.choice(usual)))
        chance.shuffle(pairs)
        rows += [(at, source, target if target != source else (target + 1) % accounts,
                  round(chance.lognormvariate(5, 2), 2)) for source, target in pairs]
    return rows[:count]


def _planted(chance: random.Random, accounts: int) -> list[tuple[int, int]]:
    """The planted pairs of a slice: circles, scatter-gather patterns, and a fan."""
    pairs = []
    for length in (2, 3, 3, 4, 5):
        ring = chance.sample(range(accounts), length)
        pairs += list(zip(ring, ring[1:] + ring[:1]))
    for between in (3, 6, 12):
        first, last, *middle = chance.sample(range(accounts), between + 2)
        pairs += [pair for each in middle for pair in ((first, each), (each, last))]
    hub, *others = chance.sample(range(accounts), 21)
    return pairs + [(other, hub) for other in others]


def run_sashd(program: str, rows: Table, given: argparse.Namespace, folder: pathlib.Path,
              features: bool) -> tuple[float, float, list[dict[str, Any]]]:
    """Seconds, seconds of processor time, results. Without features: only the window moves."""
    with open(folder / "transactions.csv", "w", newline="") as file:
        csv.writer(file).writerows([("source", "target", "amount", "time"), *(
            (source, target, amount, at * SLICE_SECONDS) for at, source, target, amount in rows)])
    window = {"name": "w", "length": f"{given.window}h", "slide": "1h", "duplicates": "keep"}
    job = {"name": "features", "kernel": "edge_features", "window": "w", "top": 1_000_000,
           "threads": given.threads,
           "parameters": {"max_length": 2 if "cycles" in given.without else LONGEST,
                          "min_intermediates": 2, "max_steps": 1_000_000_000}}
    shape = {"name": "shape", "kernel": "window", "window": "w"}
    (folder / "results.jsonl").unlink(missing_ok=True)
    (folder / "sash.yaml").write_text(yaml.safe_dump({
        "source": {"replay": {"path": "transactions.csv"},
                   "format": {"keys": "integer",
                              "csv": {"source": "source", "target": "target",
                                      "weight": "amount", "time": "time"}},
                   "time": {"unit": "s"}},
        "windows": [window], "jobs": [job if features else shape],
        "sinks": [{"file": {"path": "results.jsonl"}}], "http": "off"}))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run([program, "--config", "sash.yaml"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    results = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return seconds, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), results


def run_snapml(rows: Table, given: argparse.Namespace) -> tuple[float, float, list[Any]]:
    """Seconds and processor time of transform(), and what it returns for each slice."""
    from snapml import GraphFeaturePreprocessor

    span = given.window * SLICE_SECONDS
    found = GraphFeaturePreprocessor()
    found.set_params({
        "num_threads": given.threads, "time_window": span, "vertex_stats": True,
        "vertex_stats_tw": span, "vertex_stats_cols": [4],
        "vertex_stats_feats": list(STATISTICS.values()), "fan": False, "degree": False,
        "scatter-gather": "patterns" not in given.without, "scatter-gather_tw": span,
        "scatter-gather_bins": SIZES, "temp-cycle": False, "temp-cycle_tw": span,
        "lc-cycle": "cycles" not in given.without, "lc-cycle_tw": span, "lc-cycle_len": LONGEST,
        "lc-cycle_bins": list(range(2, LONGEST + 1)), "fan_tw": span, "degree_tw": span})
    table = numpy.array([(number, source, target, at * SLICE_SECONDS, amount)
                         for number, (at, source, target, amount) in enumerate(rows)], dtype=float)
    ends = numpy.flatnonzero(numpy.diff(table[:, 3], append=numpy.inf)) + 1
    answers = []
    before, begin = time.process_time(), time.perf_counter()
    for batch in numpy.split(table, ends[:-1]):
        answers.append(found.transform(batch))
    return time.perf_counter() - begin, time.process_time() - before, answers


class Agreement:
    """How many of the compared figures are equal, by their kind."""

    def __init__(self) -> None:
        self.equal: dict[str, list[bool]] = {}

    def add(self, kind: str, is_equal: bool) -> None:
        self.equal.setdefault(kind, []).append(bool(is_equal))

    def compare(self, row: dict[str, Any], other: numpy.ndarray, without: list[str],
                is_growing: bool) -> None:
        """`other`: the columns behind the transaction: patterns, then statistics. The statistics
        of snapml keep edges for one or two slices longer than its patterns; so they are compared
        only while the window grows."""
        at = 0
        if "patterns" not in without:
            sizes = [size for size, found in zip(SIZES, other) if found > 0]
            self.add("largest scatter-gather", max(sizes, default=0) == row["intermediates"])
            at = len(SIZES)
        if "cycles" not in without:
            for place, length in enumerate(range(2, LONGEST + 1)):
                self.add(f"cycles of {length}", other[at + place] == row[f"cycles_{length}"])
            at += LONGEST - 1
        for name in STATISTICS if is_growing else ():
            self.add(name, all(
                abs(other[at + edges * len(STATISTICS) + list(STATISTICS).index(name)] - value)
                <= 1e-6 * max(1, abs(value), row[f"{end}_max"] ** 2 if name == "variance" else 0)
                for edges, end in enumerate(("source_out", "source_in", "target_out", "target_in"))
                for value in [row[f"{end}_{name}"]]))


def agreement(results: list[dict[str, Any]], answers: list[Any],
              given: argparse.Namespace) -> Agreement:
    found = Agreement()
    for place, (result, answer) in enumerate(zip(results, answers)):
        first: dict[tuple[int, int], numpy.ndarray] = {}
        for line in answer:
            first.setdefault((int(line[1]), int(line[2])), line[5:])
        for row in result["top_features"]:
            found.compare(row, first[row["source"], row["target"]], given.without,
                          place < given.window)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("sashd")
    parser.add_argument("--transactions", type=int, default=60_000)
    parser.add_argument("--accounts", type=int, default=20_000)
    parser.add_argument("--per-slice", type=int, default=2_000)
    parser.add_argument("--window", type=int, default=12, help="slices")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", nargs="*", default=[], choices=["cycles", "patterns"])
    parser.add_argument("--no-snapml", action="store_true", help="sashd alone")
    given = parser.parse_args()
    given.sashd = str(pathlib.Path(given.sashd).resolve())
    rows = transactions(given.transactions, given.accounts, given.per_slice, given.seed)
    times: dict[str, list[tuple[float, float]]] = {}
    results: list[dict[str, Any]] = []
    answers: list[Any] = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(given.repetitions):
            *took, _ = run_sashd(given.sashd, rows, given, folder, features=False)
            times.setdefault("sashd, window alone", []).append(tuple(took))
            *took, results = run_sashd(given.sashd, rows, given, folder, features=True)
            times.setdefault("sashd, edge_features", []).append(tuple(took))
            if not given.no_snapml:
                *took, answers = run_snapml(rows, given)
                times.setdefault("snapml", []).append(tuple(took))
    for program, taken in times.items():
        wall, busy = (statistics.median(each) for each in zip(*taken))
        print(f"{program}: {len(rows) / wall:,.0f} transactions/s "
              f"({wall:.2f} s, {busy:.2f} s of processor time)")
    listed = sum(len(result["top_features"]) for result in results)
    print(f"{listed:,} of {len(rows):,} transactions are of a pair that entered")
    print(f"kernel: {sum(result['seconds'] for result in results):.2f} s")
    errors = {result["error"] for result in results if "error" in result}
    if errors:
        sys.exit(f"results with errors: {errors}")
    if answers:
        for kind, equal in agreement(results, answers, given).equal.items():
            print(f"equal: {kind}: {sum(equal):,} of {len(equal):,}")


if __name__ == "__main__":
    main()
