// Partitions that join, leave or are created again while rounds are noted, and the next run that
// repeats these rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/memory_folder.h"
#include "tests/support/said.h"
#include "tests/windows/durable/journalled_life.h"

namespace sash {
namespace {

using testing::JournalledLife;
using testing::kSecond;
using testing::MemoryFolder;
using testing::Said;

class JoiningPartitionsTest : public ::testing::Test {
 protected:
  class Life : public JournalledLife {
   public:
    Life(std::uint32_t partitions, MemoryFolder& folder)
        : JournalledLife(Windows(), testing::InOrder(), partitions, KeyKind::kInteger, false,
                         folder) {
      harness().on_advance = [this](const AdvancePtr& advance) {
        journal().Write();
        said.push_back(testing::WhatItSays(*advance, harness().keys));
      };
    }

    // Reads one edge for each second.
    void Read(PartitionIndex partition, std::int64_t first, std::int64_t last,
              std::int64_t offset = 0) {
      EventBatch batch;
      for (std::int64_t second = first; second <= last; ++second) {
        harness().Append({.partition = partition,
                          .offset = offset + second - first,
                          .time = second * kSecond,
                          .source = second,
                          .target = second + 1,
                          .weight = {}},
                         batch);
      }
      rounds().Do(std::move(batch));
    }
    void Say(Mark::Kind kind, PartitionIndex partition, std::int64_t offset = 0) {
      EventBatch batch;
      batch.AddMark(kind, partition, offset);
      rounds().Do(std::move(batch));
    }
    void Wait(std::int64_t seconds) {
      harness().clock.Advance(std::chrono::seconds(seconds));
      rounds().Do(std::nullopt);
    }
    void StartWith(std::vector<PartitionIndex> partitions) {
      EventBatch batch;
      batch.start.emplace();
      batch.start->partitions = std::move(partitions);
      rounds().Do(std::move(batch));
    }
    bool Recover(MemoryFolder& folder) {
      const auto found = SavedCheckpoint::Find(folder, KeyKind::kInteger);
      if (!found || !found.value()) return false;
      const std::uint64_t state = found.value()->state().journal;
      Result<JournalledRounds> rounds = ReadJournal(folder, state);
      return rounds.ok() && rounds.value().remark.empty() &&
             GoOn(state, std::move(rounds).value()).ok();
    }

    std::vector<Said> said;
  };

  static std::vector<WindowSpec> Windows() {
    WindowSpec spec;
    spec.name = "w";
    spec.length = 3 * kSecond;
    spec.slide = kSecond;
    return {spec};
  }

