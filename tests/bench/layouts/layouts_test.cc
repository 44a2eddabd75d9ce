// Compares every prototype with a plain window over random slices, with views that stay pinned.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "daemon/generate/random.h"
#include "tests/bench/layouts/copying_layout.h"
#include "tests/bench/layouts/forward_layout.h"
#include "tests/bench/layouts/implicit_layout.h"
#include "tests/bench/layouts/layout_stream.h"
#include "tests/bench/layouts/layout_window.h"
#include "tests/bench/layouts/linked_layout.h"

namespace sash::bench {
namespace {

constexpr VertexId kIds = 700;  // more than a page of vertex entries

using Lists = std::vector<std::vector<VertexId>>;

// Edges between few vertices, including hubs, some of which are silent for a long time.
BenchEdges RandomEdges(std::uint64_t seed, std::size_t count) {
  Xoshiro256 random(seed);
  BenchEdges edges;
  edges.id_limit = kIds;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t crowd = random.Below(3) == 0 ? 5 : kIds;
    edges.sources.push_back(static_cast<VertexId>(random.Below(crowd)));
    edges.targets.push_back(static_cast<VertexId>(random.Below(kIds)));
  }
  return edges;
}

// The lists of one direction, from the slices up to `end`.
Lists PlainLists(const LayoutStream& stream, std::size_t begin, std::size_t end,
                 Direction direction) {
  std::set<std::tuple<std::size_t, VertexId, VertexId>> dead;
  for (std::size_t s = 0; s < end; ++s) {
    for (const Death& death : stream.deaths[s]) {
      dead.emplace(death.slice, death.source, death.target);
    }
  }
  Lists lists(stream.id_limit);
  for (std::size_t s = begin; s < end; ++s) {
    const Slice& slice = *stream.slices[s];
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const VertexId source = slice.sources[i];
      const VertexId target = slice.targets[i];
      if (dead.contains({s, source, target})) continue;
      if (direction == Direction::kOut) lists[source].push_back(target);
      if (direction == Direction::kIn) lists[target].push_back(source);
    }
  }
  for (auto& list : lists) std::ranges::sort(list);
  return lists;
}

// Moves the layout through the whole stream; each view must show its own window when it is made and
// two advances later.
template <typename Layout>
void ShowsTheWindow(const LayoutStream& stream, const Layout& empty = Layout()) {
  struct Pinned {
    typename Layout::View view;
    Lists expected;
  };
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    Layout layout = empty;
    std::vector<Pinned> pinned;
    const auto holds = [&](const Pinned& pin) {
      return ListDifference(pin.view, stream.id_limit,
                            [&](VertexId v) { return std::span(pin.expected[v]); });
    };
    for (std::size_t s = 0; s < stream.slices.size(); ++s) {
      layout.Add(*stream.slices[s], direction, stream.id_limit, stream.deaths[s]);
      const std::size_t begin = s < stream.length ? 0 : s + 1 - stream.length;
      if (s >= stream.length) layout.AgeOutOldest();
      pinned.push_back({layout.Publish(), PlainLists(stream, begin, s + 1, direction)});
      ASSERT_EQ(holds(pinned.back()), std::nullopt) << "slice " << s;
      if (s >= 2) {
        ASSERT_EQ(holds(pinned[s - 2]), std::nullopt) << "slice " << s;
      }
    }
  }
}

LayoutStream RandomKeep(std::uint64_t seed, std::size_t length) {
  return KeepStream(RandomEdges(seed, 40 * length), length);
}

LayoutStream RandomDying(std::uint64_t seed, std::size_t length, double share) {
  return DyingStream(RandomEdges(seed, 40 * length), length, share, seed);
}

class LayoutsTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(LayoutsTest, ExplicitLinksShowTheWindow) {
  ShowsTheWindow<ExplicitLayout>(RandomKeep(GetParam(), 12));
}

TEST_P(LayoutsTest, ImplicitLinksShowTheWindow) {
  ShowsTheWindow<ImplicitLayout>(RandomKeep(GetParam(), 12));
}

