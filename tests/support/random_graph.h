// Random pairs of vertices, and the plain graph of some pairs.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "windows/store/counting_sort.h"
#include "windows/store/csr_graph.h"

namespace sash::testing {

using Pairs = std::vector<std::pair<VertexId, VertexId>>;

inline CsrGraph MakeCsr(const Pairs& pairs, VertexId id_limit) {
  EdgeList edges;
  for (const auto& [source, target] : pairs) {
    edges.sources.push_back(source);
    edges.targets.push_back(target);
  }
  edges.weights = WeightColumn(pairs.size(), WeightColumn::Kind::kOnes);
  edges = StableSortBy(std::move(edges), &EdgeList::targets, id_limit);
  edges = StableSortBy(std::move(edges), &EdgeList::sources, id_limit);
  return CsrGraph(edges, id_limit);
}

// Some ids have no edge, some pairs are parallel, some are loops, and low ids are hubs.
inline Pairs RandomPairs(std::uint64_t seed, VertexId id_limit, std::size_t edges) {
  std::mt19937_64 random(seed);
  const auto skewed = [&] {
    const std::uint64_t a = random() % id_limit;
    const std::uint64_t b = random() % id_limit;
    return static_cast<VertexId>(a * b / id_limit);
  };
  Pairs pairs;
  for (std::size_t i = 0; i < edges; ++i) pairs.emplace_back(skewed(), skewed());
  return pairs;
}

// For each vertex, the other ends of its edges in both directions, without itself.
inline std::vector<std::set<VertexId>> NeighbourSets(const Pairs& pairs, VertexId id_limit) {
  std::vector<std::set<VertexId>> neighbours(id_limit);
  for (const auto& [source, target] : pairs) {
    if (source == target) continue;
    neighbours[source].insert(target);
    neighbours[target].insert(source);
  }
  return neighbours;
}

}  // namespace sash::testing
