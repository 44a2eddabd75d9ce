// Windows that show only the events that pass their filter. Random scripts with such windows are in
// engine_oracle_test.cc, rewind_test.cc and the tests of windows/durable.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::ScriptRecord;

WindowSpec OfFilter(std::string name, std::int64_t length, std::int64_t slide,
                    std::string where = "f0") {
  return {.name = std::move(name),
          .length = length * kSecond,
          .slide = slide * kSecond,
          .where = std::move(where)};
}

// `passes`: the numbers of the filters that let it pass.
ScriptRecord EventAt(std::int64_t second, std::vector<std::size_t> passes = {}) {
  ScriptRecord record = testing::Seconds(second, second).front();
  record.passes = 0;
  for (const std::size_t number : passes) record.passes |= FilterBits{1} << number;
  return record;
}

struct Shown {
  std::int64_t end = 0;
  std::uint64_t edges = 0;
  bool gap = false;
  friend bool operator==(const Shown&, const Shown&) = default;
  friend void PrintTo(const Shown& shown, std::ostream* out) {
    *out << shown.end << ": " << shown.edges << (shown.gap ? " gap" : "");
  }
};
std::vector<Shown> ShownBy(const EngineHarness& harness, const std::string& window) {
  std::vector<Shown> shown;
  for (const AdvancePtr& advance : harness.advances) {
    const Provenance& about = advance->provenance;
    if (about.window != window) continue;
    shown.push_back(
        {about.window_end.time_since_epoch().count() / kSecond, about.edges, about.gap});
  }
  return shown;
}

std::string WhyNotPut(const Status& status) { return status ? "" : status.error().message; }

TEST(FilteredWindowsTest, TheFirstWindowAndSilenceAreThoseOfTheFilter) {
  EngineHarness harness({OfFilter("w", 2, 1)}, InOrder());
  harness.Start();
  for (std::int64_t s = 0; s < 50; ++s) harness.Feed({EventAt(s)});
  EXPECT_TRUE(harness.advances.empty());
  harness.Feed({EventAt(50, {0}), EventAt(51), EventAt(52), EventAt(53), EventAt(54)});
  EXPECT_EQ(ShownBy(harness, "w"), (std::vector<Shown>{{51, 1}, {52, 1}, {53, 0}}));
  harness.Feed({EventAt(60, {0, 1}), EventAt(70)});
  harness.End();
  EXPECT_EQ(ShownBy(harness, "w"),
            (std::vector<Shown>{{51, 1}, {52, 1}, {53, 0}, {61, 1}, {62, 1}, {63, 0}}));
}

TEST(FilteredWindowsTest, CountsAndOffsetsAreThoseOfTheStream) {
  EngineHarness harness({OfFilter("w", 10, 10)}, InOrder());
  harness.Start();
  harness.Feed({EventAt(10), EventAt(11, {0})});
  harness.Feed({{.offset = 12, .refused = true}, EventAt(13)});
  harness.End();
  ASSERT_EQ(harness.advances.size(), 1u);
  const Provenance& about = harness.advances[0]->provenance;
  EXPECT_EQ(about.edges, 1u);
  EXPECT_EQ(about.refused, 1u);
  EXPECT_EQ(about.offsets.begin()->second.least, 10);
  EXPECT_EQ(about.offsets.begin()->second.greatest, 13);
}

TEST(FilteredWindowsTest, TheLastWindowIsThatOfTheLastEventOfTheStream) {
  EngineHarness harness({OfFilter("w", 4, 2)}, InOrder());
  harness.Start();
  harness.Feed({EventAt(3, {0}), EventAt(5)});
  harness.End();
  EXPECT_EQ(ShownBy(harness, "w"), (std::vector<Shown>{{4, 1}, {6, 1}}));
}

TEST(FilteredWindowsTest, ASilentWindowHoldsNoMoreThanItsSpan) {
  EngineHarness harness({OfFilter("w", 3, 1)}, InOrder());
  harness.Start();
  for (std::int64_t s = 0; s < 500; ++s) {
    harness.Feed({EventAt(s, s == 100 ? std::vector<std::size_t>{0} : std::vector<std::size_t>())});
    const EngineState state = harness.engine().Capture();
    ASSERT_LE(state.lanes.front().retained, 4u) << "second " << s;
    if (s > 10) {
      EXPECT_GE(state.rewind.positions.front().offset, s - 4);
    }
  }
  EXPECT_EQ(ShownBy(harness, "w"), (std::vector<Shown>{{101, 1}, {102, 1}, {103, 1}, {104, 0}}));
}

