#include "windows/kernels/following/bfs_follow.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tests/support/seed_range.h"
#include "tests/support/sliding_view.h"
#include "tests/support/store_specs.h"
#include "windows/kernels/bfs.h"
#include "windows/store/multiversioned_view.h"

namespace sash {
namespace {

using testing::SlidingView;
using View = SlidingView::View;
using Roots = std::vector<std::vector<VertexId>>;  // for each search

std::vector<BfsResult> FromNothing(const View& view, const Roots& roots,
                                   const BfsOptions& options) {
  std::vector<BfsResult> results;
  for (const std::vector<VertexId>& of : roots) results.push_back(Bfs(*view, of, options));
  return results;
}

std::optional<FollowedBfs> Follow(const View& before, const View& after,
                                  const std::vector<BfsResult>& found, const Roots& roots,
                                  const BfsOptions& options) {
  std::vector<EarlierBfs> searches;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    searches.push_back({roots[i], found[i].depths, found[i].levels});
  }
  return FollowBfs(*before, *after, searches, options);
}

void ExpectSameSearches(const std::vector<BfsResult>& found,
                        const std::vector<BfsResult>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(found[i].depths, expected[i].depths);
    EXPECT_EQ(found[i].levels, expected[i].levels);
    EXPECT_EQ(found[i].reached, expected[i].reached);
  }
}

// Roots that stay, roots that come and go, and unknown roots.
Roots SomeRoots() {
  return {{7}, {3, 11, 3, 19}, {400}, {1'200, 2'000}, {kNoVertex}, {SlidingView::kIds + 5, 1}, {}};
}

class BfsFollowTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(BfsFollowTest, FindsTheDepthsOfEveryWindowThatItFollows) {
  for (const auto shape : {SlidingView::Shape::kHubs, SlidingView::Shape::kChains}) {
    for (const auto follow : {FollowedEdges::kOut, FollowedEdges::kIn, FollowedEdges::kBoth}) {
      SCOPED_TRACE(::testing::Message() << "shape " << static_cast<int>(shape) << ", follow "
                                        << static_cast<int>(follow));
      SlidingView window(GetParam(), 1, 160, 100, shape);
      BfsOptions options{.follow = follow};
      const Roots roots = SomeRoots();
      std::vector<BfsResult> found = FromNothing(window.view(), roots, options);
      std::size_t followed = 0;
      for (int i = 0; i < testing::Rounds(60); ++i) {
        SCOPED_TRACE(i);
        options.threads = i % 2 + 1;
        const View before = window.view();
        auto next = Follow(before, window.Advance(), found, roots, options);
        auto expected = FromNothing(window.view(), roots, options);
        if (next) ExpectSameSearches(next->results, expected);
        ASSERT_FALSE(HasFailure());
        followed += next ? roots.size() - next->restarted : 0;
        found = std::move(expected);
      }
      EXPECT_GE(followed, testing::Rounds(60) * 3);  // two of the searches reach no vertex
    }
  }
}

// One vertex stops being a root and others become roots, as when keys get other ids.
TEST_P(BfsFollowTest, FollowsWhereRootsAreOtherVertices) {
  SlidingView window(GetParam(), 2, 160, 100, SlidingView::Shape::kChains);
  const Roots all = {{7}, {3, 11}, {}, {900, 7}, {30}};
  std::vector<BfsResult> found = FromNothing(window.view(), {all[4]}, {});
  for (std::size_t i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const View before = window.view();
    const Roots roots = {all[i % all.size()]};
    auto next = Follow(before, window.Advance(), found, roots, {});
    const auto expected = FromNothing(window.view(), roots, {});
    ASSERT_TRUE(next);
    ExpectSameSearches(next->results, expected);
    ASSERT_FALSE(HasFailure());
    found = std::move(next->results);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, BfsFollowTest, ::testing::ValuesIn(testing::MultiversionedSpecs()),
                         testing::SpecName);

TEST(BfsFollowTest, GivesUpWhereMuchHasChangedAndNotWhereNothingHas) {
  SlidingView window({}, 3, 20, 200);
  const Roots roots = {{7}, {1}};
  const auto found = FromNothing(window.view(), roots, {});
  const View before = window.view();
  const auto same = Follow(before, before, found, roots, {});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->restarted, 0u);
  ExpectSameSearches(same->results, found);
  EXPECT_FALSE(Follow(before, window.Advance(5), found, roots, {}));
}

TEST(BfsFollowTest, TheNumberOfThreadsDecidesNothing) {
  SlidingView window({}, 4, 160, 100, SlidingView::Shape::kChains);
  const Roots roots = {{7}};
  auto found = FromNothing(window.view(), roots, {});
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const View before = window.view();
    window.Advance();
    const auto one = Follow(before, window.view(), found, roots, {.threads = 1});
    const auto many = Follow(before, window.view(), found, roots, {.threads = 4});
    ASSERT_TRUE(one && many);
    EXPECT_EQ(one->restarted, many->restarted);
    ExpectSameSearches(one->results, many->results);
    found = one->results;
  }
}

TEST(BfsFollowTest, StopsWhenItIsToldTo) {
  SlidingView window({}, 5, 160, 100);
  const Roots roots = {{7}};
  const auto found = FromNothing(window.view(), roots, {});
  const View before = window.view();
  const BfsOptions options{.progress = [](int, double) { return false; }};
  const auto stopped = Follow(before, window.Advance(), found, roots, options);
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->cancelled);
}

}  // namespace
}  // namespace sash
