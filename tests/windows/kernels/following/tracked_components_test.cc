#include "windows/kernels/following/tracked_components.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <variant>
#include <vector>

#include "tests/support/seed_range.h"
#include "tests/support/sliding_view.h"
#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "windows/base/ids.h"
#include "windows/kernels/wcc.h"
#include "windows/store/counted_slices.h"
#include "windows/store/multiversioned_view.h"
#include "windows/store/window_store.h"

namespace sash {
namespace {

using testing::SlidingView;
using View = SlidingView::View;

// The same sets, each named by its least id.
std::vector<VertexId> ByLeastId(const std::vector<VertexId>& labels) {
  std::vector<VertexId> least(labels.size(), kNoVertex);
  std::vector<VertexId> named(labels.size(), kNoVertex);
  for (VertexId v = 0; v < labels.size(); ++v) {
    if (labels[v] == kNoVertex) continue;
    if (least[labels[v]] == kNoVertex) least[labels[v]] = v;
    named[v] = least[labels[v]];
  }
  return named;
}

// A window whose components are followed. Each step is compared with a run from nothing.
class FollowedComponents {
 public:
  FollowedComponents(const StoreSpec& spec, std::uint64_t seed, std::size_t slices,
                     std::size_t slice_size, SlidingView::Shape shape = SlidingView::Shape::kHubs)
      : window_(spec, seed, slices, slice_size, shape) {
    tracked_.Begin(*window_.view(), {});
  }

  // Whether the run followed the window.
  bool Step(std::size_t slices, const WccOptions& options) {
    const View before = window_.view();
    const auto followed = tracked_.Follow(*before, *window_.Advance(slices), options);
    const WccResult expected = Wcc(*window_.view());
    if (!followed) {
      EXPECT_EQ(tracked_.Begin(*window_.view(), options).labels, expected.labels);
      return false;
    }
    EXPECT_EQ(followed->components, expected.components);
    EXPECT_EQ(ByLeastId(followed->labels), expected.labels);
    return true;
  }

  TrackedComponents& tracked() { return tracked_; }
  SlidingView& window() { return window_; }

 private:
  SlidingView window_;
  TrackedComponents tracked_;
};

class TrackedComponentsTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(TrackedComponentsTest, AreThoseOfEveryWindowThatTheyFollow) {
  FollowedComponents followed(GetParam(), 1, 160, 100);
  for (int i = 0; i < testing::Rounds(30); ++i) {
    SCOPED_TRACE(i);
    EXPECT_TRUE(followed.Step(1, {.threads = i % 2 + 1}));
    ASSERT_FALSE(HasFailure());
  }
}

// Most edges of long chains are in the forest, and much hangs on each of them.
TEST_P(TrackedComponentsTest, ChainsThatAreCutAreFollowedUnlessTooMuchWouldBeRead) {
  FollowedComponents followed(GetParam(), 1, 160, 100, SlidingView::Shape::kChains);
  int steps = 0;
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    steps += followed.Step(1, {.threads = i % 2 + 1}) ? 1 : 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(steps, 0);
}

// Slices of few edges: components form, split and vanish all the time.
TEST_P(TrackedComponentsTest, RandomScriptsHaveTheComponentsOfARunFromNothing) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 8});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "SASH_FIRST_SEED=" << seed << " SASH_SCRIPTS=1");
    std::mt19937_64 random(seed);
    const std::size_t slices = 10 + random() % 120;
    FollowedComponents followed(
        GetParam(), seed, slices, 1 + random() % (random() % 2 == 0 ? 10 : 60),
        random() % 2 == 0 ? SlidingView::Shape::kHubs : SlidingView::Shape::kChains);
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(i);
      followed.Step(random() % 7, {.threads = static_cast<int>(random() % 3)});
      ASSERT_FALSE(HasFailure());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, TrackedComponentsTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

// After more slices than a view knows, the changes are found in lists.
TEST(TrackedComponentsTest, AreFollowedAfterMoreSlicesThanAViewKnows) {
  for (const auto shape : {SlidingView::Shape::kHubs, SlidingView::Shape::kChains}) {
    FollowedComponents followed({}, 5, 300, 20, shape);
    int steps = 0;
    for (int i = 0; i < testing::Rounds(20); ++i) {
      SCOPED_TRACE(i);
      for (const std::size_t slices : {6, 1, 3, 1, 1}) {
        steps += followed.Step(slices, {.threads = i % 2 + 1}) ? 1 : 0;
      }
      ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(steps, 0);
  }
}

// The loops of vertex 1 are older than its one edge to the root, and leave without being counted.
// Then the edge leaves, and the record of its slice says that vertex 1 has lost one edge.
TEST(TrackedComponentsTest, APlaceIsForgottenWhenSlicesDoNotTellWhatLeft) {
  constexpr VertexId kRoot = 0;
  constexpr VertexId kIds = 500;
  constexpr std::size_t kUntold = kMostKnownSlices + 2;
  const std::shared_ptr<SliceStore> store =
      MakeSliceStore({.duplicates = DuplicatesPolicy::kKeep, .removals = false});
  const std::unique_ptr<WindowStore> window = store->Open(0);
  std::uint64_t number = 0;
  const auto enter = [&](const testing::SliceOperations& operations) {
    store->Add(testing::MakeSlice(number++, operations));
  };
  const auto publish = [&] { return std::get<View>(window->Publish(kIds).view); };
  const auto advance = [&](std::size_t slices) {
    for (; slices > 0; --slices) {
      enter({testing::Add(1, 1)});
      window->AgeOutOldest();
    }
    return publish();
  };
  for (std::size_t i = 0; i < kUntold; ++i) enter({testing::Add(1, 1)});
  enter({testing::Add(1, kRoot)});
  testing::SliceOperations star;
  for (VertexId leaf = 2; leaf < kIds; ++leaf) star.push_back(testing::Add(kRoot, leaf));
  enter(star);
  TrackedComponents tracked;
  const View first = publish();
  tracked.Begin(*first, {});

  const View untold = advance(kUntold);
  ASSERT_FALSE(untold->CountOutChanges(*first));
  const auto whole = tracked.Follow(*first, *untold, {});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->components, 1u);
  const View told = advance(1);
  ASSERT_TRUE(told->CountOutChanges(*untold));
  const auto split = tracked.Follow(*untold, *told, {});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->components, 2u);
  EXPECT_EQ(ByLeastId(split->labels), Wcc(*told).labels);
}

TEST(TrackedComponentsTest, GivesUpWhereMuchHasChangedAndNotWhereNothingHas) {
  FollowedComponents followed({}, 3, 40, 200);
  EXPECT_TRUE(followed.Step(0, {}));
  EXPECT_FALSE(followed.Step(10, {}));
  EXPECT_TRUE(followed.Step(1, {}));
}

TEST(TrackedComponentsTest, ARunThatWasStoppedIsNotFollowed) {
  const WccOptions stopping{.progress = [](int, double) { return false; }};
  FollowedComponents followed({}, 4, 80, 200);
  const View before = followed.window().view();
  const auto stopped = followed.tracked().Follow(*before, *followed.window().Advance(), stopping);
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->cancelled);
  EXPECT_FALSE(followed.Step(1, {}));
  EXPECT_TRUE(followed.Step(1, {}));
}

}  // namespace
}  // namespace sash
