#include "windows/kernels/following/strength_follow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "tests/support/seed_range.h"
#include "tests/support/sliding_view.h"
#include "tests/support/store_specs.h"
#include "windows/kernels/strength.h"
#include "windows/store/multiversioned_view.h"

namespace sash {
namespace {

using testing::SlidingView;
using View = SlidingView::View;
using Weights = SlidingView::Weights;

constexpr std::array kDirections = {StrengthEdges::kOut, StrengthEdges::kIn, StrengthEdges::kBoth,
                                    StrengthEdges::kInLessOut};

// A window whose sums are followed. Each step is compared with a run from nothing, bit by bit.
class FollowedStrengths {
 public:
  FollowedStrengths(const StoreSpec& spec, std::uint64_t seed, std::size_t slices,
                    std::size_t slice_size, StrengthEdges edges, Weights weights)
      : window_(spec, seed, slices, slice_size, SlidingView::Shape::kHubs, weights),
        edges_(edges),
        newest_(Strength(*window_.view(), {.edges = edges})) {}

  // Whether the run followed the window.
  bool Step(std::size_t slices, int threads = 1) {
    const View before = window_.view();
    auto followed = FollowStrength(*before, *window_.Advance(slices), newest_.sums,
                                   newest_.overflowed, {.edges = edges_, .threads = threads});
    const StrengthResult expected = Strength(*window_.view(), {.edges = edges_});
    if (followed) {
      EXPECT_EQ(followed->sums, expected.sums);
      EXPECT_EQ(followed->overflowed, expected.overflowed);
    }
    newest_ = followed ? *std::move(followed) : expected;
    return followed.has_value();
  }

  SlidingView& window() { return window_; }
  const StrengthResult& newest() const { return newest_; }

 private:
  SlidingView window_;
  const StrengthEdges edges_;
  StrengthResult newest_;
};

class StrengthFollowTest : public ::testing::TestWithParam<StoreSpec> {
 protected:
  static bool is_weighing() { return GetParam().duplicates == DuplicatesPolicy::kWeigh; }
};

TEST_P(StrengthFollowTest, IntegersAreFollowedInEveryDirectionUnlessCopiesAreAdded) {
  for (const StrengthEdges edges : kDirections) {
    for (const Weights weights : {Weights::kOnes, Weights::kIntegers}) {
      FollowedStrengths followed(GetParam(), 1, 160, 100, edges, weights);
      for (int i = 0; i < testing::Rounds(10); ++i) {
        SCOPED_TRACE(i);
        const bool has_large = !std::ranges::all_of(followed.newest().sums,
                                                    [](Weight sum) { return sum.is_integer(); });
        const bool follows = followed.Step(1, i % 2 + 1);
        ASSERT_FALSE(HasFailure());
        EXPECT_EQ(follows || has_large, !is_weighing() || has_large);
      }
    }
  }
}

TEST_P(StrengthFollowTest, RandomScriptsAddUpToWhatARunFromNothingAdds) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 5});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "SASH_FIRST_SEED=" << seed << " SASH_SCRIPTS=1");
    std::mt19937_64 random(seed);
    const std::size_t slices = 10 + random() % 120;
    const std::array weights = {Weights::kOnes, Weights::kIntegers, Weights::kMixed};
    FollowedStrengths followed(GetParam(), seed, slices, 1 + random() % 60,
                               kDirections[random() % kDirections.size()],
                               weights[random() % weights.size()]);
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(i);
      followed.Step(random() % 4, static_cast<int>(random() % 3));
      ASSERT_FALSE(HasFailure());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, StrengthFollowTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

TEST(StrengthFollowTest, GivesUpWhereMuchHasChangedAndNotWhereNothingHas) {
  FollowedStrengths followed({}, 3, 40, 200, StrengthEdges::kBoth, Weights::kOnes);
  EXPECT_TRUE(followed.Step(0));
  EXPECT_FALSE(followed.Step(10));
  EXPECT_TRUE(followed.Step(1));
}

// The sums of hubs are not integers, and nearly every edge is one of theirs.
TEST(StrengthFollowTest, GivesUpWhereTooManyEdgesWouldBeReadAgain) {
  const StoreSpec nothing_dies{.removals = false};
  FollowedStrengths followed(nothing_dies, 3, 40, 200, StrengthEdges::kBoth, Weights::kMixed);
  EXPECT_FALSE(followed.Step(1));
  EXPECT_TRUE(followed.Step(0));
}

// A newer copy moves its edge to the end of the list, and the sum is rounded otherwise.
TEST(StrengthFollowTest, FollowsOnlyIntegersWhereCopiesTakeThePlaceOfOthers) {
  const StoreSpec drop{.duplicates = DuplicatesPolicy::kDrop};
  FollowedStrengths mixed(drop, 3, 80, 200, StrengthEdges::kBoth, Weights::kMixed);
  EXPECT_FALSE(mixed.Step(0));
  FollowedStrengths ones(drop, 3, 80, 200, StrengthEdges::kBoth, Weights::kOnes);
  EXPECT_TRUE(ones.Step(0));
  EXPECT_TRUE(ones.Step(1));
}

TEST(StrengthFollowTest, StopsWhenToldTo) {
  SlidingView window({}, 4, 80, 200);
  const View before = window.view();
  const StrengthResult then = Strength(*before);
  const auto stopped = FollowStrength(*before, *window.Advance(), then.sums, then.overflowed,
                                      {.progress = [](int, double) { return false; }});
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->cancelled);
}

}  // namespace
}  // namespace sash
