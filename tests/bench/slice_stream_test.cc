#include "tests/bench/slice_stream.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sash::bench {
namespace {

BenchEdges Draw(const StreamChanges& changes) {
  BenchOptions options;
  options.scale = 16;
  options.graph = GraphShape::kUniform;
  return DrawEdges(options, 20'000, changes);
}

TEST(SliceStreamTest, TheFirstSlicesComeAgainAsNewOnes) {
  const SliceStream stream(Draw({}), 1500);  // 13 slices, and a rest that is left out
  const auto first = stream.At(0);
  const auto again = stream.At(13);
  EXPECT_EQ(again->sources, first->sources);
  EXPECT_EQ(again->targets, first->targets);
  EXPECT_EQ(again->id, SliceId{13});
  EXPECT_NE(stream.At(12)->sources, first->sources);
  EXPECT_EQ(stream.Range(12, 15).size(), 3U);
}

TEST(SliceStreamTest, TheShareThatRepeatsOneOfTheRecentIsTheOneAskedFor) {
  constexpr std::size_t kRecent = 1000;
  const BenchEdges edges = Draw({.duplicates = 0.2, .recent = kRecent});
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i - std::min(i, kRecent); j < i; ++j) {
      if (edges.sources[j] != edges.sources[i] || edges.targets[j] != edges.targets[i]) continue;
      ++repeated;
      break;
    }
  }
  EXPECT_NEAR(static_cast<double>(repeated), 4000, 200);
}

TEST(SliceStreamTest, TheShareOfRemovalsIsTheOneAskedFor) {
  const BenchEdges edges = Draw({.removals = 0.05, .recent = 1000});
  EXPECT_NEAR(static_cast<double>(std::ranges::count(edges.operations, Operation::kRemove)), 1000,
              150);
  EXPECT_EQ(SliceStream(edges, 100).At(3)->operations.size(), 100U);
  EXPECT_TRUE(SliceStream(Draw({}), 100).At(3)->operations.empty());
}

}  // namespace
}  // namespace sash::bench
