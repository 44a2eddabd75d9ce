#include "windows/slide/round_replay.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

using ItemKind = RoundOutline::ItemKind;

// "0:5" is an event of partition 0 at offset 5, "0+5" a further one of the same record; "0!5" is a
// refused record; "0$" marks the partition as caught up.
EventBatch Batch(const std::vector<std::string>& records) {
  EventBatch batch;
  for (const std::string& record : records) {
    const auto partition = static_cast<PartitionIndex>(record[0] - '0');
    const std::int64_t offset = record.size() > 2 ? std::stoll(record.substr(2)) : 0;
    switch (record[1]) {
      case ':':
      case '+':
        batch.Add({.time = EventTime(Duration(offset)),
                   .offset = offset,
                   .source = KeyRef::Text(batch.Store("s" + record)),
                   .target = KeyRef::Text(batch.Store("t" + record)),
                   .payload = batch.Store(record),
                   .partition = partition,
                   .further = record[1] == '+'});
        break;
      case '!':
        batch.AddMark(Mark::Kind::kRefused, partition, offset);
        break;
      default:
        batch.AddMark(Mark::Kind::kCaughtUp, partition);
    }
  }
  return batch;
}

std::string Text(const EventBatch& batch) {
  std::string text;
  auto mark = batch.marks().begin();
  for (std::size_t i = 0; i <= batch.events().size(); ++i) {
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
      text += std::to_string(mark->partition);
      text += mark->kind == Mark::Kind::kRefused ? "!" + std::to_string(mark->offset) : "$";
      text += ' ';
    }
    if (i == batch.events().size()) break;
    const EdgeEvent& event = batch.events()[i];
    // The copies of a record's events share the payload of the first one.
    const std::string source(batch.Text(event.source.text()).substr(1));
    EXPECT_EQ(batch.Text(event.target.text()), "t" + source);
    if (!event.further) {
      EXPECT_EQ(batch.Text(event.payload), source);
    }
    EXPECT_EQ(source[1] == '+', event.further);
    text += source + ' ';
  }
  return text;
}

class RoundReplayTest : public ::testing::Test {
 protected:
  static RoundReplay Replay(const std::vector<std::vector<std::string>>& rounds,
                            std::uint64_t records_ahead = RoundReplay::kRecordsAhead) {
    std::deque<RoundOutline> outlines;
    for (const auto& round : rounds) {
      const Moment at{SteadyTime(Duration(static_cast<std::int64_t>(outlines.size()))), {}};
      outlines.push_back(Outline(Batch(round), at, false));
    }
    return RoundReplay(std::move(outlines), KeyKind::kString, {0, 1}, records_ahead);
  }

  static std::string Next(RoundReplay& replay) {
    const std::optional<RoundReplay::Round> round = replay.Next();
    return round ? Text(round->batch.value()) : "-";
  }

  static std::string Rest(RoundReplay& replay) {
    std::string text;
    for (const EventBatch& batch : replay.TakeRest()) text += Text(batch) + "| ";
    return text;
  }
};

TEST_F(RoundReplayTest, ARoundWaitsForAllItsRecordsAndHasThemInItsOrder) {
  RoundReplay replay = Replay({{"1:0", "0:0", "0:1"}, {"0!2", "1:1", "0$"}});
  replay.Hold(Batch({"0:0", "0:1", "0!2", "0:3"}));
  EXPECT_EQ(Next(replay), "-");
  replay.Hold(Batch({"1:0"}));
  EXPECT_EQ(Next(replay), "1:0 0:0 0:1 ");
  EXPECT_EQ(Next(replay), "-");
  EXPECT_FALSE(replay.done());
  replay.Hold(Batch({"1:1", "1:2", "1$"}));
  EXPECT_EQ(Next(replay), "0!2 1:1 0$ ");
  EXPECT_TRUE(replay.done());
  EXPECT_EQ(replay.difference(), std::nullopt);
  EXPECT_EQ(replay.handed_out(), 2u);
  EXPECT_EQ(Rest(replay), "0:3 | 1:2 1$ | ");
}

