// The lists that plug-ins read.
#include "windows/jobs/plugin/plugin_lists.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <tuple>

#include "tests/support/both_views.h"

namespace sash {
namespace {

// The edges that read_lists() gives of a view, with weights and types.
struct ReadEdges {
  std::multiset<std::tuple<sash_id, sash_id, double, std::uint32_t>> edges;
  bool is_plain = false;

  static int Visit(void* state, const sash_lists* lists) {
    auto& self = *static_cast<ReadEdges*>(state);
    self.is_plain = lists->weights == nullptr && lists->types == nullptr;
    for (std::size_t i = 0; i < lists->count; ++i) {
      for (std::uint32_t j = 0; j < lists->lengths[i]; ++j) {
        self.edges.emplace(lists->vertices[i], lists->neighbours[i][j],
                           lists->weights == nullptr ? 1 : lists->weights[i][j],
                           lists->types == nullptr ? 0 : lists->types[i][j]);
      }
    }
    return 0;
  }
};

TEST(PluginListsTest, TheyAreTheListsOfBothViewsWhateverThePart) {
  constexpr VertexId kIds = 900;
  std::vector<testing::IdEdge> edges = testing::Unweighted(testing::RandomPairs(5, kIds, 6'000));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].weight = Weight::Integer(static_cast<std::int64_t>(i % 7));
  }
  for (std::size_t i = 0; i < 3'000; ++i) {  // a list of several chunks
    edges.push_back({3, static_cast<VertexId>(i % kIds), Weight::Integer(2)});
  }
  const std::atomic<bool> stop = false;
  const auto check = [&](const WindowView& view, std::size_t vertices) {
    for (const int direction : {SASH_OUT, SASH_IN}) {
      ReadEdges plain;
      ReadEdges whole;
      for (std::size_t first = 0; first < vertices; first += 333) {
        EXPECT_EQ(
            ReadPluginLists(view, direction, 0, first, first + 333, stop, ReadEdges::Visit, &plain),
            0);
        ReadPluginLists(view, direction, SASH_WEIGHTS | SASH_TYPES, first, first + 333, stop,
                        ReadEdges::Visit, &whole);
      }
      EXPECT_TRUE(plain.is_plain);
      EXPECT_FALSE(whole.is_plain);
      ReadEdges expected_plain;
      ReadEdges expected;
      for (const testing::IdEdge& edge : edges) {
        const VertexId from = direction == SASH_OUT ? edge.source : edge.target;
        const VertexId to = direction == SASH_OUT ? edge.target : edge.source;
        expected_plain.edges.emplace(from, to, 1, 0);
        expected.edges.emplace(from, to, edge.weight.AsDouble(), 0);
      }
      EXPECT_EQ(plain.edges, expected_plain.edges);
      EXPECT_EQ(whole.edges, expected.edges);
    }
  };
  const auto plain = std::make_shared<const CsrGraph>(testing::MakeCsr(edges, kIds));
  check(plain, plain->vertices().size());
  const auto moved = testing::MakeMultiversioned(edges, kIds);
  check(moved, moved->vertices().size());
}

}  // namespace
}  // namespace sash
