#include "windows/durable/journal_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sash {
namespace {

using Item = RoundOutline::Item;
using ItemKind = RoundOutline::ItemKind;

JournalHead Head() {
  return {.number = 7,
          .after = 6,
          .rounds = 12,
          .state = 3,
          .begun = {SteadyTime(Duration(1'000)), EventTime(Duration(2))},
          .shift = Duration(-5),
          .partitions = {{"edges", 0}, {"edges", 1}}};
}

RoundOutline Round(std::int64_t steady) {
  return {.at = {SteadyTime(Duration(steady)), EventTime(Duration(99))},
          .has_batch = true,
          .caught_up = true,
          .items = {{ItemKind::kEvents, 0, 41, 2}, {ItemKind::kRefused, 1, 7, 0}},
          .times = {EventTime(Duration(5)), EventTime(Duration(6))}};
}

std::string Text(int rounds) {
  std::string text = EncodeHead(Head());
  for (int i = 0; i < rounds; ++i) text += EncodeRound(Round(i));
  return text;
}

TEST(JournalFileTest, WhatWasWrittenIsRead) {
  const Result<JournalFile> file = ParseJournal(Text(3));
  ASSERT_TRUE(file.ok());
  const JournalHead& head = file.value().head;
  EXPECT_EQ(head.number, 7u);
  EXPECT_EQ(head.after, 6u);
  EXPECT_EQ(head.rounds, 12u);
  EXPECT_EQ(head.state, 3u);
  EXPECT_EQ(head.begun.steady, Head().begun.steady);
  EXPECT_EQ(head.begun.wall, Head().begun.wall);
  EXPECT_EQ(head.shift, Head().shift);
  EXPECT_EQ(head.partitions, Head().partitions);
  ASSERT_EQ(file.value().rounds.size(), 3u);
  const RoundOutline& round = file.value().rounds[2];
  EXPECT_EQ(round.at.steady, SteadyTime(Duration(2)));
  EXPECT_EQ(round.at.wall, EventTime(Duration(99)));
  EXPECT_TRUE(round.has_batch);
  EXPECT_TRUE(round.caught_up);
  EXPECT_EQ(round.items, Round(2).items);
  EXPECT_EQ(round.times, Round(2).times);
}

TEST(JournalFileTest, WhatRoundsNameStandsBehindWhatTheHeadNames) {
  RoundOutline joined = Round(1);
  joined.named = {{"edges", 2}, {"more", 0}};
  joined.items = {{ItemKind::kEvents, 3, 0, 2}};
  const std::string text = EncodeHead(Head()) + EncodeRound(joined);
  const Result<JournalFile> file = ParseJournal(text);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().bytes, text.size());
  EXPECT_EQ(file.value().head.partitions, Head().partitions);
  const std::vector<TopicPartition> all = {{"edges", 0}, {"edges", 1}, {"edges", 2}, {"more", 0}};
  EXPECT_EQ(file.value().partitions, all);
  EXPECT_EQ(EncodeHead(file.value().head) + EncodeRound(file.value().rounds[0]), text);
}

TEST(JournalFileTest, WhereverItIsCutOffWhatIsWholeIsRead) {
  const std::string text = Text(3);
  const std::size_t head = EncodeHead(Head()).size();
  const std::size_t round = EncodeRound(Round(0)).size();
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<JournalFile> file = ParseJournal(std::string_view(text).substr(0, size));
    ASSERT_EQ(file.ok(), size >= head) << size;
    if (!file) continue;
    EXPECT_EQ(file.value().rounds.size(), (size - head) / round) << size;
    EXPECT_EQ(file.value().bytes, size - (size - head) % round) << size;
  }
}

TEST(JournalFileTest, EveryFlippedBitIsSeen) {
  const std::string text = Text(2);
  const std::size_t head = EncodeHead(Head()).size();
  const std::size_t round = EncodeRound(Round(0)).size();
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const Result<JournalFile> file = ParseJournal(flipped);
    ASSERT_EQ(file.ok(), bit / 8 >= head) << bit;
    if (file.ok()) {
      EXPECT_EQ(file.value().rounds.size(), (bit / 8 - head) / round) << bit;
    }
  }
}

TEST(JournalFileTest, NamesAreOrderedAndReadBack) {
  EXPECT_EQ(JournalFileName(255), "rounds-00000000000000ff");
  EXPECT_EQ(JournalFileNumber("rounds-00000000000000ff"), 255u);
  for (const char* const other : {"rounds-ff", "rounds-00000000000000fg", "slice-00000000000000ff",
                                  "rounds-00000000000000ff0", "manifest"}) {
    EXPECT_EQ(JournalFileNumber(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace sash
