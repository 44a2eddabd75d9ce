// FirstPath: of several paths with equally many edges, the one whose vertices come first in a given
// order, compared vertex by vertex; and the number of these paths.
//
// Thread safety: pure functions.
//
// Source: counting paths in layers is dynamic programming; the order is the lexicographic one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/edge_difference.h"  // VertexPair

namespace sash {

// layers[i]: the pairs that the edges at place i of the paths connect. Every pair is on a path.
using PathLayers = std::vector<std::vector<VertexPair>>;

// A greater number of paths is counted as this one: every double, and so every reader of JSON,
// holds it exactly.
inline constexpr std::uint64_t kMostPathsCounted = std::uint64_t{1} << 53;

struct FirstPath {
  std::vector<VertexId> vertices;
  std::uint64_t paths = 0;  // at most kMostPathsCounted; parallel edges do not make several paths
};

namespace first_path {

inline bool IsBefore(const VertexPair& a, const VertexPair& b) {
  return a.source != b.source ? a.source < b.source : a.target < b.target;
}

// The pairs of a vertex; `layer` is in order.
inline std::span<const VertexPair> PairsOf(std::span<const VertexPair> layer, VertexId source) {
  const auto found = std::ranges::equal_range(layer, source, {}, &VertexPair::source);
  return {found.begin(), found.end()};
}

// How many paths there are from a vertex to the end.
struct PathCount {
  VertexId vertex = kNoVertex;
  std::uint64_t paths = 0;
};

inline std::uint64_t CountPaths(const PathLayers& layers) {
  std::vector<PathCount> after;  // by vertex; empty: each vertex is the end
  for (std::size_t i = layers.size(); i-- > 0;) {
    std::vector<PathCount> counts;
    for (const VertexPair& pair : layers[i]) {
      std::uint64_t paths = 1;
      if (!after.empty()) {
        paths = std::ranges::lower_bound(after, pair.target, {}, &PathCount::vertex)->paths;
      }
      if (counts.empty() || counts.back().vertex != pair.source) counts.push_back({pair.source, 0});
      counts.back().paths = std::min(counts.back().paths + paths, kMostPathsCounted);
    }
    after.swap(counts);
  }
  return after.empty() ? 1 : after.front().paths;
}

}  // namespace first_path

// The first path from `from`. `less` is a strict order of all vertices.
template <typename Less>
FirstPath FirstOfPaths(PathLayers layers, VertexId from, const Less& less) {
  for (std::vector<VertexPair>& layer : layers) {
    std::ranges::sort(layer, first_path::IsBefore);
    const auto surplus = std::ranges::unique(layer);
    layer.erase(surplus.begin(), surplus.end());
  }
  FirstPath first{.vertices = {from}, .paths = first_path::CountPaths(layers)};
  for (const std::vector<VertexPair>& layer : layers) {
    VertexId next = kNoVertex;
    for (const VertexPair& pair : first_path::PairsOf(layer, first.vertices.back())) {
      if (next == kNoVertex || less(pair.target, next)) next = pair.target;
    }
    first.vertices.push_back(next);
  }
  return first;
}

}  // namespace sash
