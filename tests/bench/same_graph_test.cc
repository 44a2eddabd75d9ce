#include "tests/bench/same_graph.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/bench/bench_edges.h"
#include "tests/bench/moving_window.h"

namespace sash::bench {
namespace {

BenchEdges SomeEdges() {
  BenchOptions options;
  options.scale = 8;
  return DrawEdges(options, 1200);
}

WindowView Publish(const BenchEdges& edges, StoreKind kind) {
  MovingWindow window({.kind = kind, .removals = false}, CutIntoSlices(edges, 0, edges.size(), 12),
                      edges.id_limit);
  return window.FreshView();
}

TEST(SameGraphTest, EveryStoreShowsTheEdgesItWasGiven) {
  const BenchEdges edges = SomeEdges();
  const auto plain = MakePlainCsr(edges, 0, edges.size());
  EXPECT_EQ(Difference(Publish(edges, StoreKind::kMultiversioned), *plain), std::nullopt);
  EXPECT_EQ(Difference(Publish(edges, StoreKind::kRebuild), *plain), std::nullopt);
}

TEST(SameGraphTest, SeesOneEdgeThatIsMissing) {
  const BenchEdges edges = SomeEdges();
  const auto fewer = MakePlainCsr(edges, 1, edges.size());
  EXPECT_EQ(Difference(Publish(edges, StoreKind::kMultiversioned), *fewer),
            "1200 edges instead of 1199");
}

TEST(SameGraphTest, SeesOneEdgeThatLeadsElsewhere) {
  const BenchEdges edges = SomeEdges();
  BenchEdges other = edges;
  other.targets[600] = edges.targets[600] == 0 ? 1 : 0;
  const auto plain = MakePlainCsr(other, 0, other.size());
  EXPECT_NE(Difference(Publish(edges, StoreKind::kMultiversioned), *plain), std::nullopt);
}

TEST(SameGraphTest, SeesOneWeightThatIsAnother) {
  const auto graph_of = [](std::int64_t weight) {
    EdgeList edges{{0, 0, 1}, {1, 2, 2}, WeightColumn(3, WeightColumn::Kind::kIntegers)};
    edges.weights.Set(1, Weight::Integer(weight));
    return std::make_shared<const CsrGraph>(edges, 3);
  };
  EXPECT_EQ(Difference(graph_of(5), *graph_of(5)), std::nullopt);
  EXPECT_EQ(Difference(graph_of(6), *graph_of(5)), "an edge of vertex 0 has another weight");
}

TEST(SameGraphTest, TheSameSeedDrawsTheSameEdges) {
  EXPECT_EQ(SomeEdges().sources, SomeEdges().sources);
  EXPECT_EQ(SomeEdges().targets, SomeEdges().targets);
}

}  // namespace
}  // namespace sash::bench
