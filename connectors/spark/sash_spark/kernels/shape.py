"""The kernel `window`: pairs and total weight, and on demand every edge."""
from __future__ import annotations

from typing import Any

import numpy
from pyspark.sql import functions as F

from sash_spark.answer import Answer, Part, Run
from sash_spark.kernels.ranks import overflowed_edges


def window(run: Run) -> Answer:
    run.progress.step("counts pairs")
    edges = run.graph.edges
    weight = F.col("weight")
    if run.graph.has_integer_weights:
        exact = weight.cast("decimal(38,0)")  # of 10^18 edges
        found = edges.agg(F.sum(exact).alias("total")).first()["total"]
        total: Any = int(found or 0)
        total = total if -2**63 <= total < 2**63 else float(total)
        infinite = 0
    else:
        row = edges.agg(F.sum(weight).alias("total"),
                        F.count_if(F.abs(weight) == float("inf")).alias("infinite")).first()
        total, infinite = float(row["total"] or 0), row["infinite"]
    answer = Answer([])
    if infinite:
        answer.error = overflowed_edges(infinite, "the total weight has no value")
    elif not numpy.isfinite(total):
        answer.error = "the total weight is beyond the range of a double (1.8e308)"
    pairs = edges.select("source", "target").distinct().count()
    answer.parts = [Part({"pairs": pairs, "weight": None if answer.error else total})]
    if run.limit is None:
        answer.further["top_edges"] = _listing(run)
    return answer


def _listing(run: Run) -> list[dict[str, Any]]:
    """Every edge by source, target, type and weight; without a type first."""
    has_types = "type" in run.graph.edges.columns
    order = ["source", "target", *(["type"] if has_types else []), "weight"]
    rows = run.graph.edges.orderBy(*(F.asc_nulls_first(name) for name in order)).toArrow()
    keys = [run.graph.keys.of(rows[end].to_numpy()).to_pylist() for end in ("source", "target")]
    types = rows["type"].to_pylist() if has_types else [None] * len(rows)
    return [{"source": source, "target": target, "weight": weight,
             **({"type": kind} if kind else {})}
            for source, target, weight, kind in zip(*keys, rows["weight"].to_pylist(), types)]
