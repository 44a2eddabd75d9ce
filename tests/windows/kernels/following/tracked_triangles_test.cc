#include "windows/kernels/following/tracked_triangles.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/seed_range.h"
#include "tests/support/sliding_view.h"
#include "tests/support/store_specs.h"
#include "windows/kernels/triangles.h"
#include "windows/store/multiversioned_view.h"

namespace sash {
namespace {

using testing::SlidingView;
using View = SlidingView::View;

// A window whose triangles are followed. Each step is compared with a run from nothing.
class FollowedWindow {
 public:
  FollowedWindow(const StoreSpec& spec, std::uint64_t seed, std::size_t slices,
                 std::size_t slice_size, SlidingView::Shape shape = SlidingView::Shape::kHubs)
      : window_(spec, seed, slices, slice_size, shape),
        newest_(tracked_.Begin(*window_.view(), {})) {}

  // Whether the run followed the window.
  bool Step(std::size_t slices, const TrianglesOptions& options) {
    const View before = window_.view();
    auto followed = tracked_.Follow(*before, *window_.Advance(slices), newest_.counts, options);
    const TrianglesResult expected = Triangles(*window_.view());
    if (!followed) {
      newest_ = tracked_.Begin(*window_.view(), options);
      return false;
    }
    EXPECT_EQ(followed->triangles, expected.triangles);
    EXPECT_EQ(followed->counts, expected.counts);
    newest_ = *std::move(followed);
    return true;
  }

  TrackedTriangles& tracked() { return tracked_; }
  SlidingView& window() { return window_; }
  const TrianglesResult& newest() const { return newest_; }

 private:
  SlidingView window_;
  TrackedTriangles tracked_;
  TrianglesResult newest_;
};

class TrackedTrianglesTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(TrackedTrianglesTest, CountsThoseOfEveryWindowThatItFollows) {
  for (const auto shape : {SlidingView::Shape::kHubs, SlidingView::Shape::kChains}) {
    FollowedWindow followed(GetParam(), 1, 160, 100, shape);
    EXPECT_GT(followed.newest().triangles, 100u);
    for (int i = 0; i < testing::Rounds(20); ++i) {
      SCOPED_TRACE(i);
      EXPECT_TRUE(followed.Step(1, {.threads = i % 2 + 1}));
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(TrackedTrianglesTest, RandomScriptsCountWhatARunFromNothingCounts) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 5});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "SASH_FIRST_SEED=" << seed << " SASH_SCRIPTS=1");
    std::mt19937_64 random(seed);
    const std::size_t slices = 10 + random() % 120;
    FollowedWindow followed(
        GetParam(), seed, slices, 1 + random() % 60,
        random() % 2 == 0 ? SlidingView::Shape::kHubs : SlidingView::Shape::kChains);
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(i);
      followed.Step(random() % 4, {.threads = static_cast<int>(random() % 3)});
      ASSERT_FALSE(HasFailure());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, TrackedTrianglesTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

TEST(TrackedTrianglesTest, GivesUpWhereMuchHasChangedAndNotWhereNothingHas) {
  FollowedWindow followed({}, 3, 40, 200);
  EXPECT_TRUE(followed.Step(0, {}));
  EXPECT_FALSE(followed.Step(10, {}));
  EXPECT_TRUE(followed.Step(1, {}));
}

TEST(TrackedTrianglesTest, WhatLeftAndWhatCameAreOnePhase) {
  std::vector<RunPhase> phases;
  const TrianglesOptions options{.progress = {[](int, double) { return true; },
                                              [&](RunPhase phase) { phases.push_back(phase); }}};
  FollowedWindow followed({}, 5, 80, 200);
  EXPECT_TRUE(followed.Step(1, options));
  EXPECT_EQ(phases,
            (std::vector{RunPhase::kPreparing, RunPhase::kComputing, RunPhase::kFinishing}));
}

TEST(TrackedTrianglesTest, ARunThatWasStoppedIsNotFollowed) {
  const TrianglesOptions stopping{.progress = [](int, double) { return false; }};
  FollowedWindow followed({}, 4, 80, 200);
  const View before = followed.window().view();
  const auto stopped = followed.tracked().Follow(*before, *followed.window().Advance(),
                                                 followed.newest().counts, stopping);
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->cancelled);
  EXPECT_FALSE(followed.Step(1, {}));
  EXPECT_TRUE(followed.Step(1, {}));
}

}  // namespace
}  // namespace sash
