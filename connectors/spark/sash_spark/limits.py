"""What the driver holds for each kernel, and the limit of it."""
from __future__ import annotations

import re

from sash_spark.configuration import JobSpec
from sash_spark.errors import InputError, JobRefused

# Bytes for each vertex: a vector of doubles takes 8, and as much again while a round's result is
# collected.
BYTES_PER_VERTEX = {
    "pagerank": 48, "hits": 56, "bfs": 32, "window": 0, "wcc": 48, "scc": 64, "sssp": 40,
    "triangles": 64, "lcc": 64, "cdlp": 40, "kcore": 48, "degree": 24, "strength": 64, "fanout": 40,
    "reciprocity": 48, "new_edges": 0, "vanished_edges": 0, "cycles": 0, "paths": 64,
    "edge_features": 0}
_UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


def parse_bytes(text: str) -> int:
    """`4GiB` in bytes. InputError: it is not a size."""
    match = re.fullmatch(r"(\d+)(|KiB|MiB|GiB|TiB)", text, re.ASCII)
    if not match:
        raise InputError(f"--driver-limit: `{text}` is not a size; give a whole number and one of "
                         "KiB, MiB, GiB, TiB, such as 4GiB")
    return int(match[1]) * _UNITS[match[2]]


def bytes_of(job: JobSpec) -> int:
    """What a run of the job holds on the driver, for each vertex."""
    amount = BYTES_PER_VERTEX[job.kernel]
    if job.kernel == "pagerank" and job.parameters["weighted"]:
        amount += 16
    if job.kernel == "paths" and job.parameters["by"] == "weight":
        amount += 16 * job.parameters["most"]
    if job.kernel == "bfs" and job.parameters["separate"]:
        amount += 4 * (len(job.parameters["roots"]) - 1)
    return amount


def check_limit(job: JobSpec, vertices: int, limit: int) -> None:
    """JobRefused: the window has too many vertices for the job."""
    amount = bytes_of(job)
    if amount * vertices > limit:
        raise JobRefused(
            f"{job.kernel} holds {amount} bytes on the driver for each vertex; the window has "
            f"{vertices:,} vertices, so {amount * vertices / 1e9:.1f} GB, and --driver-limit is "
            f"{limit / 1e9:.1f} GB, enough for {limit // amount:,} vertices; give a greater limit "
            "and Spark a driver with that memory (spark.driver.memory)")