TEST(FilteredWindowsTest, WindowsOfOnePolicyAndOneFilterShareAStore) {
  std::vector<WindowSpec> windows = {OfFilter("a", 2, 1), OfFilter("b", 8, 2),
                                     OfFilter("c", 4, 1, "f1"), OfFilter("d", 4, 1, "")};
  windows.push_back(OfFilter("e", 4, 1));
  windows.back().duplicates = DuplicatesPolicy::kDrop;
  EngineHarness harness(windows, InOrder());
  harness.Start();
  std::vector<std::vector<std::string>> sharing;
  for (const StoreStatus& store : harness.engine().Stores()) sharing.push_back(store.windows);
  EXPECT_EQ(sharing, (std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}, {"d"}, {"e"}}));
}

TEST(FilteredWindowsTest, AWindowThatJoinsLacksWhatNoWindowOfItsFilterHolds) {
  WindowSpec all = OfFilter("v", 6, 1, "");
  all.implementation = StoreKind::kRebuild;  // its store keeps the slices
  EngineHarness harness({OfFilter("w", 6, 1), all}, InOrder());
  harness.Start();
  for (std::int64_t s = 0; s <= 10; ++s) harness.Feed({EventAt(s, {0})});
  WindowSpec drop = OfFilter("drop", 3, 1);
  drop.duplicates = DuplicatesPolicy::kDrop;
  ASSERT_TRUE(harness.PutWindows({OfFilter("shares", 3, 1), drop}));
  for (std::int64_t s = 11; s <= 14; ++s) harness.Feed({EventAt(s, {0})});
  EXPECT_EQ(ShownBy(harness, "shares"),
            (std::vector<Shown>{{11, 3, false}, {12, 3, false}, {13, 3, false}, {14, 3, false}}));
  EXPECT_EQ(ShownBy(harness, "drop"),
            (std::vector<Shown>{{11, 1, true}, {12, 2, true}, {13, 3, false}, {14, 3, false}}));
}

TEST(FilteredWindowsTest, AFilterByWhichTheSourceDoesNotJudgeIsRefused) {
  EngineHarness harness({OfFilter("w", 6, 1)}, InOrder());
  EXPECT_EQ(WhyNotPut(harness.AddWindow(OfFilter("v", 6, 1, "f1"))),
            "window 'v': where is a new filter, by which the source does not judge; give the set "
            "of filters by which it judges from now on");
  WindowSpec typed = OfFilter("v", 6, 1);
  typed.types = {"paid"};
  EXPECT_EQ(WhyNotPut(harness.AddWindow(typed)),
            "window 'v': types and where are a new filter, by which the source does not judge; "
            "give the set of filters by which it judges from now on");
  typed.by = WindowAxis::kEvents;
  EXPECT_EQ(WhyNotPut(harness.AddWindow(typed)),
            "window 'v': types go with windows by time, not with `by: events`");
  WindowSpec numbers = OfFilter("v", 6, 1);
  numbers.by = WindowAxis::kEvents;
  EXPECT_EQ(WhyNotPut(harness.AddWindow(numbers)),
            "window 'v': where goes with windows by time, not with `by: events`");
}

TEST(FilteredWindowsTest, AWindowWaitsForAnEventThatPasses) {
  EngineHarness harness({OfFilter("w", 6, 1)}, InOrder());
  harness.Start();
  harness.Feed({EventAt(5)});
  const auto next_end = [&] {
    return harness.engine().progress_board().Read().windows.front().next_end;
  };
  EXPECT_FALSE(next_end());
  harness.Feed({EventAt(7, {0})});
  EXPECT_EQ(next_end(), 8 * kSecond);
}

TEST(FilterNumbersTest, AFilterKeepsItsTextAndANewOneLetsOnlyRemovalsPass) {
  const FilterNumbers numbers({"a", "b"}, {"b", "c", "a"});
  EXPECT_FALSE(numbers.are_same());
  EXPECT_EQ(numbers.OfEvent(~FilterBits{2}, Operation::kAdd, "") & 7, 4u) << "passes a alone";
  EXPECT_EQ(numbers.OfEvent(kPassesAll, Operation::kAdd, "") & 7, 5u);
  EXPECT_EQ(numbers.OfEvent(kPassesAll, Operation::kAdd, "") >> 3, kPassesAll >> 3);
  EXPECT_EQ(numbers.OfEvent(kPassesAll, Operation::kRemove, ""), kPassesAll);
  EXPECT_EQ(numbers.OfEvent(~FilterBits{2}, Operation::kRemove, ""), ~FilterBits{1})
      << "a removal whose type passes a alone, and c as all removals do";
  EXPECT_TRUE(FilterNumbers({"a"}, {"a"}).are_same());
}

}  // namespace
}  // namespace sash
