#include "daemon/metrics/pinned_views.h"

#include <gtest/gtest.h>

#include <memory>

namespace sash {
namespace {

using std::chrono::seconds;

AdvancePtr AdvanceOf(const std::string& window) {
  auto advance = std::make_shared<Advance>();
  advance->provenance.window = window;
  return advance;
}

TEST(PinnedViewsTest, TheNewestViewIsNotPinned) {
  PinnedViews views;
  const AdvancePtr only = AdvanceOf("w");
  views.Add(only, SteadyTime(seconds(1)));
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(5))).pinned, 0u);
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(5))).oldest, seconds(0));
  EXPECT_EQ(views.Count("other", SteadyTime(seconds(5))).pinned, 0u);
}

TEST(PinnedViewsTest, CountsOlderViewsThatSomebodyHolds) {
  PinnedViews views;
  AdvancePtr first = AdvanceOf("w");
  const AdvancePtr second = AdvanceOf("w");
  const AdvancePtr third = AdvanceOf("w");
  views.Add(first, SteadyTime(seconds(1)));
  views.Add(second, SteadyTime(seconds(2)));
  views.Add(third, SteadyTime(seconds(3)));
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(10))).pinned, 2u);
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(10))).oldest, seconds(9));
  first.reset();
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(10))).pinned, 1u);
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(10))).oldest, seconds(8));
}

TEST(PinnedViewsTest, HoldsNoViewItself) {
  PinnedViews views;
  AdvancePtr first = AdvanceOf("w");
  const std::weak_ptr<const Advance> watched = first;
  views.Add(first, SteadyTime(seconds(1)));
  first.reset();
  EXPECT_TRUE(watched.expired());
  const AdvancePtr second = AdvanceOf("w");
  views.Add(second, SteadyTime(seconds(2)));
  EXPECT_EQ(views.Count("w", SteadyTime(seconds(3))).pinned, 0u);
}

}  // namespace
}  // namespace sash
