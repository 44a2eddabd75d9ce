#include "windows/kernels/following/tracked_pagerank.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/support/rank_difference.h"
#include "tests/support/seed_range.h"
#include "tests/support/sliding_view.h"
#include "tests/support/store_specs.h"
#include "windows/store/multiversioned_view.h"

namespace sash {
namespace {

using testing::L1Difference;
using testing::SlidingView;
using View = SlidingView::View;

constexpr double kExact = 1e-13;

std::vector<double> Truth(const View& view) {
  return PageRank(*view,
                  {.tolerance = kExact, .max_iterations = 1'000, .precision = Precision::kDouble})
      .ranks;
}

class TrackedPageRankTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(TrackedPageRankTest, FindsTheRanksOfEveryWindowThatItFollows) {
  for (const Precision precision : {Precision::kDouble, Precision::kSingle, Precision::kBfloat16}) {
    SCOPED_TRACE(static_cast<int>(precision));
    SlidingView window(GetParam(), 1, 80, 200);
    PageRankOptions options{.tolerance = kExact, .max_iterations = 1'000, .precision = precision};
    TrackedPageRank tracked;
    ASSERT_LE(L1Difference(tracked.Begin(*window.view(), options).ranks, Truth(window.view())),
              1e-11);
    for (int i = 0; i < testing::Rounds(40); ++i) {
      SCOPED_TRACE(i);
      options.threads = i % 2 + 1;
      const View before = window.view();
      const auto followed = tracked.Follow(*before, *window.Advance(), options);
      ASSERT_TRUE(followed);
      EXPECT_TRUE(followed->converged);
      EXPECT_NEAR(std::accumulate(followed->ranks.begin(), followed->ranks.end(), 0.0), 1, 1e-12);
      ASSERT_LE(L1Difference(followed->ranks, Truth(window.view())), 1e-11);
    }
  }
}

// With a tolerance that jobs use, errors must not accumulate over many windows.
TEST_P(TrackedPageRankTest, ErrorsDoNotAddUp) {
  SlidingView window(GetParam(), 2, 80, 200);
  TrackedPageRank tracked;
  const double tolerance = 1e-5;
  tracked.Begin(*window.view(), {.tolerance = tolerance});
  for (int i = 0; i < 200; ++i) {
    const View before = window.view();
    const auto followed = tracked.Follow(*before, *window.Advance(), {.tolerance = tolerance});
    ASSERT_TRUE(followed);
    if (i % 20 != 19) continue;
    SCOPED_TRACE(i);
    // Each iteration shrinks the remaining change at least by the damping factor.
    EXPECT_LE(L1Difference(followed->ranks, Truth(window.view())), tolerance * 0.85 / 0.15);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, TrackedPageRankTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

TEST(TrackedPageRankTest, TakesFewerIterationsThanARunFromNothing) {
  SlidingView window({}, 3, 200, 200);
  TrackedPageRank tracked;
  const int full = tracked.Begin(*window.view(), {}).iterations;
  int followed = 0;
  for (int i = 0; i < 10; ++i) {
    const View before = window.view();
    followed += tracked.Follow(*before, *window.Advance(), {})->iterations;
  }
  EXPECT_LT(followed, 10 * full * 3 / 4);
}

TEST(TrackedPageRankTest, AViewWithoutChangesIsFollowedAtOnce) {
  SlidingView window({}, 4, 20, 200);
  TrackedPageRank tracked;
  const PageRankResult first = tracked.Begin(*window.view(), {});
  const auto second = tracked.Follow(*window.view(), *window.view(), {});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->iterations, 1);
  EXPECT_LE(L1Difference(first.ranks, second->ranks), 1e-6);
}

TEST(TrackedPageRankTest, BeginsAnewWhenThereIsNothingToFollow) {
  SlidingView window({}, 5, 20, 200);
  TrackedPageRank tracked;
  const View before = window.view();
  const View after = window.Advance(10);
  EXPECT_FALSE(tracked.Follow(*before, *before, {})) << "nothing was ranked";
  tracked.Begin(*before, {});
  EXPECT_FALSE(tracked.Follow(*before, *after, {})) << "half of the window has changed";
  EXPECT_FALSE(tracked.Follow(*before, *before, {})) << "there is no earlier result to follow";
  tracked.Begin(*before, {});
  EXPECT_FALSE(tracked.Follow(*before, *before, {.damping = 0.5})) << "the damping has changed";
  tracked.Begin(*before, {.progress = [](int, double) { return false; }});
  EXPECT_FALSE(tracked.Follow(*before, *before, {})) << "the run was cancelled";
}

TEST(TrackedPageRankTest, AWindowMayRunEmpty) {
  const auto store = MakeSliceStore({});
  const auto window = store->Open(0);
  store->Add(testing::MakeSlice(0, {testing::Add(1, 2, Weight::Integer(1))}));
  const auto before = std::get<View>(window->Publish(10).view);
  window->AgeOutOldest();
  const auto after = std::get<View>(window->Publish(10).view);
  TrackedPageRank tracked;
  tracked.Begin(*before, {});
  EXPECT_FALSE(tracked.Follow(*before, *after, {}));
  EXPECT_TRUE(tracked.Begin(*after, {}).converged);
  EXPECT_FALSE(tracked.Follow(*after, *before, {}));
}

}  // namespace
}  // namespace sash