  MemoryFolder folder_;
};

TEST_F(JoiningPartitionsTest, WhoJoinedJoinsAgainInTheSameRound) {
  std::vector<Said> said;
  {
    Life life(1, folder_);
    ASSERT_TRUE(life.Begin());
    life.StartWith({0});
    life.Read(0, 100, 101);
    ASSERT_TRUE(life.Checkpoint(life.rounds().Capture()).ok());
    life.said.clear();
    // At first the new partition is missing; after joining, it holds back the windows.
    life.Read(0, 102, 104, 2);
    ASSERT_EQ(life.harness().partitions.Index("replay", 1), 1u);
    life.Say(Mark::Kind::kJoins, 1);
    life.Read(0, 105, 107, 5);
    life.Read(1, 103, 106);  // the first event is in a closed pane
    EXPECT_EQ(life.harness().stats.late, 1u);
    said = life.said;
    ASSERT_EQ(said.size(), 5u);
    life.journal().Write();
  }
  Life life(1, folder_);
  ASSERT_TRUE(life.Recover(folder_));
  // The next run starts with both partitions.
  ASSERT_EQ(life.harness().partitions.Index("replay", 1), 1u);
  life.StartWith({0, 1});
  life.Read(1, 103, 106);
  life.Read(0, 102, 107, 2);
  ASSERT_TRUE(life.rounds().is_live());
  EXPECT_TRUE(life.log.lines().size() == 1) << "one line about the rounds, none about a difference";
  EXPECT_EQ(life.said, said);
  // Later rounds of the journal contain both partitions.
  EXPECT_TRUE(life.harness().engine().IsRead(1));
  life.Read(0, 108, 109, 8);
  life.Read(1, 107, 108, 4);
  EXPECT_GT(life.said.size(), said.size());
}

TEST_F(JoiningPartitionsTest, WhoWasAddedMeanwhileJoinsBehindTheRounds) {
  std::vector<Said> said;
  {
    Life life(1, folder_);
    ASSERT_TRUE(life.Begin());
    life.StartWith({0});
    ASSERT_TRUE(life.Checkpoint(life.rounds().Capture()).ok());
    life.Read(0, 100, 105);
    said = life.said;
    ASSERT_EQ(said.size(), 5u);
  }
  Life life(1, folder_);
  ASSERT_TRUE(life.Recover(folder_));
  ASSERT_EQ(life.harness().partitions.Index("replay", 1), 1u);
  life.StartWith({0, 1});
  life.Read(0, 100, 105);
  ASSERT_TRUE(life.rounds().is_live());
  EXPECT_EQ(life.said, said) << "the missing partition did not hold back windows";
  EXPECT_TRUE(life.harness().engine().IsRead(1));
  life.Read(0, 106, 108, 6);
  EXPECT_EQ(life.said.size(), said.size()) << "now the partition holds back the windows";
  life.Say(Mark::Kind::kCaughtUp, 0);
  life.Wait(10);
  life.Read(0, 109, 109, 9);
  EXPECT_EQ(life.said.size(), 9u);
}

TEST_F(JoiningPartitionsTest, WhoWasReadThenAndIsGoneHoldsTheRoundsAsThen) {
  std::vector<Said> said;
  {
    Life life(2, folder_);
    ASSERT_TRUE(life.Begin());
    life.StartWith({0, 1});
    life.Read(1, 102, 102);
    ASSERT_TRUE(life.Checkpoint(life.rounds().Capture()).ok());
    life.Read(0, 100, 105);
    said = life.said;
    ASSERT_EQ(said.size(), 2u) << "partition 1 holds back the windows";
  }
  Life life(2, folder_);
  ASSERT_TRUE(life.Recover(folder_));
  life.StartWith({0});
  life.Read(0, 100, 102);
  EXPECT_TRUE(life.said.empty()) << "the round is not complete yet";
  life.Read(0, 103, 105, 3);
  ASSERT_TRUE(life.rounds().is_live());
  EXPECT_FALSE(life.harness().engine().IsRead(1));
  ASSERT_EQ(life.said.size(), 5u) << "after the rounds the partition is gone";
  EXPECT_TRUE(std::equal(said.begin(), said.end(), life.said.begin()));
}

TEST_F(JoiningPartitionsTest, ANewLifeIsNamedInEveryFile) {
  std::vector<Said> said;
  {
    Life life(1, folder_);
    ASSERT_TRUE(life.Begin());
    life.StartWith({0});
    life.Read(0, 100, 102, 40);
    const PartitionIndex renewed = life.harness().partitions.Renew("replay", 0);
    EventBatch batch;
    batch.AddMark(Mark::Kind::kLeaves, 0);
    batch.AddMark(Mark::Kind::kJoins, renewed);
    batch.AddMark(Mark::Kind::kGap, renewed);
    batch.NoteAnchor(renewed, {.offset = 1, .timestamp_ms = 5, .crc = 77});
    life.rounds().Do(std::move(batch));
    life.Read(renewed, 103, 104);
    // Its open and retained slices have events of both lives of the partition.
    ASSERT_TRUE(life.Checkpoint(life.rounds().Capture()).ok());
    life.said.clear();
    life.Read(renewed, 105, 107, 2);
    said = life.said;
  }
  Life life(0, folder_);
  ASSERT_TRUE(life.Recover(folder_));
  const PartitionIndex renewed = life.harness().partitions.Index("replay", 0);
  EXPECT_EQ(life.harness().partitions.At(renewed), (TopicPartition{"replay", 0, 1}));
  const EngineState state = life.harness().engine().Capture();
  EXPECT_EQ(state.partitions[renewed].anchor,
            (RecordAnchor{.offset = 1, .timestamp_ms = 5, .crc = 77}));
  EXPECT_FALSE(state.partitions[0].anchor);
  EXPECT_FALSE(state.partitions[0].assigned);
  life.StartWith({renewed});
  life.Read(renewed, 105, 107, 2);
  ASSERT_TRUE(life.rounds().is_live());
  EXPECT_EQ(life.said, said);
  ASSERT_FALSE(said.empty());
}

}  // namespace
}  // namespace sash
