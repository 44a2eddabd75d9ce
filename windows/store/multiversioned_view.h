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
#include <mutex>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "windows/store/fragment_chain.h"

namespace sash {

class MultiversionedView {
 public:
  MultiversionedView(ChainView out, ChainView in, VertexId id_limit, std::uint64_t edges,
                     std::size_t vertex_count)
      : out_(std::move(out)),
        in_(std::move(in)),
        id_limit_(id_limit),
        edge_count_(edges),
        vertex_count_(vertex_count) {}

  VertexId id_limit() const { return id_limit_; }
  std::uint64_t edge_count() const { return edge_count_; }
  std::size_t vertex_count() const { return vertex_count_; }

  // The vertices with a visible edge, ascending. The first call costs a sweep of the vertex table.
  std::span<const VertexId> vertices() const;

  std::uint32_t out_degree(VertexId v) const { return out_.degree(v); }
  std::uint32_t in_degree(VertexId v) const { return in_.degree(v); }
  ChainView::List out(VertexId v) const { return out_.list(v); }
  ChainView::List in(VertexId v) const { return in_.list(v); }
  std::vector<Neighbor> weighted_out(VertexId v) const { return Weighted(out_, v); }
  std::vector<Neighbor> weighted_in(VertexId v) const { return Weighted(in_, v); }

  // visit(v, u) for every edge u -> v with v in [first, last).
  template <typename Visit>
  void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
    in_.Sweep(first, last, visit);
  }

 private:
  static std::vector<Neighbor> Weighted(const ChainView& chain, VertexId v);

  const ChainView out_;
  const ChainView in_;
  const VertexId id_limit_;
  const std::uint64_t edge_count_;
  const std::size_t vertex_count_;
  mutable std::once_flag listed_;
  mutable std::vector<VertexId> vertices_;  // filled under listed_
};

}  // namespace sash
