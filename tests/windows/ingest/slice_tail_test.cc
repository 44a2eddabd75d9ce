// The events of open slices that readers see: the length that was published, and the roles of
// vertices.
#include "windows/ingest/slice_tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "windows/ingest/slicer.h"

namespace sash {
namespace {

TailEvent Added(VertexId source, VertexId target, Operation operation = Operation::kAdd) {
  return {.source = source, .target = target, .operation = operation};
}

void Show(SliceTail& tail, const std::vector<TailEvent>& events) {
  TailEvents shown;
  for (const TailEvent& event : events) shown.Add(event);
  tail.Show(std::move(shown));
}

std::vector<std::uint32_t> NumbersOf(const SliceTail& tail, TailRole role, VertexId v,
                                     std::uint32_t count) {
  std::vector<std::uint32_t> numbers;
  tail.ForEachOf(role, v, count,
                 [&](const TailEvent&, std::uint32_t number) { numbers.push_back(number); });
  std::ranges::sort(numbers);
  return numbers;
}

using Numbers = std::vector<std::uint32_t>;

TEST(SliceTailTest, AReaderSeesTheEventsThatWereShownAtItsCutAndNoLaterOnes) {
  SliceTail tail;
  Show(tail, {Added(1, 2), Added(2, 1)});
  const std::uint32_t cut = tail.shown();
  Show(tail, {Added(1, 3), Added(1, 2)});
  EXPECT_EQ(NumbersOf(tail, TailRole::kSource, 1, tail.shown()), (Numbers{0, 2, 3}));
  EXPECT_EQ(NumbersOf(tail, TailRole::kSource, 1, cut), Numbers{0});
  EXPECT_EQ(NumbersOf(tail, TailRole::kTarget, 1, cut), Numbers{1});
  EXPECT_EQ(NumbersOf(tail, TailRole::kTarget, 2, tail.shown()), (Numbers{0, 3}));
  EXPECT_TRUE(tail.HasAnyOf(TailRole::kTarget, 3, tail.shown()));
  EXPECT_FALSE(tail.HasAnyOf(TailRole::kTarget, 3, cut));
  std::size_t all = 0;
  tail.ForEach(cut, [&](const TailEvent&) { ++all; });
  EXPECT_EQ(all, 2u);
}

TEST(SliceTailTest, AVertexHasTheEventsOfEachRole) {
  SliceTail tail;
  Show(tail, {Added(5, 5), Added(6, 5, Operation::kRemove)});
  EXPECT_FALSE(tail.removes_vertices());
  Show(tail, {Added(5, 5, Operation::kRemoveVertex), Added(5, 6)});
  EXPECT_TRUE(tail.removes_vertices());
  EXPECT_EQ(NumbersOf(tail, TailRole::kSource, 5, 4), (Numbers{0, 3}));
  EXPECT_EQ(NumbersOf(tail, TailRole::kTarget, 5, 4), (Numbers{0, 1}));
  EXPECT_EQ(NumbersOf(tail, TailRole::kRemoved, 5, 4), Numbers{2});
  EXPECT_EQ(NumbersOf(tail, TailRole::kRemoved, 6, 4), Numbers{});
}

TEST(SliceTailTest, ManyVerticesKeepTheirEvents) {
  SliceTail tail;
  std::vector<TailEvent> events;
  for (VertexId v = 0; v < 5'000; ++v) events.push_back(Added(v, v / 2));
  Show(tail, events);
  for (VertexId v = 0; v < 5'000; ++v) {
    ASSERT_EQ(NumbersOf(tail, TailRole::kSource, v, 5'000), Numbers{v});
    ASSERT_EQ(NumbersOf(tail, TailRole::kTarget, v, 5'000).size(), v < 2'500 ? 2u : 0u);
  }
  EXPECT_GT(tail.bytes(), 5'000 * (sizeof(PartitionLog::Edge) + 2 * sizeof(std::uint64_t)));
}

BufferedEvent TimedEvent(std::int64_t time, VertexId source, VertexId target) {
  return {.time = EventTime(Duration(time)), .offset = time, .source = source, .target = target};
}

TEST(SliceTailTest, TheSlicerShowsEachEventOnceInTheSliceThatItIsIn) {
  Slicer slicer(10);
  slicer.Add(1, TimedEvent(1, 1, 2), 1, {});
  slicer.Add(12, TimedEvent(12, 1, 3), 2, {});
  const std::vector<OpenTail> first = slicer.ShowOpen();
  slicer.Add(13, TimedEvent(13, 1, 4), 3, {});
  const std::vector<OpenTail> second = slicer.ShowOpen();
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(first[1].begin, 10);
  EXPECT_EQ(first[0].count, 1u);
  EXPECT_EQ(second[0].count, 1u);
  EXPECT_EQ(first[1].count, 1u);
  EXPECT_EQ(second[1].count, 2u);
  EXPECT_EQ(first[1].tail, second[1].tail);
  EXPECT_EQ(NumbersOf(*first[1].tail, TailRole::kSource, 1, first[1].count), Numbers{0});
  EXPECT_EQ(NumbersOf(*second[1].tail, TailRole::kSource, 1, second[1].count), (Numbers{0, 1}));
  EXPECT_GT(slicer.tail_bytes(), 0u);
}

TEST(SliceTailTest, EventsThatAreHiddenAreShownAgainWithTheFiltersThatTheyPassNow) {
  Slicer slicer(10);
  slicer.Add(1, TimedEvent(1, 1, 2), 1, {});
  const std::vector<OpenTail> before = slicer.ShowOpen();
  slicer.Judge(4, {});
  const std::vector<OpenTail> after = slicer.ShowOpen();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].count, 1u);
  before[0].tail->ForEach(1, [](const TailEvent& event) { EXPECT_EQ(event.passes, kPassesAll); });
  after[0].tail->ForEach(
      1, [](const TailEvent& event) { EXPECT_EQ(event.passes, kPassesAll & ~FilterBits{4}); });
}

// The engine shows events while readers read up to the length that was published.
TEST(SliceTailTest, ReadersAndTheEngineDoNotDisturbEachOther) {
  constexpr std::uint32_t kBatches = 300;
  constexpr std::uint32_t kEvents = 20;
  SliceTail tail;
  std::atomic<std::uint32_t> published = 0;
  std::vector<std::jthread> readers;
  for (VertexId reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&, reader] {
      for (std::uint32_t count = 0; count < kBatches * kEvents;) {
        count = published;
        std::uint32_t found = 0;
        tail.ForEachOf(TailRole::kSource, reader, count, [&](const TailEvent& event, auto) {
          found += event.source == reader ? 1 : 0;
        });
        ASSERT_EQ(found, count / 2);
      }
    });
  }
  for (std::uint32_t batch = 0; batch < kBatches; ++batch) {
    std::vector<TailEvent> events;
    for (VertexId i = 0; i < kEvents; ++i) events.push_back(Added(i % 2, i));
    Show(tail, events);
    published = tail.shown();
  }
}

}  // namespace
}  // namespace sash
