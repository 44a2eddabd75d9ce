// Partitions that join, leave and are created again while the stream runs.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::ScriptRecord;

class PartitionLivesTest : public ::testing::Test {
 protected:
  static std::vector<WindowSpec> Windows() {
    WindowSpec spec;
    spec.name = "w";
    spec.length = 3 * kSecond;
    spec.slide = kSecond;
    return {spec};
  }

  void Feed(std::int64_t second, std::int64_t offset, PartitionIndex partition) {
    harness_.Feed({{.partition = partition,
                    .offset = offset,
                    .time = second * kSecond,
                    .source = offset,
                    .target = offset + 1,
                    .weight = {}}});
  }

  void Mark(sash::Mark::Kind kind, PartitionIndex partition, std::int64_t offset = 0) {
    EventBatch batch;
    batch.AddMark(kind, partition, offset);
    harness_.engine().Process(batch);
  }

  std::int64_t NewestEnd() const {
    return harness_.advances.back()->provenance.window_end.time_since_epoch().count() / kSecond;
  }

  EngineHarness harness_{Windows(), InOrder()};
};

TEST_F(PartitionLivesTest, WhoJoinsHoldsTheWindowsUntilItIsIdle) {
  harness_.Start();
  for (int i = 0; i < 3; ++i) Feed(100 + i, i, 0);
  ASSERT_EQ(NewestEnd(), 102);
  const PartitionIndex joined = harness_.partitions.Index("replay", 1);
  Mark(Mark::Kind::kJoins, joined, 5);
  EXPECT_EQ(harness_.engine().Capture().partitions[joined].next_offset, 5);
  Feed(103, 3, 0);
  EXPECT_EQ(NewestEnd(), 102) << "the partition is caught up and counts until it is idle";
  harness_.clock.Advance(InOrder().idle_after);
  Feed(104, 4, 0);
  EXPECT_EQ(NewestEnd(), 104);
}

TEST_F(PartitionLivesTest, ItsRecordsOfClosedPanesAreLateAndTheOthersCount) {
  harness_.Start();
  for (int i = 0; i < 3; ++i) Feed(100 + i, i, 0);
  const PartitionIndex joined = harness_.partitions.Index("replay", 1);
  Mark(Mark::Kind::kJoins, joined);
  Feed(101, 0, joined);
  EXPECT_EQ(harness_.stats.late, 1u);
  Feed(103, 1, joined);
  Feed(104, 3, 0);
  EXPECT_EQ(harness_.stats.late, 1u);
  EXPECT_EQ(NewestEnd(), 103);
  Feed(104, 2, joined);
  ASSERT_EQ(NewestEnd(), 104);
  EXPECT_EQ(harness_.advances.back()->provenance.edges, 3u);
}

TEST_F(PartitionLivesTest, WhoLeavesHoldsNothing) {
  harness_.partitions.Index("replay", 1);
  harness_.Start();
  for (int i = 0; i < 3; ++i) Feed(100 + i, i, 0);
  EXPECT_TRUE(harness_.advances.empty()) << "partition 1 has no event yet";
  Mark(Mark::Kind::kLeaves, 1);
  EXPECT_EQ(NewestEnd(), 102);
  EXPECT_EQ(harness_.advances.back()->rewind.positions.size(), 1u);
}

TEST_F(PartitionLivesTest, ANewLifeIsReadFromItsBeginningBehindAGap) {
  harness_.Start();
  for (int i = 0; i < 3; ++i) Feed(100 + i, 40 + i, 0);
  const PartitionIndex renewed = harness_.partitions.Renew("replay", 0);
  Mark(Mark::Kind::kLeaves, 0);
  Mark(Mark::Kind::kJoins, renewed);
  Mark(Mark::Kind::kGap, renewed);
  for (int i = 0; i < 6; ++i) Feed(103 + i, i, renewed);
  ASSERT_EQ(NewestEnd(), 108);
  const auto of = [&](std::int64_t end) -> const Provenance& {
    return harness_.advances[static_cast<std::size_t>(end - 101)]->provenance;
  };
  // A window of the first life, a window of both, and a window of the second life only.
  const auto offsets = [&](std::int64_t end) {
    const OffsetSpan span = of(end).offsets.at({"replay", 0});
    return std::pair(span.least, span.greatest);
  };
  EXPECT_EQ(offsets(103), std::pair(40l, 42l));
  EXPECT_EQ(offsets(104), std::pair(0l, 0l));
  EXPECT_EQ(of(104).edges, 3u);
  EXPECT_TRUE(of(104).gap);
  EXPECT_FALSE(of(106).gap);
  EXPECT_EQ(offsets(106), std::pair(0l, 2l));
  const std::vector<RewindPosition>& positions = harness_.advances.back()->rewind.positions;
  ASSERT_EQ(positions.size(), 1u);
  EXPECT_EQ(positions[0].partition, renewed);
}

TEST_F(PartitionLivesTest, TheNewestRecordOfAPartitionStandsInItsStateAndRewindPoint) {
  harness_.Start();
  const RecordAnchor anchor{.offset = 7, .timestamp_ms = 99, .crc = 0xABCD};
  EventBatch batch;
  batch.NoteAnchor(0, {.offset = 6, .timestamp_ms = {}, .crc = 1});
  batch.NoteAnchor(0, anchor);
  harness_.engine().Process(batch);
  Feed(100, 0, 0);
  Feed(101, 1, 0);
  EXPECT_EQ(harness_.engine().Capture().partitions[0].anchor, anchor);
  EXPECT_EQ(harness_.advances.back()->rewind.positions.at(0).anchor, anchor);
}

TEST_F(PartitionLivesTest, ARewindPointThatIsTakenWithinABatchKnowsTheNewestRecord) {
  harness_.Start();
  const RecordAnchor anchor{.offset = 1, .timestamp_ms = 99, .crc = 0xABCD};
  EventBatch batch;
  for (const std::int64_t offset : {0, 1}) {
    batch.Add({.time = EventTime(Duration((1 + 9 * offset) * kSecond)),
               .offset = offset,
               .source = KeyRef::Integer(1),
               .target = KeyRef::Integer(2)});
  }
  batch.NoteAnchor(0, anchor);
  harness_.engine().Process(batch);
  ASSERT_FALSE(harness_.advances.empty());
  EXPECT_EQ(harness_.advances.front()->rewind.positions.at(0).anchor, anchor);
}

}  // namespace
}  // namespace sash
