#include "windows/ingest/slicer.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

const std::vector<std::uint32_t> kRanks = {1, 0};  // partition 1 comes before partition 0

BufferedEvent Event(std::int64_t time, std::int64_t offset, PartitionIndex partition,
                    VertexId source) {
  return {.time = EventTime(Duration(time)),
          .offset = offset,
          .weight = {},
          .source = source,
          .target = 0,
          .partition = partition};
}

TEST(SlicerTest, PanesAlignToTheEpochBeforeItToo) {
  EXPECT_EQ(PaneBegin(25, 10), 20);
  EXPECT_EQ(PaneBegin(20, 10), 20);
  EXPECT_EQ(PaneBegin(-1, 10), -10);
  EXPECT_EQ(PaneBegin(-10, 10), -10);
}

TEST(SlicerTest, EventsOfEqualTimeAreOrderedByTopicPartitionAndOffset) {
  Slicer slicer(10);
  slicer.Add(5, Event(5, 3, 0, 1), 1, {});
  slicer.Add(5, Event(5, 9, 1, 2), 2, {});
  slicer.Add(5, Event(5, 8, 1, 3), 3, {});
  slicer.Add(4, Event(4, 4, 0, 4), 4, {});
  const auto slice = slicer.CloseNext(kRanks);
  EXPECT_EQ(slice->sources, (std::vector<VertexId>{4, 3, 2, 1}));
}

TEST(SlicerTest, EventsOfOnePartitionEnterSeveralOpenPanesInTurn) {
  Slicer slicer(10);
  for (const std::int64_t offset : {0, 1, 2, 3, 4, 5}) {
    const std::int64_t time = offset % 2 == 0 ? 10 + offset : 20 + offset;
    slicer.Add(time, Event(time, offset, 0, static_cast<VertexId>(offset)), 1 + offset, {});
  }
  EXPECT_EQ(slicer.open_slices(), 2u);
  EXPECT_EQ(slicer.open_events(), 6u);
  const auto first = slicer.CloseNext(kRanks);
  EXPECT_EQ(first->sources, (std::vector<VertexId>{0, 2, 4}));
  EXPECT_EQ(first->account.shares.at(0).least, 0);
  EXPECT_EQ(first->account.shares.at(0).greatest, 4);
  EXPECT_EQ(first->account.last_accepted, 5u);
  slicer.Add(26, Event(26, 6, 0, 6), 7, {});  // its pane is still open
  const auto second = slicer.CloseNext(kRanks);
  EXPECT_EQ(second->sources, (std::vector<VertexId>{1, 3, 5, 6}));
  EXPECT_EQ(second->account.greatest_time, EventTime(Duration(26)));
}

TEST(SlicerTest, BytesAreThoseOfTheLogsAndGoWithTheSlice) {
  Slicer slicer(10);
  const std::size_t empty = slicer.bytes();
  for (std::int64_t offset = 0; offset < 100'000; ++offset) {
    slicer.Add(5, Event(5, offset, 0, 1), 1, {});
  }
  EXPECT_NEAR(static_cast<double>(slicer.bytes()), 16 * 100'000, 80'000);
  slicer.CloseNext(kRanks);
  EXPECT_EQ(slicer.bytes(), empty);
  EXPECT_EQ(slicer.open_events(), 0u);
}

TEST(SlicerTest, ALateEventEntersAPaneWithoutMovingItsPartitionThere) {
  Slicer slicer(10);
  slicer.Add(25, Event(25, 0, 0, 1), 1, {});
  slicer.AddLate(12, Event(3, 1, 0, 2), 2, {});
  slicer.CountRefused(0, 2, EventTime(Duration(25)));
  const auto late = slicer.CloseNext(kRanks);
  EXPECT_EQ(late->sources, (std::vector<VertexId>{2}));
  EXPECT_FALSE(late->account.has_on_time);
  EXPECT_EQ(late->account.refused, 0u);
  EXPECT_EQ(slicer.CloseNext(kRanks)->account.refused, 1u);
}

TEST(SlicerTest, ARefusedRecordCountsWithTheNewestEventBeforeIt) {
  Slicer slicer(10);
  slicer.Add(25, Event(25, 0, 0, 1), 1, {});
  slicer.Add(15, Event(15, 1, 0, 1), 2, {});
  slicer.CountRefused(0, 2, EventTime(Duration(25)));
  EXPECT_EQ(slicer.CloseNext(kRanks)->account.refused, 0u);
  EXPECT_EQ(slicer.CloseNext(kRanks)->account.refused, 1u);
}

TEST(SlicerTest, RecordsRefusedBeforeAnyEventCountInTheFirstSlice) {
  Slicer slicer(10);
  slicer.CountRefused(0, 0, {});
  EXPECT_FALSE(slicer.NextEnd().has_value());
  slicer.Add(25, Event(25, 1, 0, 1), 1, {});
  const auto slice = slicer.CloseNext(kRanks);
  EXPECT_EQ(slice->account.refused, 1u);
  EXPECT_EQ(slice->account.shares.at(0).rewind_offset, 0) << "the refused record is read again";
  EXPECT_EQ(slice->account.shares.at(0).least, 1);
}