TEST_P(LayoutsTest, EveryCopyPolicyShowsTheWindow) {
  for (const std::uint32_t cutoff : {0U, 1U, 4U, 30U, 10'000U}) {
    SCOPED_TRACE(cutoff);
    ShowsTheWindow(RandomKeep(GetParam(), 12), CopyingLayout({.at_most = cutoff}));
    ShowsTheWindow(RandomKeep(GetParam(), 12), CopyingLayout({.at_least = cutoff}));
  }
}

TEST_P(LayoutsTest, DeletionVectorsHideWhatDiedFromNewViewsAlone) {
  for (const double share : {0.05, 0.5, 1.0}) {
    ShowsTheWindow<DeletionVectorLayout>(RandomDying(GetParam(), 12, share));
  }
}

TEST_P(LayoutsTest, CopyOnDeleteHidesWhatDiedFromNewViewsAlone) {
  for (const double share : {0.05, 0.5, 1.0}) {
    for (const CopyPolicy policy : {CopyPolicy{}, CopyPolicy{.at_most = 4}}) {
      ShowsTheWindow(RandomDying(GetParam(), 12, share), CopyingLayout(policy));
    }
  }
}

TEST_P(LayoutsTest, TheShareThatDiesIsTheOneAskedFor) {
  const LayoutStream stream = RandomDying(GetParam(), 100, 0.2);
  std::size_t born = 0;
  std::size_t died = 0;
  for (std::size_t s = 0; s < stream.slices.size(); ++s) {
    // Edges added later may die after the end of the stream.
    if (s + stream.length <= stream.slices.size()) born += stream.slices[s]->size();
    for (const Death& death : stream.deaths[s]) {
      EXPECT_LT(death.slice, s);
      EXPECT_GT(death.slice + stream.length, s);
      died += death.slice + stream.length <= stream.slices.size() ? 1 : 0;
    }
  }
  EXPECT_NEAR(static_cast<double>(died) / static_cast<double>(born), 0.2, 0.05);
}

// The weights of a window's pairs, by counting their events.
std::map<std::pair<VertexId, VertexId>, std::int64_t> PlainWeights(const LayoutStream& stream,
                                                                   std::size_t begin,
                                                                   std::size_t end) {
  std::map<std::pair<VertexId, VertexId>, std::int64_t> weights;
  for (std::size_t s = begin; s < end; ++s) {
    const Slice& slice = *stream.slices[s];
    for (std::size_t i = 0; i < slice.size(); ++i) {
      weights[{slice.sources[i], slice.targets[i]}] += slice.weights[i].integer();
    }
  }
  return weights;
}

// Few pairs, so that chains of copies go through many slices.
LayoutStream RandomWeighed(std::uint64_t seed, std::size_t length) {
  BenchEdges edges = RandomEdges(seed, 40 * length);
  for (VertexId& source : edges.sources) source %= 13;
  for (VertexId& target : edges.targets) target %= 17;
  return WeighStream(edges, length);
}

TEST_P(LayoutsTest, ForwardPointersShowTheWindow) {
  ShowsTheWindow<ForwardLayout>(RandomWeighed(GetParam(), 12));
}

TEST_P(LayoutsTest, ForwardPointersKeepWeightsRightAtEveryStep) {
  const LayoutStream stream = RandomWeighed(GetParam(), 12);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    ForwardLayout layout;
    for (std::size_t s = 0; s < stream.slices.size(); ++s) {
      layout.Add(*stream.slices[s], direction, stream.id_limit, stream.deaths[s]);
      if (s >= stream.length) layout.AgeOutOldest();
      const ForwardLayout::View view = layout.Publish();
      std::map<std::pair<VertexId, VertexId>, std::int64_t> weights;
      for (VertexId v = 0; v < stream.id_limit; ++v) {
        view.ForEachWeighted(v, [&](VertexId u, std::int64_t weight) {
          weights[direction == Direction::kOut ? std::pair(v, u) : std::pair(u, v)] = weight;
        });
      }
      const std::size_t begin = s < stream.length ? 0 : s + 1 - stream.length;
      ASSERT_EQ(weights, PlainWeights(stream, begin, s + 1)) << "slice " << s;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LayoutsTest, ::testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace sash::bench
