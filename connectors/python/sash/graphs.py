"""Snapshots as graphs and tables of other libraries."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from sash.adjacency import Array

if TYPE_CHECKING:
    import igraph
    import networkx
    import pyarrow

    from sash.snapshot import Snapshot


def sources_of(snapshot: Snapshot) -> Array:
    """The source of each edge, in the order of snapshot.out."""
    return numpy.repeat(numpy.arange(snapshot.vertex_count, dtype=numpy.int32),
                        snapshot.out.degrees())


def to_networkx(snapshot: Snapshot) -> networkx.MultiDiGraph[Any]:
    """A copy, about 500 bytes an edge: nodes are keys; edges have `weight`, and `type` if any."""
    import networkx
    graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
    names = list(snapshot.keys)
    graph.add_nodes_from(names)
    edges = snapshot.out
    ends = zip(sources_of(snapshot).tolist(), edges.indices.tolist(), edges.weights.tolist())
    if edges.types is None:
        graph.add_edges_from((names[a], names[b], {"weight": weight}) for a, b, weight in ends)
        return graph
    types = snapshot.types
    graph.add_edges_from(
        (names[a], names[b], {"weight": weight, "type": types[kind]} if kind else
         {"weight": weight}) for (a, b, weight), kind in zip(ends, edges.types.tolist()))
    return graph


def to_igraph(snapshot: Snapshot) -> igraph.Graph:
    """A copy: vertices have `name` (the key), edges `weight`, and `type` if any edge has one."""
    import igraph
    edges = snapshot.out
    ends = numpy.column_stack((sources_of(snapshot), edges.indices))
    graph = igraph.Graph(n=snapshot.vertex_count, edges=ends, directed=True)
    # igraph takes vertices by number or by name, so a name is always text.
    graph.vs["name"] = [str(key) for key in snapshot.keys]
    graph.es["weight"] = edges.weights.tolist()
    if edges.types is not None:
        types = snapshot.types
        graph.es["type"] = [types[kind] or None for kind in edges.types.tolist()]
    return graph


def to_arrow(snapshot: Snapshot) -> pyarrow.Table:
    """The edges: `source` and `target` (dictionaries of the keys), `weight`, and `type` if any.

    Shares the arrays of targets, weights and keys; the sources are a copy, 4 bytes an edge.
    """
    import pyarrow
    edges = snapshot.out
    keys = snapshot.keys.to_arrow()
    columns = {
        "source": pyarrow.DictionaryArray.from_arrays(pyarrow.array(sources_of(snapshot)), keys),
        "target": pyarrow.DictionaryArray.from_arrays(pyarrow.array(edges.indices), keys),
        "weight": pyarrow.array(edges.weights)}
    if edges.types is not None:
        # The first, empty type means none.
        places = pyarrow.array(edges.types.astype(numpy.int32) - 1, mask=edges.types == 0)
        columns["type"] = pyarrow.DictionaryArray.from_arrays(
            places, pyarrow.array(snapshot.types[1:], pyarrow.string()))
    return pyarrow.table(columns)
