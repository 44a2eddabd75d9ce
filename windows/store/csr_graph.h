// CsrGraph: a whole graph in compressed sparse rows, both directions: the plain, static form.
//
// The rebuild store publishes it, and the other stores are compared with it.
//
// Thread safety: immutable.
//
// Invariants
//   (1) v is in out(u) exactly as often as u is in in(v), with the same weights and types.
//   (2) Rows ascend by neighbour.
#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"
#include "windows/base/weight_column.h"
#include "windows/store/edge_list.h"
#include "windows/store/neighbor.h"

namespace sash {

class CsrGraph {
  struct Rows {
    std::vector<std::uint64_t> starts;  // id_limit + 1
    std::vector<VertexId> neighbours;
    WeightColumn weights;
    TypeColumn types;

    std::uint32_t degree(VertexId v) const {
      return static_cast<std::uint32_t>(starts[v + 1] - starts[v]);
    }
    std::span<const VertexId> row(VertexId v) const {
      return std::span(neighbours).subspan(starts[v], starts[v + 1] - starts[v]);
    }
    auto weighted_row(VertexId v) const {
      return std::views::iota(starts[v], starts[v + 1]) |
             std::views::transform([this](std::uint64_t i) {
               return Neighbor{neighbours[i], types[i], weights[i]};
             });
    }
    template <typename Visit>
    void ForEach(VertexId first, VertexId last, const Visit& visit) const {
      for (VertexId v = first; v < last; ++v) {
        if (starts[v] < starts[v + 1]) visit(v, row(v));
      }
    }
    void Fetch(VertexId v, FetchStep step) const {
      if (step == FetchStep::kState) __builtin_prefetch(&starts[v]);
      if (step == FetchStep::kFirst) __builtin_prefetch(neighbours.data() + starts[v]);
    }
    std::size_t bytes() const {
      return AllocatedBytes(starts) + AllocatedBytes(neighbours) + weights.bytes() + types.bytes();
    }
  };

 public:
  // `edges` ascend by source, then target (VisibleEdges). O(edges + id_limit).
  CsrGraph(const EdgeList& edges, VertexId id_limit);

  static constexpr bool on_disk() { return false; }
  VertexId id_limit() const { return id_limit_; }
  std::span<const VertexId> vertices() const { return vertices_; }
  std::uint64_t edge_count() const { return out_.neighbours.size(); }

  std::uint32_t out_degree(VertexId v) const { return out_.degree(v); }
  std::uint32_t in_degree(VertexId v) const { return in_.degree(v); }
  std::span<const VertexId> out(VertexId v) const { return out_.row(v); }
  std::span<const VertexId> in(VertexId v) const { return in_.row(v); }
  auto weighted_out(VertexId v) const { return out_.weighted_row(v); }
  auto weighted_in(VertexId v) const { return in_.weighted_row(v); }

  // visit(v, neighbours) for each v in [first, last) that has neighbours, ascending. Rows are valid
  // as long as the graph; the room for copies, which other graphs need, is not used.
  template <typename Visit, typename... Room>
  void ForEachOutRun(VertexId first, VertexId last, const Visit& visit, const Room&...) const {
    out_.ForEach(first, last, visit);
  }
  template <typename Visit, typename... Room>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit, const Room&...) const {
    in_.ForEach(first, last, visit);
  }

  template <typename Visit, typename Room>
  void ForEachOutNeighbours(VertexId first, VertexId last, const Visit& visit, const Room&) const {
    out_.ForEach(first, last, visit);
  }
  template <typename Visit, typename Room>
  void ForEachInNeighbours(VertexId first, VertexId last, const Visit& visit, const Room&) const {
    in_.ForEach(first, last, visit);
  }
  // visit(neighbours), once; other graphs visit several pieces.
  template <typename Visit>
  void ReadOutNeighbours(VertexId v, const Visit& visit) const {
    if (out_degree(v) > 0) visit(out(v));
  }
  template <typename Visit>
  void ReadInNeighbours(VertexId v, const Visit& visit) const {
    if (in_degree(v) > 0) visit(in(v));
  }

  // A row will be read soon.
  void FetchOut(VertexId v, FetchStep step) const { out_.Fetch(v, step); }
  void FetchIn(VertexId v, FetchStep step) const { in_.Fetch(v, step); }

  // visit(v, u) for every edge u -> v with v in [first, last).
  template <typename Visit>
  void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
    for (VertexId v = first; v < last; ++v) {
      for (const VertexId u : in_.row(v)) visit(v, u);
    }
  }

  std::size_t bytes() const { return out_.bytes() + in_.bytes() + AllocatedBytes(vertices_); }

 private:
  VertexId id_limit_;
  std::vector<VertexId> vertices_;  // touched by an edge, ascending
  Rows out_;
  Rows in_;
};

}  // namespace sash
