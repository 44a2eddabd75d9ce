// One graph in both kinds of views that kernels run on.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "tests/support/id_edge.h"
#include "tests/support/random_graph.h"
#include "tests/support/single_window.h"
#include "tests/support/store_script.h"

namespace sash::testing {

inline std::vector<IdEdge> Unweighted(const Pairs& pairs) {
  std::vector<IdEdge> edges;
  for (const auto& [source, target] : pairs) edges.push_back({source, target, {}});
  return edges;
}

inline CsrGraph MakeCsr(const std::vector<IdEdge>& edges, VertexId id_limit) {
  EdgeList list;
  list.weights = WeightColumn(edges.size(), WeightColumn::Kind::kMixed);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    list.sources.push_back(edges[i].source);
    list.targets.push_back(edges[i].target);
    list.weights.Set(i, edges[i].weight);
  }
  list = StableSortBy(std::move(list), &EdgeList::targets, id_limit);
  list = StableSortBy(std::move(list), &EdgeList::sources, id_limit);
  return CsrGraph(list, id_limit);
}

// A window with policy `keep` that holds the edges in several slices, so its lists do not ascend.
// An earlier slice has aged out.
inline std::shared_ptr<const MultiversionedView> MakeMultiversioned(
    const std::vector<IdEdge>& edges, VertexId id_limit) {
  constexpr std::size_t kSlices = 5;
  SingleWindow window({StoreKind::kMultiversioned, DuplicatesPolicy::kKeep, true});
  SliceOperations gone;
  for (const IdEdge& edge : edges) gone.push_back(Add(edge.target, edge.source, edge.weight));
  window.Add(MakeSlice(0, gone));
  for (std::size_t slice = 0; slice < kSlices; ++slice) {
    SliceOperations operations;
    for (std::size_t i = slice; i < edges.size(); i += kSlices) {
      operations.push_back(Add(edges[i].source, edges[i].target, edges[i].weight));
    }
    window.Add(MakeSlice(slice + 1, operations));
  }
  window.AgeOutOldest();
  return std::get<std::shared_ptr<const MultiversionedView>>(window.Publish(id_limit).view);
}

// Calls check(graph) for the plain CSR of the edges and for a multiversioned view.
template <typename Check>
void OverBothViews(const std::vector<IdEdge>& edges, VertexId id_limit, const Check& check) {
  {
    SCOPED_TRACE("over a CsrGraph");
    check(MakeCsr(edges, id_limit));
  }
  SCOPED_TRACE("over a MultiversionedView");
  check(*MakeMultiversioned(edges, id_limit));
}

template <typename Check>
void OverBothViews(const Pairs& pairs, VertexId id_limit, const Check& check) {
  OverBothViews(Unweighted(pairs), id_limit, check);
}

// Small graphs of many shapes: sparse and dense, with hubs, holes in the ids, self-loops, parallel
// edges and edges both ways.
struct RandomGraph {
  Pairs pairs;
  VertexId ids = 0;
};

inline RandomGraph MakeRandomGraph(std::uint64_t seed) {
  constexpr VertexId kIds[] = {7, 40, 300, 900};
  constexpr std::size_t kEdges[] = {5, 60, 700, 2'500};
  RandomGraph graph{{}, kIds[seed % 4]};
  graph.pairs = RandomPairs(seed, graph.ids, kEdges[seed / 4 % 4]);
  std::mt19937_64 random(seed);
  const std::size_t drawn = graph.pairs.size();
  for (std::size_t i = 0; i < drawn; ++i) {
    const auto [source, target] = graph.pairs[i];
    if (random() % 4 == 0) graph.pairs.emplace_back(target, source);
    if (random() % 8 == 0) graph.pairs.emplace_back(source, target);
  }
  return graph;
}

}  // namespace sash::testing