TEST_F(RoundReplayTest, WantsNoMoreThanTheNextRoundsNeed) {
  using Offsets = std::vector<std::int64_t>;
  RoundReplay replay = Replay({{"0:0", "0:1"}, {"1:7"}, {"0:2", "0!3"}, {"1:9"}}, 3);
  EXPECT_TRUE(replay.TakeGrowth());
  EXPECT_EQ(replay.wanted(), (Offsets{2, 8})) << "three records of two rounds";
  replay.Hold(Batch({"0:0"}));
  EXPECT_EQ(Next(replay), "-");
  EXPECT_FALSE(replay.TakeGrowth());
  replay.Hold(Batch({"0:1"}));
  EXPECT_EQ(Next(replay), "0:0 0:1 ");
  EXPECT_TRUE(replay.TakeGrowth());
  EXPECT_EQ(replay.wanted(), (Offsets{4, 8}));
  replay.Hold(Batch({"1:7"}));
  EXPECT_EQ(Next(replay), "1:7 ");
  EXPECT_EQ(replay.wanted(), (Offsets{4, 10}));
}

TEST_F(RoundReplayTest, WhatTheRecordsDoNotTellTheRoundsDo) {
  RoundOutline outline = Outline(Batch({"0:0", "0:1"}), {}, true);
  outline.times = {EventTime(Duration(70)), EventTime(Duration(71))};
  RoundReplay replay({outline}, KeyKind::kString, {0});
  replay.Hold(Batch({"0:0", "0:1"}));
  const std::optional<RoundReplay::Round> round = replay.Next();
  ASSERT_TRUE(round && round->batch);
  EXPECT_EQ(round->batch->events()[0].time, EventTime(Duration(70)));
  EXPECT_EQ(round->batch->events()[1].time, EventTime(Duration(71)));
}

TEST_F(RoundReplayTest, RecordsThatAreGoneAreNotWaitedFor) {
  RoundReplay replay = Replay({{"0:0", "0:1", "0:2"}, {"0:3"}});
  replay.Hold(Batch({"0:2"}));  // retention has deleted the first two
  EXPECT_EQ(Next(replay), "-");
  ASSERT_TRUE(replay.done());
  EXPECT_EQ(replay.difference(), "records up to offset 2 are gone");
  EXPECT_EQ(Rest(replay), "0:2 | ");
}

TEST_F(RoundReplayTest, BehindTheEndOfAPartitionNothingIsWaitedFor) {
  RoundReplay replay = Replay({{"0:0", "0:1", "0:2"}});
  replay.Hold(Batch({"0:0", "0:1"}));
  EXPECT_EQ(Next(replay), "-");
  EXPECT_FALSE(replay.done());
  replay.Hold(Batch({"0$"}));
  EXPECT_EQ(Next(replay), "-");
  ASSERT_TRUE(replay.done());
  EXPECT_EQ(Rest(replay), "0:0 0:1 | 0$ | ");
}

TEST_F(RoundReplayTest, APartitionThatIsReadNoMoreIsNotWaitedFor) {
  RoundReplay replay = Replay({{"0:0", "2$"}, {"0:1", "2:0"}});
  replay.Hold(Batch({"0:0", "0:1"}));
  EXPECT_EQ(Next(replay), "0:0 2$ ");
  EXPECT_EQ(Next(replay), "-");
  ASSERT_TRUE(replay.done());
  EXPECT_EQ(replay.difference(), "records up to offset 0 are gone");
  EXPECT_EQ(Rest(replay), "0:1 | ");
}

