#include "tests/support/engine_harness.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sash::testing {

std::vector<ListedEdge> ListOut(const WindowView& view, const VertexDictionary& keys) {
  std::vector<ListedEdge> edges;
  VisitView(view, [&](const auto& graph) {
    for (const VertexId u : graph.vertices()) {
      for (const auto& neighbor : graph.weighted_out(u)) {
        edges.push_back({keys.IntegerOf(u), keys.IntegerOf(neighbor.vertex), neighbor.weight});
      }
    }
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<ListedEdge> ListIn(const WindowView& view, const VertexDictionary& keys) {
  std::vector<ListedEdge> edges;
  VisitView(view, [&](const auto& graph) {
    for (const VertexId v : graph.vertices()) {
      for (const auto& neighbor : graph.weighted_in(v)) {
        edges.push_back({keys.IntegerOf(neighbor.vertex), keys.IntegerOf(v), neighbor.weight});
      }
    }
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

void ExpectConsistent(const WindowView& view, const VertexDictionary& keys) {
  EXPECT_EQ(ListOut(view, keys), ListIn(view, keys));
  VisitView(view, [&](const auto& graph) {
    std::uint64_t out_total = 0;
    std::uint64_t in_total = 0;
    std::vector<bool> listed(graph.id_limit());
    for (const VertexId v : graph.vertices()) {
      listed[v] = true;
      out_total += graph.out_degree(v);
      in_total += graph.in_degree(v);
      std::uint32_t walked = 0;
      for ([[maybe_unused]] const VertexId u : graph.out(v)) ++walked;
      EXPECT_EQ(walked, graph.out_degree(v));
      walked = 0;
      for ([[maybe_unused]] const VertexId u : graph.in(v)) ++walked;
      EXPECT_EQ(walked, graph.in_degree(v));
    }
    EXPECT_TRUE(std::ranges::is_sorted(graph.vertices()));
    EXPECT_EQ(out_total, graph.edge_count());
    EXPECT_EQ(in_total, graph.edge_count());
    for (VertexId v = 0; v < graph.id_limit(); ++v) {
      EXPECT_EQ(listed[v], graph.out_degree(v) + graph.in_degree(v) > 0) << "vertex " << v;
    }
    std::vector<std::pair<VertexId, VertexId>> bulk;
    std::vector<std::pair<VertexId, VertexId>> single;
    graph.ForEachIn(0, graph.id_limit(), [&](VertexId v, VertexId u) { bulk.emplace_back(v, u); });
    for (const VertexId v : graph.vertices()) {
      for (const VertexId u : graph.in(v)) single.emplace_back(v, u);
    }
    std::ranges::sort(bulk);
    std::ranges::sort(single);
    EXPECT_EQ(bulk, single);
  });
}

}  // namespace sash::testing
