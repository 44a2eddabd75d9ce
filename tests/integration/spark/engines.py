"""Streams for sashd and Spark, and the comparison of their results: at the same number of
iterations, scores agree within 1e-6, and the rest exactly."""
import json
import os
import pathlib
import random
import shutil
import sys
import unittest
from typing import Any

HERE = pathlib.Path(__file__).resolve()
PACKAGE = HERE.parents[3] / "connectors" / "spark"
sys.path[:0] = [str(PACKAGE)]

# Members about the run of an engine, which differ between engines.
_OF_THE_RUN = {"seconds", "watermark", "snapshot", "iterations", "residual", "converged", "mode",
               "steps"}
_SCORES = ("score", "hub", "authority", "distance")
RELATIVE = 1e-6
TWINS = 2  # of the vertices, which have the same edges


def require_spark() -> None:
    """Skips the tests without Spark or Java."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise unittest.SkipTest("no Java; deploy/install-dependencies.sh --tests installs it")


def open_spark() -> Any:
    """One small session for all tests of the process."""
    from pyspark.sql import SparkSession
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return (SparkSession.builder.master("local[2]").appName("sash-spark tests")
            .config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.showConsoleProgress", "false")
            # Compiling pays only with more rows than the tests have.
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
            .config("spark.sql.codegen.wholeStage", "false")
            .getOrCreate())


def records(seed: int, keys: list[Any], weights: list[Any], count: int = 260) -> bytes:
    """JSON lines over 52 s: adds of all types, removals of edges and vertices. The first two keys
    are twins: each edge of one is an edge of the other."""
    chosen = random.Random(seed)
    lines = []
    for i in range(count):
        row = {"s": chosen.choice(keys[TWINS:]), "t": chosen.choice(keys[TWINS:]),
               "w": chosen.choice(weights), "k": chosen.choice(["", "x", "y"]),
               "op": "add", "ts": i // 5, "big": chosen.random() < 0.6}
        kind = chosen.random()
        if kind < 0.06:
            row["op"] = "remove"
            added = [line for line in lines if line["op"] == "add"]
            if added:
                row |= {end: chosen.choice(added)[end] for end in ("s", "k")}
        elif kind < 0.08:
            row["op"] = "remove_vertex"
        elif kind < 0.3:
            end = chosen.choice(["s", "t"])
            lines += [{**row, end: twin} for twin in keys[:TWINS]]
            continue
        lines.append(row)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def disturbed(lines: bytes, seed: int) -> bytes:
    """The records with a silence of 100 s, late ones, and ids of which some come again."""
    chosen = random.Random(seed)
    rows = [json.loads(line) for line in lines.splitlines()]
    for at, row in enumerate(rows):
        row["ts"] += (100 if at > len(rows) * 3 // 4 else 0) - chosen.choice([0] * 8 + [1, 30])
        row["ts"] = max(row["ts"], 0)
        row["id"] = str(at if chosen.random() < 0.9 else chosen.randrange(at + 1))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def document(keys: str, windows: list[dict[str, Any]], jobs: list[dict[str, Any]],
             exports: list[dict[str, Any]]) -> dict[str, Any]:
    """The configuration of a replay; `top` has the tops, `all.jsonl` everything."""
    return {"source": {"replay": {"path": "events"},
                       "format": {"keys": keys, "json": {
                           "source": "/s", "target": "/t", "weight": "/w", "type": "/k",
                           "time": "/ts", "operation": "/op"}},
                       "time": {"unit": "s", "disorder": "3s"}},
            "windows": [{"length": "20s", "slide": "10s", **window} for window in windows],
            "jobs": jobs,
            "sinks": [{"file": {"path": "all.jsonl", "vertices": "all"}},
                      {"file": {"path": "top.jsonl"}}],
            "exports": exports}


def read_results(path: pathlib.Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Results by job and window end."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        assert (result["job"], result["window_end"]) not in found, "a result is there twice"
        found[result["job"], result["window_end"]] = result
    return found


def read_files(folder: pathlib.Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Like read_results(), for --follow, which writes a file for each result."""
    lines = folder.parent / f"{folder.name}.jsonl"
    lines.write_text("".join(path.read_text(encoding="utf-8")
                             for path in sorted((folder / "results").glob("*.json"))),
                     encoding="utf-8")
    return read_results(lines)


