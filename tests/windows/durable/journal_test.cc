#include "windows/durable/journal.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/support/memory_folder.h"

namespace sash {
namespace {

using testing::MemoryFolder;

const std::vector<TopicPartition> kPartitions = {{"edges", 0}};

RoundOutline QuietRound(std::int64_t steady) {
  return {.at = {SteadyTime(Duration(steady)), {}},
          .has_batch = false,
          .caught_up = false,
          .items = {},
          .times = {}};
}

// The moments of the rounds that follow the state, and the remark.
std::string RoundsText(const JournalledRounds& rounds) {
  std::string text;
  for (const RoundOutline& round : rounds.rounds) {
    text += std::to_string(round.at.steady.time_since_epoch().count()) + " ";
  }
  return text + rounds.remark;
}

std::string Read(const MemoryFolder& folder, std::uint64_t state) {
  const Result<JournalledRounds> rounds = ReadJournal(folder, state);
  return rounds.ok() ? RoundsText(rounds.value()) : rounds.error().message;
}

std::string Resume(Journal& journal, const MemoryFolder& folder, std::uint64_t state) {
  const Result<JournalledRounds> rounds = ReadJournal(folder, state);
  if (!rounds) return rounds.error().message;
  journal.Resume(state, rounds.value());
  return RoundsText(rounds.value());
}

class JournalTest : public ::testing::Test {
 protected:
  // A first run: two rounds before its state (number 2), three rounds after it.
  JournalTest() {
    Journal journal(folder_);
    journal.Begin(0, {}, {}, kPartitions);
    for (int i = 0; i < 2; ++i) journal.Note(QuietRound(i));
    EXPECT_EQ(journal.Turn({}), 2u);
    for (int i = 2; i < 5; ++i) journal.Note(QuietRound(i));
    journal.Write();
  }

  MemoryFolder folder_;
};

TEST_F(JournalTest, TheRoundsSinceTheStateAreRead) { EXPECT_EQ(Read(folder_, 2), "2 3 4 "); }

TEST_F(JournalTest, WhatWasNotHandedToTheKernelIsNotThere) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, {}, {}, kPartitions);
  journal.Note(QuietRound(5));
  EXPECT_EQ(Read(folder_, 2), "2 3 4 ");
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 5 ");
}

TEST_F(JournalTest, LivesAreReadInTheTimeOfTheLast) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, Duration(100), {}, kPartitions);
  journal.Note(QuietRound(105));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "102 103 104 105 ");
}

TEST_F(JournalTest, RoundsThatWereNotDoneAgainAreNoMore) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(1, {}, {}, kPartitions);
  journal.Note(QuietRound(9));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 9 ");
  Journal third(folder_);
  ASSERT_EQ(Resume(third, folder_, 2), "2 9 ");
  third.Begin(0, {}, {}, kPartitions);
  third.Note(QuietRound(10));
  third.Write();
  EXPECT_EQ(Read(folder_, 2), "10 ");
}

TEST_F(JournalTest, AStateThatNeverBecameDurableChangesNothing) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, {}, {}, kPartitions);
  EXPECT_EQ(journal.Turn({}), 4u);
  EXPECT_EQ(journal.Turn({}), 5u);
  journal.Note(QuietRound(5));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 5 ");
  EXPECT_EQ(Read(folder_, 5), "5 ");
}

TEST_F(JournalTest, WhatADurableStateHasIsDeleted) {
  Journal journal(folder_);
  journal.Collect(2);
  EXPECT_EQ(folder_.List().value(), std::vector<std::string>{JournalFileName(2)});
  EXPECT_EQ(Read(folder_, 2), "2 3 4 ");
}

