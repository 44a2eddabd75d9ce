// GraphView: what a kernel may ask of a graph. A pinned window models it; so does the plain CSR.
//
// Ids are below id_limit() but may have holes: vertices() lists the ones that are there. Nothing of
// snapshots, slices or deletions shows.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"
#include "windows/base/weight.h"

namespace sash {

template <typename G>
concept GraphView = requires(const G& graph, VertexId v,
                             void (*visit)(VertexId, std::span<const VertexId>),
                             VertexId* (*room)(VertexId, std::uint32_t),
                             bool (*read)(std::span<const VertexId>)) {
  { graph.id_limit() } -> std::convertible_to<VertexId>;
  { graph.vertices() } -> std::convertible_to<std::span<const VertexId>>;  // ascending
  { graph.edge_count() } -> std::convertible_to<std::uint64_t>;
  { graph.out_degree(v) } -> std::convertible_to<std::uint32_t>;
  { graph.in_degree(v) } -> std::convertible_to<std::uint32_t>;
  {
    *graph.out(v).begin()
    } -> std::convertible_to<VertexId>;  // parallel edges as often as they are
  { *graph.in(v).begin() } -> std::convertible_to<VertexId>;
  { (*graph.weighted_out(v).begin()).weight } -> std::convertible_to<Weight>;
  { (*graph.weighted_in(v).begin()).weight } -> std::convertible_to<Weight>;
  // Bulk traversal: visit(v, neighbours) for runs that together are the lists of the v in
  // [first, last), ascending by v; a vertex may have several, one after the other. A run is there
  // until visit() returns; or with room(v, count), which says where the graph may copy so many ids
  // to (at most once for each v, at most its degree), as long as the graph and that room. Within a
  // list the order is the graph's own affair, but the same at every call.
  graph.ForEachInRun(v, v, visit);
  graph.ForEachOutRun(v, v, visit);
  graph.ForEachInRun(v, v, visit, room);
  graph.ForEachOutRun(v, v, visit, room);
  // The same for who only asks who is there: a neighbour may be named more often than there are
  // edges to it, which spares copies. And one list so, newest part first, in pieces that are there
  // until read() returns; until it returns false.
  graph.ForEachInNeighbours(v, v, visit, room);
  graph.ForEachOutNeighbours(v, v, visit, room);
  graph.ReadInNeighbours(v, read);
  graph.ReadOutNeighbours(v, read);
  // A list will be read soon: for kernels that read lists in no order (FetchListsAhead()).
  graph.FetchIn(v, FetchStep::kState);
  graph.FetchOut(v, FetchStep::kState);
};

}  // namespace sash
