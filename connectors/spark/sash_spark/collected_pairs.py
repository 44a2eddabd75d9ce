"""The pairs of a window on the driver, where searches read them one after the other; and what the
kernels say of pairs."""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional

import numpy

from sash_spark.answer import Run
from sash_spark.content import Content
from sash_spark.cycle_search import CycleSearch
from sash_spark.errors import JobRefused
from sash_spark.keys import ArrayKeys
from sash_spark.times import time_text

_BYTES_OF_A_PAIR = 128  # with both directions, and places of those that entered


def since(before: Optional[Content]) -> Optional[str]:
    return None if before is None else time_text(before.window.end)


def search_of_pairs(run: Run, now: Content, before: Optional[Content],
                    least: Optional[float]) -> CycleSearch:
    """The search over the pairs with an edge of at least this weight (None: any). JobRefused: they
    are too many for the driver."""
    given, keys = run.parameters, now.keys
    pairs = now.heavy_pairs(least).persist()
    try:
        run.progress.step("collects pairs")
        check_pairs(run, pairs.count())
        entered = pairs if before is None else pairs.join(
            before.heavy_pairs(least), ["source", "target"], "left_anti")
        return CycleSearch(run.graph.vertices, by_id(keys, pairs.toArrow()),
                           by_id(keys, entered.toArrow()),
                           given["max_length"], given["max_steps"])
    finally:
        pairs.unpersist()


def check_pairs(run: Run, pairs: int) -> None:
    """JobRefused: the driver cannot hold the pairs."""
    if pairs * _BYTES_OF_A_PAIR > run.driver_limit:
        raise JobRefused(f"{run.job.kernel} collects the pairs of the window, {_BYTES_OF_A_PAIR} "
                         f"bytes each; it has {pairs:,}, and --driver-limit is "
                         f"{run.driver_limit / 1e9:.1f} GB")


def by_id(keys: ArrayKeys, table: Any) -> Any:
    """The pairs of a table of keys as an array of (source, target) by id."""
    return numpy.stack([keys.ids(table[end]) for end in ("source", "target")], axis=1)


def total(weights: list[Any]) -> Any:
    """The exact sum: an integer if all weights are and it fits into 64 bits, else a double."""
    if all(isinstance(weight, int) for weight in weights):
        whole = sum(weights)
        if -2**63 <= whole < 2**63:
            return whole
    try:
        return float(sum(Fraction(weight) for weight in weights))
    except OverflowError:  # a weight, or the sum, is beyond the range of a double
        return sum(float(weight) for weight in weights)