TEST_F(RoundReplayTest, ARecordThatIsRefusedNowAndWasNotIsADifference) {
  RoundReplay replay = Replay({{"0:0"}, {"0:1", "0:2"}});
  replay.Hold(Batch({"0:0", "0!1", "0:2"}));
  EXPECT_EQ(Next(replay), "0:0 ");
  EXPECT_EQ(Next(replay), "-");
  EXPECT_EQ(replay.difference(), "offset 2 was the last of several events, but is not now");
  EXPECT_EQ(Rest(replay), "0!1 0:2 | ");
}

TEST_F(RoundReplayTest, ARecordOfSeveralEdgesStaysWhole) {
  RoundReplay replay = Replay({{"0:0", "0:1", "0+1", "0+1"}, {"1:0", "1+0", "0:2"}});
  replay.Hold(Batch({"0:0"}));
  EXPECT_EQ(Next(replay), "-");
  replay.Hold(Batch({"0:1", "0+1", "0+1", "0:2", "0:3", "0+3"}));
  EXPECT_EQ(Next(replay), "0:0 0:1 0+1 0+1 ");
  replay.Hold(Batch({"1:0", "1+0"}));
  EXPECT_EQ(Next(replay), "1:0 1+0 0:2 ");
  EXPECT_EQ(replay.difference(), std::nullopt);
  EXPECT_EQ(Rest(replay), "0:3 0+3 | ");
}

TEST_F(RoundReplayTest, ARecordOfWhichSomeEdgesAreRefusedStaysWhole) {
  RoundReplay replay = Replay({{"0:0", "0!1", "0!1", "0:1", "0+1"}, {"0!2", "0:2"}});
  replay.Hold(Batch({"0:0", "0!1", "0!1", "0:1", "0+1", "0!2", "0:2"}));
  EXPECT_EQ(Next(replay), "0:0 0!1 0!1 0:1 0+1 ");
  EXPECT_EQ(Next(replay), "0!2 0:2 ");
  EXPECT_EQ(replay.difference(), std::nullopt);
}

TEST_F(RoundReplayTest, ARecordOfWhichFewerEdgesAreRefusedThanBeforeIsADifference) {
  RoundReplay replay = Replay({{"0!1", "0!1", "0:1"}, {"0:2"}});
  replay.Hold(Batch({"0!1", "0:1", "0+1", "0:2"}));
  EXPECT_EQ(Next(replay), "-");
  EXPECT_TRUE(replay.difference());
}

TEST_F(RoundReplayTest, ARecordThatGivesMoreEdgesThanBeforeIsADifference) {
  RoundReplay replay = Replay({{"0:0", "0:1", "0+1"}, {"0:2"}});
  replay.Hold(Batch({"0:0", "0:1", "0+1", "0+1", "0:2"}));
  EXPECT_EQ(Next(replay), "-");
  EXPECT_TRUE(replay.difference());
  EXPECT_EQ(Rest(replay), "0:0 0:1 0+1 0+1 0:2 | ");
}

TEST_F(RoundReplayTest, ARecordThatGivesFewerEdgesThanBeforeIsADifference) {
  RoundReplay replay = Replay({{"0:0", "0:1", "0+1"}, {"0:2"}});
  replay.Hold(Batch({"0:0", "0:1", "0:2"}));
  EXPECT_EQ(Next(replay), "-");
  EXPECT_TRUE(replay.difference());
  EXPECT_EQ(Rest(replay), "0:0 0:1 0:2 | ");
}

TEST_F(RoundReplayTest, HowPartitionsStandIsNotForgottenWithTheirRecords) {
  RoundReplay replay = Replay({{"0:0"}});
  EventBatch batch = Batch({"0:0", "0$"});
  batch.caught_up = true;
  replay.Hold(std::move(batch));
  EXPECT_EQ(Next(replay), "0:0 ");
  const std::vector<EventBatch> rest = replay.TakeRest();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(Text(rest[0]), "0$ ");
  EXPECT_TRUE(rest[0].caught_up);
}

}  // namespace
}  // namespace sash