TEST_F(JournalTest, AfterAFailureTheRestIsNotNotedUntilTheNextState) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, {}, {}, kPartitions);
  journal.Note(QuietRound(5));
  journal.Write();
  folder_.FailAt(folder_.operations(), 1);
  journal.Note(QuietRound(6));
  journal.Write();
  ASSERT_TRUE(journal.failure());
  EXPECT_EQ(journal.figures().rounds, 2u);
  EXPECT_EQ(journal.figures().failures, 1u);
  journal.Note(QuietRound(7));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 5 ");
  const std::uint64_t state = journal.Turn({});
  EXPECT_FALSE(journal.failure());
  journal.Note(QuietRound(8));
  journal.Write();
  EXPECT_EQ(Read(folder_, state), "8 ");
  EXPECT_EQ(Read(folder_, 2),
            "2 3 4 5 " + JournalFileName(state) + " does not follow what could be read");
}

// A run was killed after it created the file and before it wrote the head.
TEST_F(JournalTest, ALifeThatLeftNothingHidesNoneThatComesAfterIt) {
  ASSERT_TRUE(folder_.Create(JournalFileName(3)).ok());
  const std::string remark =
      JournalFileName(3) + ": byte 0: this is not a journal, or its beginning is damaged";
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 " + remark);
  journal.Begin(3, {}, {}, kPartitions);
  journal.Note(QuietRound(5));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 5 " + remark);
}

TEST_F(JournalTest, TimesThatNoClockTellsAreNotRead) {
  const std::string remark = JournalFileName(3) + ": byte 16: the head is cut off or damaged";
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, Duration::max(), {}, kPartitions);
  EXPECT_EQ(Read(folder_, 2), "2 3 4 " + remark);
  Journal next(folder_);
  ASSERT_EQ(Resume(next, folder_, 2), "2 3 4 " + remark);
  next.Begin(3, {}, {}, kPartitions);
  next.Note(QuietRound(std::numeric_limits<std::int64_t>::max()));
  next.Note(QuietRound(5));
  next.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 " + remark) << "the rounds after it are not read either";
}

TEST_F(JournalTest, APartitionIsTheOneThatItsLifeMeant) {
  const auto note = [](Journal& journal, PartitionIndex partition) {
    RoundOutline round = QuietRound(0);
    round.has_batch = true;
    round.items.push_back({RoundOutline::ItemKind::kRefused, partition, 7, 0});
    journal.Note(round);
    journal.Write();
  };
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, {}, {}, {{"edges", 0}, {"more edges", 0}});
  note(journal, 1);
  Journal next(folder_);
  ASSERT_EQ(Resume(next, folder_, 2), "2 3 4 0 ");
  next.Begin(4, {}, {}, {{"other edges", 0}, {"edges", 0}});
  note(next, 0);
  note(next, 1);
  const JournalledRounds rounds = ReadJournal(folder_, 2).value();
  std::vector<TopicPartition> named;
  for (const RoundOutline& round : rounds.rounds) {
    for (const auto& item : round.items) named.push_back(rounds.partitions[item.partition]);
  }
  const std::vector<TopicPartition> meant = {{"more edges", 0}, {"other edges", 0}, {"edges", 0}};
  EXPECT_EQ(named, meant);
}

// Each file is valid, but the sum of their shifts would overflow.
TEST_F(JournalTest, TimesAreShiftedNoFartherThanOneCanBe) {
  for (int life = 0; life < 4; ++life) {
    Journal journal(folder_);
    const JournalledRounds rounds = ReadJournal(folder_, 2).value();
    journal.Resume(2, rounds);
    journal.Begin(rounds.rounds.size(), kFarthestSteady - Duration(10), {}, kPartitions);
  }
  EXPECT_NE(Read(folder_, 2).find("does not follow"), std::string::npos);
}

TEST_F(JournalTest, ADamagedFileEndsWhatIsReadAndIsNamed) {
  const std::string name = JournalFileName(2);
  const auto writer = folder_.Create(name);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value()->Append("no journal").ok());
  EXPECT_EQ(Read(folder_, 2),
            name + ": byte 0: this is not a journal, or its beginning is damaged");
}

}  // namespace
}  // namespace sash
