"""Blocks: rows of a graph as numpy CSR, and what workers compute on them.

Block b of B has the vertices b, b + B, b + 2 B, ... as its rows. `others` are the neighbours of
each row, ascending; so vertices with equal neighbours have equal sums, in whatever block they are.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy

Array = numpy.ndarray[Any, Any]
OUT, IN = 1, 2  # bits of a neighbour in merged rows: an edge to it, an edge from it


class Block(NamedTuple):
    """`indptr` has where each row begins; `bits` is there in merged rows only."""

    number: int
    blocks: int  # how many there are
    indptr: Array
    others: Array
    weights: Optional[Array]
    bits: Optional[Array]

    def mine(self, vector: Array) -> Array:
        """The values of the rows' own vertices."""
        return vector[self.number::self.blocks]

    def lengths(self) -> Array:
        return numpy.diff(self.indptr)

    def row_of_each(self) -> Array:
        """For each neighbour, the place of its row."""
        return numpy.repeat(numpy.arange(len(self.indptr) - 1), self.lengths())

    def vertex_of_each(self) -> Array:
        """For each neighbour, the vertex of its row."""
        return self.row_of_each() * self.blocks + self.number


def make_block(number: int, count: int, vertices: int, rows: Array, others: Array,
               weights: Optional[Array], bits: Optional[Array]) -> Block:
    """The block of edges in any order. With `bits`, the edges between two vertices become one."""
    places = (rows - number) // count
    keys = (others, places) if weights is None else (weights, others, places)
    order = numpy.lexsort(keys)
    places, others = places[order], others[order]
    if bits is not None:
        bits = bits[order]
        first = numpy.ones(len(places), dtype=bool)
        first[1:] = (places[1:] != places[:-1]) | (others[1:] != others[:-1])
        starts = numpy.flatnonzero(first)
        bits = numpy.bitwise_or.reduceat(bits, starts) if len(starts) else bits
        places, others = places[starts], others[starts]
    size = (vertices - number + count - 1) // count
    indptr = numpy.zeros(size + 1, dtype=numpy.int64)
    numpy.cumsum(numpy.bincount(places, minlength=size), out=indptr[1:])
    narrow = numpy.int32 if vertices < 2**31 else numpy.int64
    return Block(number, count, indptr, others.astype(narrow),
                 None if weights is None else weights[order], bits)


def reduced(block: Block, operation: Any, values: Array, empty: Any) -> Array:
    """`operation` (a ufunc) over the values of each row; `empty` for rows without any."""
    result = numpy.full(len(block.indptr) - 1, empty, dtype=values.dtype)
    filled = numpy.flatnonzero(block.lengths())
    if len(filled):
        result[filled] = operation.reduceat(values, block.indptr[filled])
    return result


def sums(block: Block, values: Array) -> Array:
    return reduced(block, numpy.add, values, 0)


def least(block: Block, values: Array, empty: Any) -> Array:
    return reduced(block, numpy.minimum, values, empty)
