#include "windows/kernels/tracked_pagerank.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/rank_difference.h"
#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "windows/store/multiversioned_view.h"
#include "windows/store/window_store.h"

namespace sash {
namespace {

using testing::L1Difference;
using testing::SliceOperations;
using View = std::shared_ptr<const MultiversionedView>;

constexpr double kExact = 1e-13;

// A window of slices that name ever newer vertices, so that old ones vanish and, once the ids begin
// again, come back. Low ids are hubs.
class Sliding {
 public:
  Sliding(const StoreSpec& spec, std::uint64_t seed, std::size_t slices, std::size_t slice_size)
      : spec_(spec),
        random_(seed),
        slice_size_(slice_size),
        store_(MakeSliceStore(spec)),
        window_(store_->Open(0)) {
    for (std::size_t i = 0; i < slices; ++i) Enter();
    Publish();
  }

  const View& Advance(std::size_t slices = 1) {
    for (; slices > 0; --slices) {
      Enter();
      window_->AgeOutOldest();
    }
    return Publish();
  }
  const View& view() const { return view_; }

 private:
  static constexpr VertexId kIds = 3'000;

  void Enter() {
    SliceOperations operations;
    const std::uint64_t first = number_ * 20;
    const auto any = [&] {
      const std::uint64_t near = random_() % 1'000 * (random_() % 1'000) / 1'000;
      return static_cast<VertexId>(random_() % 4 == 0 ? random_() % 50 : (first + near) % kIds);
    };
    for (std::size_t i = 0; i < slice_size_; ++i) {
      const VertexId source = any();
      const VertexId target = random_() % 3 == 0 ? 7 : any();
      const bool removes = spec_.removals && random_() % 10 == 0;
      operations.push_back(removes ? testing::Remove(source, target)
                                   : testing::Add(source, target, Weight::Integer(1)));
    }
    if (spec_.removals && random_() % 3 == 0) operations.push_back(testing::RemoveVertex(any()));
    store_->Add(testing::MakeSlice(number_++, operations));
  }
  const View& Publish() { return view_ = std::get<View>(window_->Publish(kIds).view); }

  const StoreSpec spec_;
  std::mt19937_64 random_;
  const std::size_t slice_size_;
  const std::shared_ptr<SliceStore> store_;
  const std::unique_ptr<WindowStore> window_;
  std::uint64_t number_ = 0;
  View view_;
};

std::vector<double> Truth(const View& view) {
  return PageRank(*view,
                  {.tolerance = kExact, .max_iterations = 1'000, .precision = Precision::kDouble})
      .ranks;
}

class TrackedPageRankTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(TrackedPageRankTest, FindsTheRanksOfEveryWindowThatItFollows) {
  for (const Precision precision : {Precision::kDouble, Precision::kSingle, Precision::kBfloat16}) {
    SCOPED_TRACE(static_cast<int>(precision));
    Sliding window(GetParam(), 1, 80, 200);
    PageRankOptions options{.tolerance = kExact, .max_iterations = 1'000, .precision = precision};
    TrackedPageRank tracked;
    ASSERT_LE(L1Difference(tracked.Begin(*window.view(), options).ranks, Truth(window.view())),
              1e-11);
    for (int i = 0; i < 60; ++i) {
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

// At a tolerance as jobs have it, errors must not add up over many windows.
TEST_P(TrackedPageRankTest, ErrorsDoNotAddUp) {
  Sliding window(GetParam(), 2, 80, 200);
  TrackedPageRank tracked;
  const double tolerance = 1e-5;
  tracked.Begin(*window.view(), {.tolerance = tolerance});
  for (int i = 0; i < 200; ++i) {
    const View before = window.view();
    const auto followed = tracked.Follow(*before, *window.Advance(), {.tolerance = tolerance});
    ASSERT_TRUE(followed);
    if (i % 20 != 19) continue;
    SCOPED_TRACE(i);
    // What is left to change shrinks by the damping at least with each iteration.
    EXPECT_LE(L1Difference(followed->ranks, Truth(window.view())), tolerance * 0.85 / 0.15);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, TrackedPageRankTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

TEST(TrackedPageRankTest, TakesFewerIterationsThanARunFromNothing) {
  Sliding window({}, 3, 200, 200);
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
  Sliding window({}, 4, 20, 200);
  TrackedPageRank tracked;
  const PageRankResult first = tracked.Begin(*window.view(), {});
  const auto second = tracked.Follow(*window.view(), *window.view(), {});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->iterations, 1);
  EXPECT_LE(L1Difference(first.ranks, second->ranks), 1e-6);
}

TEST(TrackedPageRankTest, BeginsAnewWhenThereIsNothingToFollow) {
  Sliding window({}, 5, 20, 200);
  TrackedPageRank tracked;
  const View before = window.view();
  const View after = window.Advance(10);
  EXPECT_FALSE(tracked.Follow(*before, *before, {})) << "nothing was ranked";
  tracked.Begin(*before, {});
  EXPECT_FALSE(tracked.Follow(*before, *after, {})) << "half of the window is another";
  EXPECT_FALSE(tracked.Follow(*before, *before, {})) << "it knows no more where it was";
  tracked.Begin(*before, {});
  EXPECT_FALSE(tracked.Follow(*before, *before, {.damping = 0.5})) << "of another damping";
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
