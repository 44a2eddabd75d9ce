"""The edges of a snapshot in one direction."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy

if TYPE_CHECKING:
    import scipy.sparse

Array = numpy.ndarray[Any, Any]


class Adjacency:
    """A graph in compressed sparse rows: row v has the edges of the vertex with id v.

    `indices[indptr[v]:indptr[v + 1]]` are the other ends of the edges of v, ascending; `weights`
    and `types` have the same places. `types` is None if no edge has a type. All arrays are
    read-only, and shared with other processes.
    """

    def __init__(self, indptr: Array, indices: Array, weights: Array,
                 types: Optional[Array]) -> None:
        self.indptr = indptr
        self.indices = indices
        self.weights = weights
        self.types = types

    def __len__(self) -> int:
        """The number of vertices."""
        return len(self.indptr) - 1

    def neighbours(self, vertex: int) -> Array:
        """The other ends of the edges of a vertex, as ids. IndexError: there is no such id."""
        return self.indices[self._row(vertex)]

    def weights_of(self, vertex: int) -> Array:
        """The weights of the edges of a vertex, in the order of neighbours(). Errors as there."""
        return self.weights[self._row(vertex)]

    def degrees(self) -> Array:
        """The number of edges of each vertex."""
        return numpy.diff(self.indptr)

    def to_scipy(self, merged: bool = False) -> scipy.sparse.csr_array:
        """A sparse matrix that shares these arrays, in which parallel edges are separate entries.

        SciPy merges such entries in place for some operations (sum(), count_nonzero(), a product by
        element), which fail for read-only arrays. With `merged`, the matrix is a copy in which each
        pair of vertices has one entry, with the sum of the weights.
        """
        import scipy.sparse
        matrix = scipy.sparse.csr_array((self.weights, self.indices, self.indptr),
                                        shape=(len(self), len(self)), copy=merged)
        matrix.has_sorted_indices = True
        if merged:
            matrix.sum_duplicates()
        return matrix

    def _row(self, vertex: int) -> slice:
        if not 0 <= vertex < len(self):
            raise IndexError(f"{vertex} is not an id of a vertex; there are {len(self)} vertices")
        return slice(int(self.indptr[vertex]), int(self.indptr[vertex + 1]))
