// The edges that came to a graph and left it between two views, for kernels that continue from
// their result on the earlier view.
//
// Thread safety: a pure function over both views.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/weighed_edge.h"
#include "windows/kernels/graph_view.h"

namespace sash {

// A graph that can report the edges that came and left since an earlier view of the same vertices.
template <typename Graph>
concept FollowableView = BulkGraphView<Graph> &&
    requires(const Graph& graph, VertexId v,
             void (*visit)(VertexId, std::span<const VertexId>, std::span<const VertexId>),
             void (*visit_weighed)(VertexId, std::span<const WeighedEdge>,
                                   std::span<const WeighedEdge>),
             void (*visit_count)(VertexId, std::uint32_t),
             void (*visit_sum)(VertexId, std::optional<std::int64_t>, bool),
             void (*visit_degree)(VertexId, bool, bool, std::uint32_t)) {
  { graph.RoughChanges(graph) } -> std::convertible_to<std::uint64_t>;  // roughly; may be too low
  graph.ChangesSince(graph).ForEachIn(v, v, visit);
  graph.ChangesSince(graph).ForEachWeighedIn(v, v, visit_weighed);  // if weights are fixed
  // The changes of lists that are known without reading the lists; nothing if not all changes are
  // known.
  graph.CountOutChanges(graph)->ForEachArrival(visit_count);
  graph.CountInChanges(graph)->ForEachDeparture(visit_count);
  graph.CountInChanges(graph)->ForEachSum(visit_sum);
  { graph.has_fixed_weights() } -> std::convertible_to<bool>;
  { graph.keeps_order() } -> std::convertible_to<bool>;  // of the edges that stay in a list
  graph.ForEachDegreeChange(graph, v, v, visit_degree);
};

// Changes are visited in parts of the ids; one thread visits a part.
inline constexpr std::size_t kChangePart = 1 << 12;

template <FollowableView Graph>
std::size_t ChangePartCount(const Graph& before, const Graph& after) {
  return BlockCount(std::max(before.id_limit(), after.id_limit()), kChangePart);
}

namespace view_changes {

// for_each(first, last, visit) visits the changes of [first, last).
template <FollowableView Graph, typename ForEach, typename Visit>
std::optional<std::size_t> VisitParts(const Graph& before, const Graph& after, std::size_t most,
                                      int threads, const ForEach& for_each, const Visit& visit) {
  const std::size_t id_limit = std::max(before.id_limit(), after.id_limit());
  std::atomic<std::size_t> size = 0;
  ParallelBlocks(id_limit, kChangePart, threads,
                 [&](std::size_t part, std::size_t first, std::size_t last) {
                   if (size.load(std::memory_order_relaxed) > most) return;
                   std::size_t here = 0;
                   for_each(static_cast<VertexId>(first), static_cast<VertexId>(last),
                            [&](VertexId v, const auto& came, const auto& left) {
                              visit(part, v, came, left);
                              here += came.size() + left.size();
                            });
                   size.fetch_add(here, std::memory_order_relaxed);
                 });
  if (size > most) return std::nullopt;
  return size;
}

}  // namespace view_changes

// Calls visit(part, v, came, left) for each v whose in-list has changed: the sources of edges that
// came to v and of edges that left; no source is in both. Returns the number of these edges.
// Returns nothing if there are more than `most`; then not all were visited.
template <FollowableView Graph, typename Visit>
std::optional<std::size_t> VisitChanges(const Graph& before, const Graph& after, std::size_t most,
                                        int threads, const Visit& visit) {
  if (after.RoughChanges(before) > most) return std::nullopt;
  const auto changes = after.ChangesSince(before);
  return view_changes::VisitParts(
      before, after, most, threads,
      [&](VertexId first, VertexId last, const auto& visit_one) {
        changes.ForEachIn(first, last, visit_one);
      },
      visit);
}

// The same with weights, as WeighedEdge. Also returns nothing if weights are not fixed.
template <FollowableView Graph, typename Visit>
std::optional<std::size_t> VisitWeighedChanges(const Graph& before, const Graph& after,
                                               std::size_t most, int threads, const Visit& visit) {
  if (!after.has_fixed_weights() || after.RoughChanges(before) > most) return std::nullopt;
  const auto changes = after.ChangesSince(before);
  return view_changes::VisitParts(
      before, after, most, threads,
      [&](VertexId first, VertexId last, const auto& visit_one) {
        changes.ForEachWeighedIn(first, last, visit_one);
      },
      visit);
}

}  // namespace sash
