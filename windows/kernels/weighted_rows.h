// WeightedRows: the edges that a kernel follows, with their weights as doubles. They are copied
// once, for kernels that read the graph many times: a view builds a weighted list again at every
// call.
//
// Takes twelve bytes for each edge that is followed and eight for each id.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"

namespace sash {

class WeightedRows {
 public:
  struct Row {
    std::span<const VertexId> targets;
    std::span<const double> weights;
  };

  template <BulkGraphView Graph>
  WeightedRows(const Graph& graph, FollowedEdges follow, int threads)
      : vertex_count_(graph.vertices().size()) {
    Place(graph, follow);
    const std::span<const VertexId> vertices = graph.vertices();
    const Weights weights = ParallelSum<Weights>(
        vertices.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
          Weights seen;
          for (const VertexId v : vertices.subspan(begin, end - begin)) {
            std::uint64_t slot = starts_[v];
            if (follow != FollowedEdges::kIn) Fill(graph.weighted_out(v), slot, seen);
            if (follow != FollowedEdges::kOut) Fill(graph.weighted_in(v), slot, seen);
          }
          return seen;
        });
    greatest_weight_ = weights.greatest;
    negative_edges_ = weights.negative / (follow == FollowedEdges::kBoth ? 2 : 1);
    overflowed_edges_ = weights.overflowed / (follow == FollowedEdges::kBoth ? 2 : 1);
  }

  Row row(VertexId v) const {
    const std::size_t count = starts_[v + 1] - starts_[v];
    return {std::span(targets_).subspan(starts_[v], count),
            std::span(weights_).subspan(starts_[v], count)};
  }
  double greatest_weight() const { return greatest_weight_; }  // the greatest finite weight, or 0
  std::uint64_t negative_edges() const { return negative_edges_; }
  // Edges with an infinite weight.
  std::uint64_t overflowed_edges() const { return overflowed_edges_; }
  double mean_degree() const {
    return vertex_count_ == 0
               ? 0
               : static_cast<double>(targets_.size()) / static_cast<double>(vertex_count_);
  }

 private:
  static constexpr std::size_t kBlock = 1 << 10;

  struct Weights {
    double greatest = 0;
    std::uint64_t negative = 0;
    std::uint64_t overflowed = 0;
    Weights& operator+=(const Weights& other) {
      greatest = std::max(greatest, other.greatest);
      negative += other.negative;
      overflowed += other.overflowed;
      return *this;
    }
  };

  template <BulkGraphView Graph>
  void Place(const Graph& graph, FollowedEdges follow) {
    starts_.resize(std::size_t{graph.id_limit()} + 1);
    std::uint64_t place = 0;
    for (VertexId v = 0; v < graph.id_limit(); ++v) {
      starts_[v] = place;
      if (follow != FollowedEdges::kIn) place += graph.out_degree(v);
      if (follow != FollowedEdges::kOut) place += graph.in_degree(v);
    }
    starts_.back() = place;
    targets_.resize(place);
    weights_.resize(place);
  }

  template <typename List>
  void Fill(const List& list, std::uint64_t& slot, Weights& seen) {
    for (const auto& neighbor : list) {
      const double weight = neighbor.weight.AsDouble();
      targets_[slot] = neighbor.vertex;
      weights_[slot++] = weight;
      seen.negative += weight < 0 ? 1 : 0;
      if (weight <= std::numeric_limits<double>::max()) {
        seen.greatest = std::max(seen.greatest, weight);
      } else {
        ++seen.overflowed;
      }
    }
  }

  std::size_t vertex_count_;
  std::vector<std::uint64_t> starts_;  // id_limit + 1
  std::vector<VertexId> targets_;
  std::vector<double> weights_;
  double greatest_weight_ = 0;
  std::uint64_t negative_edges_ = 0;
  std::uint64_t overflowed_edges_ = 0;
};

}  // namespace sash
