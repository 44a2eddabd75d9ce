// Paths by their definition: every simple path between vertices of a small graph, for tests of the
// kernels that find the shortest ones; and the graphs for these tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <ostream>
#include <random>
#include <vector>

#include "tests/support/both_views.h"
#include "windows/kernels/paths.h"

namespace sash::testing {

using Ranks = std::vector<VertexId>;  // by id

struct Shortest {
  std::vector<VertexId> vertices;
  std::uint64_t paths = 0;
  friend bool operator==(const Shortest&, const Shortest&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Shortest& shortest) {
  out << shortest.paths << " paths, first";
  for (const VertexId v : shortest.vertices) out << ' ' << v;
  return out;
}

// From 0, an infinite edge to 1, and two whose sum is beyond a double. From 3 to 6, two paths whose
// weights differ by 1, beyond 64 bits.
inline std::vector<IdEdge> EdgesOfHugeWeights() {
  const double most = std::numeric_limits<double>::max();
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  return {{0, 1, Weight::Real(std::numeric_limits<double>::infinity())},
          {0, 2, Weight::Real(most)},
          {2, 1, Weight::Real(most)},
          {3, 4, Weight::Integer(kHuge)},
          {4, 6, Weight::Integer(kHuge)},
          {3, 5, Weight::Integer(kHuge - 1)},
          {5, 6, Weight::Integer(kHuge)}};
}

// Every simple path, by the definition.
class EveryPath {
 public:
  // `options`: PathsOptions or SetPathsOptions.
  EveryPath(const auto& graph, const auto& options, const Ranks& ranks)
      : by_weight_(options.by_weight), most_(options.most), ranks_(ranks) {
    for (const VertexId v : graph.vertices()) {
      for (const auto& neighbour : graph.weighted_out(v)) {
        if (options.follow != FollowedEdges::kIn) Offer(v, neighbour.vertex, neighbour.weight);
        if (options.follow != FollowedEdges::kOut) Offer(neighbour.vertex, v, neighbour.weight);
      }
    }
  }

  using Cost = PathCost<PathWeight>;

  Shortest Find(VertexId from, VertexId to) { return FindFromAny({from}, to); }

  // From the nearest of these.
  Shortest FindFromAny(const std::vector<VertexId>& from, VertexId to) {
    to_ = to;
    shortest_ = {};
    for (const VertexId v : from) {
      path_ = {v};
      Extend({});
    }
    return shortest_;
  }

  // Of the path that was found last.
  const Cost& cost() const { return best_; }

 private:
  void Offer(VertexId source, VertexId target, Weight weight) {
    const PathWeight offered = !by_weight_           ? 0
                               : weight.is_integer() ? static_cast<PathWeight>(weight.integer())
                                                     : static_cast<PathWeight>(weight.AsDouble());
    const auto [arc, is_new] = arcs_[source].try_emplace(target, offered);
    if (!is_new && offered < arc->second) arc->second = offered;
  }

  void Extend(const Cost& cost) {
    if (path_.back() == to_) return Take(cost);
    if (cost.edges == most_) return;
    for (const auto& [target, weight] : arcs_[path_.back()]) {
      if (std::ranges::find(path_, target) != path_.end()) continue;
      path_.push_back(target);
      Extend(cost + Cost{weight, 1});
      path_.pop_back();
    }
  }

  void Take(const Cost& cost) {
    if (shortest_.paths > 0 && best_ < cost) return;
    if (shortest_.paths == 0 || cost < best_) {
      best_ = cost;
      shortest_ = {path_, 1};
      return;
    }
    ++shortest_.paths;
    const auto rank = [&](VertexId v) { return ranks_[v]; };
    if (std::ranges::lexicographical_compare(path_, shortest_.vertices, {}, rank, rank)) {
      shortest_.vertices = path_;
    }
  }

  const bool by_weight_;
  const int most_;
  const Ranks& ranks_;
  std::map<VertexId, std::map<VertexId, PathWeight>> arcs_;
  VertexId to_ = kNoVertex;
  std::vector<VertexId> path_;
  Cost best_;
  Shortest shortest_;
};

inline Ranks RandomRanks(VertexId ids, std::mt19937_64& random) {
  Ranks ranks(ids);
  std::iota(ranks.begin(), ranks.end(), VertexId{0});
  std::ranges::shuffle(ranks, random);
  return ranks;
}

// Equal sums are frequent, also of fractions that a double adds up inexactly.
inline Weight RandomWeight(std::uint64_t seed, std::mt19937_64& random) {
  const auto number = static_cast<std::int64_t>(random() % 5);
  if (seed % 3 == 0) return Weight::Integer(number);
  return Weight::Real(static_cast<double>(number) * (seed % 3 == 1 ? 0.25 : 0.1));
}

inline FollowedEdges RandomDirection(std::mt19937_64& random) {
  constexpr FollowedEdges kFollowed[] = {FollowedEdges::kOut, FollowedEdges::kIn,
                                         FollowedEdges::kBoth};
  return kFollowed[random() % 3];
}

// The same edges between vertices with other ids (by id), in another order.
inline std::vector<IdEdge> Renumbered(std::vector<IdEdge> edges, const Ranks& ids,
                                      std::mt19937_64& random) {
  for (IdEdge& edge : edges) {
    edge.source = ids[edge.source];
    edge.target = ids[edge.target];
  }
  std::ranges::shuffle(edges, random);
  return edges;
}

inline std::vector<IdEdge> RandomEdges(std::uint64_t seed, VertexId ids, std::mt19937_64& random) {
  std::vector<IdEdge> edges;
  const std::size_t count = 2 + random() % (3 * ids);
  for (std::size_t i = 0; i < count; ++i) {
    edges.push_back({static_cast<VertexId>(random() % ids), static_cast<VertexId>(random() % ids),
                     RandomWeight(seed, random)});
  }
  return edges;
}

// The view of a window with this policy, of which the oldest slice has aged out. Some edges are
// removed again.
inline WindowView RandomWindow(StoreKind kind, DuplicatesPolicy policy, std::uint64_t seed,
                               VertexId ids) {
  std::mt19937_64 random(seed);
  SingleWindow window({kind, policy, true});
  for (std::uint64_t slice = 0; slice < 4; ++slice) {
    SliceOperations operations;
    for (const IdEdge& edge : RandomEdges(seed, ids, random)) {
      operations.push_back(Add(edge.source, edge.target, edge.weight));
      if (random() % 8 == 0) operations.push_back(Remove(edge.source, edge.target));
    }
    window.Add(MakeSlice(slice, operations));
  }
  window.AgeOutOldest();
  return window.Publish(ids).view;
}

}  // namespace sash::testing