// Otherwise it would depend on other partitions in which slice the record counts.
TEST(SlicerTest, AfterFilteredEventsARefusedRecordCountsInTheirPane) {
  Slicer slicer(10);
  slicer.Add(25, Event(25, 0, 0, 1), 1, {});
  slicer.CountRefused(0, 2, EventTime(Duration(47)), 47);
  slicer.Add(41, Event(41, 0, 1, 1), 2, {});  // of another partition
  slicer.CountRefused(0, 3, EventTime(Duration(47)), 47);
  Slicer restored(10);
  restored.Restore(slicer.State());
  for (Slicer* each : {&slicer, &restored}) {
    EXPECT_EQ(each->CloseNext(kRanks)->account.refused, 0u);
    const auto slice = each->CloseNext(kRanks);
    EXPECT_EQ(slice->begin, 40);
    EXPECT_EQ(slice->account.refused, 2u);
    EXPECT_EQ(slice->account.shares.at(0).rewind_offset, 2);
    EXPECT_FALSE(slice->account.shares.at(0).has_events());
  }
}

TEST(SlicerTest, WithoutAnEventInTheirPaneRefusedRecordsCountInTheNextSlice) {
  Slicer slicer(10);
  slicer.Add(25, Event(25, 0, 0, 1), 1, {});
  slicer.CountRefused(0, 2, EventTime(Duration(47)), 47);
  slicer.CountLate(0, 3, EventTime(Duration(55)), 55);
  EXPECT_EQ(slicer.open_slices(), 1u);
  EXPECT_EQ(slicer.CloseNext(kRanks)->account.refused, 0u);
  EXPECT_FALSE(slicer.NextEnd().has_value()) << "a pane without events has no slice";
  slicer.CloseUntil(50);
  Slicer restored(10);
  restored.Restore(slicer.State());
  for (Slicer* each : {&slicer, &restored}) {
    each->CloseUntil(60);
    each->AddLate(61, Event(3, 4, 0, 1), 2, {});
    each->Add(71, Event(71, 5, 0, 1), 3, {});
    std::int64_t first = 9;
    each->VisitOpenShares([&](PartitionIndex, const PartitionShare& share) {
      first = std::min(first, share.rewind_offset);
    });
    EXPECT_EQ(first, 2);
    EXPECT_EQ(each->CloseNext(kRanks)->account.refused, 0u) << "it has only a late event";
    const auto slice = each->CloseNext(kRanks);
    EXPECT_EQ(slice->account.refused, 1u);
    EXPECT_EQ(slice->account.late, 1u);
    EXPECT_EQ(slice->account.shares.at(0).rewind_offset, 2);
  }
}

TEST(SlicerTest, RemembersFromWhereAPartitionMustBeReadAgain) {
  Slicer slicer(10);
  slicer.Add(25, Event(25, 7, 0, 1), 1, EventTime(Duration(19)));
  slicer.Add(26, Event(26, 8, 0, 1), 2, EventTime(Duration(25)));
  const auto slice = slicer.CloseNext(kRanks);
  EXPECT_EQ(slice->account.shares.at(0).rewind_offset, 7);
  EXPECT_EQ(slice->account.shares.at(0).newest_before, EventTime(Duration(19)));
}

TEST(SlicerTest, TheLogsOfAClosedSliceHoldEveryEventAndNameTheDuplicates) {
  Slicer slicer(10);
  slicer.Dedupe(Duration(100));
  slicer.KeepPlaces();
  const auto event = [](std::int64_t offset, PartitionIndex partition, std::uint32_t before,
                        std::uint64_t id) {
    BufferedEvent made = Event(5, offset, partition, static_cast<VertexId>(offset));
    made.edges_before = before;
    made.id = {.high = 0, .low = id};
    return made;
  };
  slicer.Add(5, event(7, 0, 0, 1), 1, {});
  slicer.Add(5, event(7, 0, 1, 2), 2, {});
  slicer.Add(5, event(8, 0, 0, 0), 3, {});
  slicer.Add(5, event(3, 1, 0, 2), 4, {});  // of equal times, partition 1 comes first
  slicer.Add(15, event(9, 0, 0, 1), 5, {});
  const std::size_t open = slicer.bytes();
  const auto slice = slicer.CloseNext(kRanks);
  const std::shared_ptr<const SliceLogs> logs = slicer.TakeLogs();
  ASSERT_NE(logs, nullptr);
  EXPECT_EQ(slicer.TakeLogs(), nullptr);
  EXPECT_GT(logs->bytes, 0u);
  EXPECT_GT(open, slicer.bytes());
  EXPECT_EQ(slice->size(), 3u);
  EXPECT_EQ(logs->duplicates, (std::vector<EventPlace>{{0, 7, 1}}));
  std::vector<EventPlace> places;
  for (const PartitionLog& log : logs->logs) {
    log.ForEachEvent([&](const BufferedEvent& each) {
      places.push_back({each.partition, each.offset, each.edges_before});
    });
  }
  EXPECT_EQ(places, (std::vector<EventPlace>{{1, 3, 0}, {0, 7, 0}, {0, 7, 1}, {0, 8, 0}}));
  slicer.CloseNext(kRanks);
  EXPECT_EQ(slicer.TakeLogs()->duplicates, (std::vector<EventPlace>{{0, 9, 0}}));
}

}  // namespace
}  // namespace sash
