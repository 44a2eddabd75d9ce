// GraphView and BulkGraphView: all that a kernel may read of a graph. A pinned window models both;
// so does the plain CSR.
//
// Ids are below id_limit() but may have holes: vertices() lists the existing ones. Snapshots,
// slices and deletions are not visible.
//
// Thread safety: a kernel reads a graph in as many threads as it was given.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"
#include "windows/base/weight.h"

namespace sash {

// What a new kernel begins with: the vertices and their neighbours, once for each parallel edge.
template <typename G>
concept GraphView = requires(const G& graph, VertexId v) {
  { graph.id_limit() } -> std::convertible_to<VertexId>;
  { graph.vertices() } -> std::convertible_to<std::span<const VertexId>>;  // ascending
  { *graph.out(v).begin() } -> std::convertible_to<VertexId>;
  { *graph.in(v).begin() } -> std::convertible_to<VertexId>;
};

// For kernels that read degrees or weights, and for those that are faster when they read many lists
// at once, parts of lists, or lists that were fetched ahead.
template <typename G>
concept BulkGraphView = GraphView<G> &&
    requires(const G& graph, VertexId v, void (*visit)(VertexId, std::span<const VertexId>),
             VertexId* (*room)(VertexId, std::uint32_t), bool (*read)(std::span<const VertexId>)) {
  { graph.edge_count() } -> std::convertible_to<std::uint64_t>;
  { graph.out_degree(v) } -> std::convertible_to<std::uint32_t>;
  { graph.in_degree(v) } -> std::convertible_to<std::uint32_t>;
  { (*graph.weighted_out(v).begin()).weight } -> std::convertible_to<Weight>;
  { (*graph.weighted_in(v).begin()).weight } -> std::convertible_to<Weight>;
  // Bulk traversal: visit(v, neighbours) gets runs of neighbours. Together they are the lists of
  // the vertices v in [first, last), ascending by v; a vertex may have several runs, one after the
  // other. A run is valid until visit() returns. With room(v, count) it is valid as long as the
  // graph and that room: room() returns memory to which the graph may copy `count` ids (called at
  // most once for each v, with at most its degree). The order within a list is unspecified, but the
  // same at every call.
  graph.ForEachInRun(v, v, visit);
  graph.ForEachOutRun(v, v, visit);
  graph.ForEachInRun(v, v, visit, room);
  graph.ForEachOutRun(v, v, visit, room);
  // The same, for callers that only need to know which neighbours there are: a neighbour may be
  // named more often than there are edges to it, which saves copies. Read...() reads one list in
  // this way, newest part first, in pieces that are valid until read() returns, for callers that
  // may stop early: it ends when read() returns false.
  graph.ForEachInNeighbours(v, v, visit, room);
  graph.ForEachOutNeighbours(v, v, visit, room);
  graph.ReadInNeighbours(v, read);
  graph.ReadOutNeighbours(v, read);
  // Announces that a list will be read soon, for kernels that read lists in any order
  // (FetchListsAhead()).
  graph.FetchIn(v, FetchStep::kState);
  graph.FetchOut(v, FetchStep::kState);
};

}  // namespace sash
