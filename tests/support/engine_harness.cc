#include "tests/support/engine_harness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/view_checks.h"

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
  EXPECT_EQ(Inconsistency(view), "");
}

}  // namespace sash::testing
