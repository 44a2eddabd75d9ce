"""The kernels: what Sash computes (windows/kernels/README.md), over blocks or joins in Spark."""
from __future__ import annotations

from typing import Callable

from sash_spark.answer import Answer, Run
from sash_spark.kernels.counts import degree, fanout, kcore, reciprocity
from sash_spark.kernels.groups import cdlp, scc, wcc
from sash_spark.kernels.paths import bfs, sssp
from sash_spark.kernels.ranks import hits, pagerank
from sash_spark.kernels.set_paths import paths
from sash_spark.kernels.shape import window
from sash_spark.kernels.strength import strength
from sash_spark.kernels.triangles import lcc, triangles

RUN: dict[str, Callable[[Run], Answer]] = {
    "pagerank": pagerank, "hits": hits, "bfs": bfs, "window": window, "wcc": wcc, "scc": scc,
    "sssp": sssp, "triangles": triangles, "lcc": lcc, "cdlp": cdlp, "kcore": kcore,
    "degree": degree, "strength": strength, "fanout": fanout, "reciprocity": reciprocity,
    "paths": paths}
