// MultiversionedView: a frozen window of the multiversioned store; a GraphView.
//
// Thread safety: immutable but for the list of vertices, which the first caller makes.
//
// Invariants
//   (1) v is in out(u) exactly as often as u is in in(v), with the same weights.
//   (2) It never changes, however many advances follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/store/adjacency_view.h"
#include "windows/store/degree_table.h"
#include "windows/store/neighbor.h"
#include "windows/store/weight_chains.h"

namespace sash {

class MultiversionedView {
 public:
  struct Parts {
    AdjacencyView out{};
    AdjacencyView in{};
    DegreeTable::Version degrees{};
    SliceNumber newest_slice = 0;                           // that the store had taken in
    std::optional<WeightChains::Totals::Version> totals{};  // weigh
    std::shared_ptr<AliveBytes> alive{};                    // counts the view
  };

  MultiversionedView(Parts parts, VertexId id_limit, std::uint64_t edges, std::size_t vertex_count)
      : parts_(std::move(parts)),
        id_limit_(id_limit),
        edge_count_(edges),
        vertex_count_(vertex_count),
        counted_(parts_.alive, kSharedBytes<MultiversionedView>) {}

  VertexId id_limit() const { return id_limit_; }
  std::uint64_t edge_count() const { return edge_count_; }
  std::size_t vertex_count() const { return vertex_count_; }

  // The vertices with a visible edge, ascending. The first call costs a sweep of the degrees.
  std::span<const VertexId> vertices() const;

  std::uint32_t out_degree(VertexId v) const { return degrees(v).out; }
  std::uint32_t in_degree(VertexId v) const { return degrees(v).in; }
  NeighbourRange out(VertexId v) const { return NeighbourRange(OutRuns(v)); }
  NeighbourRange in(VertexId v) const { return NeighbourRange(InRuns(v)); }
  std::vector<Neighbor> weighted_out(VertexId v) const { return Weighted(OutRuns(v)); }
  std::vector<Neighbor> weighted_in(VertexId v) const { return Weighted(InRuns(v)); }

  // visit(v, u) for every edge u -> v with v in [first, last).
  template <typename Visit>
  void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
    while (first < last) {
      const std::size_t page = first >> ListPage::kBits;
      if (page >= parts_.degrees.page_count()) return;
      const auto page_end = static_cast<VertexId>((page + 1) << ListPage::kBits);
      const VertexId end = page_end < last ? page_end : last;
      if (!parts_.degrees.is_zero_page(page)) VisitPageIn(page, first, end, visit);
      first = end;
    }
  }

 private:
  Degrees degrees(VertexId v) const {
    return v < parts_.degrees.size() ? parts_.degrees[v] : Degrees();
  }
  RunCursor OutRuns(VertexId v) const {
    return parts_.out.Runs(v, degrees(v).out, parts_.newest_slice);
  }
  RunCursor InRuns(VertexId v) const {
    return parts_.in.Runs(v, degrees(v).in, parts_.newest_slice);
  }
  std::vector<Neighbor> Weighted(RunCursor runs) const;

  template <typename Visit>
  void VisitPageIn(std::size_t page, VertexId first, VertexId last, const Visit& visit) const {
    const ListPage* lists = parts_.in.page(page);
    if (lists == nullptr) return;  // vertices with out-edges only
    const DegreeTable::Array::Page& degrees_of = parts_.degrees.page(page);
    const VertexId* const slots = lists->block ? lists->block->neighbours() : nullptr;
    for (VertexId v = first; v < last; ++v) {
      PrefetchList(*lists, degrees_of, v + kListsAhead);
      const std::uint32_t degree = degrees_of[v % ListPage::kVertices].in;
      if (degree == 0) continue;
      const std::uint32_t end = lists->ends[v % ListPage::kVertices];
      if ((end & ~ListPage::kPlace) == 0) {
        for (std::uint32_t slot = end - degree; slot < end; ++slot) visit(v, slots[slot]);
        continue;
      }
      RunCursor runs(*lists, v, degree, parts_.newest_slice);
      for (EdgeRun run; runs.Next(run);) {
        for (const VertexId u : run.neighbours()) visit(v, u);
      }
    }
  }

  static constexpr VertexId kListsAhead = 6;

  // Lists that outgrew their room lie out of order: the hardware cannot foresee them.
  static void PrefetchList(const ListPage& lists, const DegreeTable::Array::Page& degrees_of,
                           VertexId v) {
    const std::uint32_t entry = lists.ends[v % ListPage::kVertices];
    const std::uint32_t degree = degrees_of[v % ListPage::kVertices].in;
    if (degree == 0 || (entry & ~ListPage::kPlace) != 0) return;
    __builtin_prefetch(lists.block->neighbours() + (entry - degree));
  }

  const Parts parts_;
  const VertexId id_limit_;
  const std::uint64_t edge_count_;
  const std::size_t vertex_count_;
  mutable std::once_flag listed_;
  mutable std::vector<VertexId> vertices_;  // filled under listed_
  mutable CountedBytes counted_;            // likewise grown
};

}  // namespace sash
