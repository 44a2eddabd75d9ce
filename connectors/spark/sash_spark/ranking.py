"""The order of lists in results: by score, then by key. Ids are in the order of keys."""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy

Array = numpy.ndarray[Any, Any]
_SLACK = 1e-8  # more than rounding to nine digits changes


def rounded(score: float) -> float:
    """The score to nine significant digits, so that rounding errors do not order scores."""
    return float(f"{score:.8e}")


def greatest_first(scores: Array, ids: Array, count: Optional[int]) -> Array:
    """The first `count` (None: all) of the ids by their scores, rounded, greatest first."""
    candidates = ids
    if count is not None and count < len(ids):
        values = scores[ids]
        bound = numpy.partition(values, len(values) - count)[len(values) - count]
        candidates = ids[values >= bound - _SLACK * abs(bound)]
    listed = sorted((-rounded(score), vertex) for score, vertex
                    in zip(scores[candidates].tolist(), candidates.tolist()))
    return numpy.array([vertex for _, vertex in listed[:count]], dtype=numpy.int64)


def nearest_first(distances: Array, ids: Array, count: Optional[int]) -> Array:
    """The first `count` of the ids by their distances, rounded, least first."""
    return greatest_first(-distances, ids, count)


def counted_first(counts: Array, ids: Array, count: Optional[int], sign: int = -1) -> Array:
    """As greatest_first(), for whole numbers; with sign 1, the least come first."""
    order = numpy.lexsort((ids, sign * counts[ids].astype(numpy.int64)))
    return ids[order[:count]]


def weighed_first(weights: Sequence[Any], ids: Array, count: Optional[int]) -> Array:
    """The first `count` of the ids by their sums of weights, greatest first: integers exactly,
    others rounded. `weights` has the sum of each of `ids`."""
    listed = sorted((-weight if isinstance(weight, int) else -rounded(weight), vertex)
                    for weight, vertex in zip(weights, ids.tolist()))
    return numpy.array([vertex for _, vertex in listed[:count]], dtype=numpy.int64)
