// OrderedRows: the distinct neighbours along one direction, without the vertex itself, each list in
// a given order, for kernels whose work must not depend on the order of ids. Edges below a weight
// can be left out.
//
// All lists are copied at once; a list is ordered when it is first read. Takes four bytes for each
// edge and twelve for each id.
//
// Thread safety: any number of threads may read.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/mutex.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_rows.h"

namespace sash {

// Calls visit(u) for each edge of v along `direction`, of at least `least` weight if that is given.
template <BulkGraphView Graph, typename Visit>
void ForEachHeavy(const Graph& graph, VertexId v, RowDirection direction,
                  std::optional<double> least, const Visit& visit) {
  const auto weighed = [&](const auto& list) {
    for (const auto& neighbour : list) {
      if (neighbour.weight.AsDouble() >= *least) visit(neighbour.vertex);
    }
  };
  const auto plain = [&](const auto& list) {
    for (const VertexId u : list) visit(u);
  };
  if (direction == RowDirection::kOut) {
    if (least) return weighed(graph.weighted_out(v));
    return plain(graph.out(v));
  }
  if (least) return weighed(graph.weighted_in(v));
  plain(graph.in(v));
}

// Invariant: (1) counts_[v] has the bit kUnordered until the list of v is distinct and in order;
// only the thread that holds the mutex of v changes the list and takes the bit away.
template <typename Less>
class OrderedRows {
 public:
  template <BulkGraphView Graph>
  OrderedRows(const Graph& graph, RowDirection direction, std::optional<double> least_weight,
              int threads, const Less& less)
      : less_(less),
        starts_(graph.id_limit()),
        counts_(std::make_unique<std::atomic<std::uint32_t>[]>(graph.id_limit())) {
    const bool is_out = direction == RowDirection::kOut;
    const std::span<const VertexId> vertices = graph.vertices();
    std::uint64_t place = 0;
    for (const VertexId v : vertices) {
      starts_[v] = place;
      place += is_out ? graph.out_degree(v) : graph.in_degree(v);
    }
    neighbours_ = LargeArray<VertexId>(place);
    ParallelBlocks(
        vertices.size(), kBlock, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
          for (const VertexId v : vertices.subspan(begin, end - begin)) {
            VertexId* to = neighbours_.data() + starts_[v];
            ForEachHeavy(graph, v, direction, least_weight, [&](VertexId u) {
              if (u != v) *to++ = u;
            });
            const auto count = to - (neighbours_.data() + starts_[v]);
            counts_[v].store(static_cast<std::uint32_t>(count) | (count > 1 ? kUnordered : 0),
                             std::memory_order_relaxed);
          }
        });
  }

  std::span<const VertexId> row(VertexId v) const {
    std::uint32_t count = counts_[v].load(std::memory_order_acquire);
    if ((count & kUnordered) != 0) count = Order(v);
    return {neighbours_.data() + starts_[v], count};
  }

 private:
  static constexpr std::size_t kBlock = 1 << 10;
  static constexpr std::uint32_t kUnordered = std::uint32_t{1} << 31;

  std::uint32_t Order(VertexId v) const {
    const MutexLock lock((*mutexes_)[v % kMutexes]);
    std::uint32_t count = counts_[v].load(std::memory_order_relaxed);
    if ((count & kUnordered) == 0) return count;
    const std::span<VertexId> list(neighbours_.data() + starts_[v], count & ~kUnordered);
    std::ranges::sort(list);
    const auto surplus = std::ranges::unique(list);
    std::sort(list.begin(), surplus.begin(), less_);
    count = static_cast<std::uint32_t>(surplus.begin() - list.begin());
    counts_[v].store(count, std::memory_order_release);
    return count;
  }

  static constexpr std::size_t kMutexes = 64;

  const Less& less_;
  LargeArray<std::uint64_t> starts_;                      // by id; of vertices only
  std::unique_ptr<std::atomic<std::uint32_t>[]> counts_;  // by id
  mutable LargeArray<VertexId> neighbours_;
  std::unique_ptr<std::array<Mutex, kMutexes>> mutexes_ =
      std::make_unique<std::array<Mutex, kMutexes>>();
};

}  // namespace sash