def is_near(a: Any, b: Any) -> bool:
    return a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float))
                      and abs(a - b) <= RELATIVE * max(abs(a), abs(b)))


def differences(spark: dict[str, Any], sashd: dict[str, Any]) -> list[str]:
    """What the result of Spark has that sashd's has not, and the reverse; [] if they are equal."""
    wrong = []
    if list(spark) != list(sashd):
        wrong.append(f"members: {list(spark)} for {list(sashd)}")
    for name in sorted(set(spark) & set(sashd) - _OF_THE_RUN):
        if name == "top":
            wrong += [f"top: {each}" for each in _in_rows(spark[name], sashd[name])]
        elif name == "traversals":
            for ours, theirs in zip(spark[name], sashd[name], strict=True):
                wrong += differences(ours, theirs)
        elif name == "top_edges":
            wrong += _in_edges(spark[name], sashd[name])
        elif name == "top_features":
            wrong += _in_features(spark[name], sashd[name])
        elif not is_near(spark[name], sashd[name]):
            wrong.append(f"{name}: {str(spark[name])[:200]} for {str(sashd[name])[:200]}")
    return wrong


def _in_edges(spark: list[Any], sashd: list[Any]) -> list[str]:
    for ours, theirs in zip(spark, sashd):
        if {**ours, "weight": 0} != {**theirs, "weight": 0} or not is_near(
                ours["weight"], theirs["weight"]):
            return [f"top_edges: {ours} for {theirs}"]
    return [] if len(spark) == len(sashd) else [f"top_edges: {len(spark)} for {len(sashd)}"]


def _in_features(spark: list[Any], sashd: list[Any]) -> list[str]:
    for ours, theirs in zip(spark, sashd):
        if list(ours) != list(theirs) or not all(
                is_near(value, theirs[name]) for name, value in ours.items()):
            return [f"top_features: {ours} for {theirs}"]
    return [] if len(spark) == len(sashd) else [f"top_features: {len(spark)} for {len(sashd)}"]


def _in_rows(spark: list[dict[str, Any]], sashd: list[dict[str, Any]]) -> list[str]:
    if len(spark) != len(sashd):
        return [f"{len(spark)} rows for {len(sashd)}"]
    for ours, theirs in zip(spark, sashd):
        if list(ours) != list(theirs) or ours["rank"] != theirs["rank"]:
            return [f"{ours} for {theirs}"]
        for name, value in ours.items():
            # Vertices with scores that are close may have changed places.
            if name not in ("vertex", "parent") and not is_near(value, theirs[name]):
                return [f"{ours} for {theirs}"]
    known = {row.get("vertex"): row for row in sashd}
    for place, ours in enumerate(spark):
        theirs = known.get(ours.get("vertex"), ours)
        if ours.get("parent") != theirs.get("parent"):
            return [f"{ours} for {theirs}"]
        for name in _SCORES:
            if name in ours and not is_near(ours[name], theirs[name]):
                return [f"{ours} for {theirs}"]
        if ours.get("vertex") != sashd[place].get("vertex") and not any(
                isinstance(ours.get(name), float) for name in _SCORES):
            return [f"{ours} for {sashd[place]}"]
    return []


def twins_differ(result: dict[str, Any], twins: list[Any]) -> list[Any]:
    """The scores of twins in a list of everything, if they are not one."""
    found = [tuple(row.get(name) for name in _SCORES) for row in result.get("top", [])
             if row.get("vertex") in twins]
    return [] if len(set(found)) <= 1 else found
