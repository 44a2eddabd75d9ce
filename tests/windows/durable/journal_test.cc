#include "windows/durable/journal.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/memory_folder.h"

namespace sash {
namespace {

using testing::MemoryFolder;

const std::vector<TopicPartition> kPartitions = {{"edges", 0}};

RoundOutline Round(std::int64_t steady) {
  return {.at = {SteadyTime(Duration(steady)), {}},
          .has_batch = false,
          .caught_up = false,
          .items = {},
          .times = {}};
}

// The moments of the rounds that follow the state, and the remark.
std::string Text(const JournalledRounds& rounds) {
  std::string text;
  for (const RoundOutline& round : rounds.rounds) {
    text += std::to_string(round.at.steady.time_since_epoch().count()) + " ";
  }
  return text + rounds.remark;
}

std::string Read(const MemoryFolder& folder, std::uint64_t state) {
  const Result<JournalledRounds> rounds = ReadJournal(folder, state);
  return rounds.ok() ? Text(rounds.value()) : rounds.error().message;
}

std::string Resume(Journal& journal, const MemoryFolder& folder, std::uint64_t state) {
  const Result<JournalledRounds> rounds = ReadJournal(folder, state);
  if (!rounds) return rounds.error().message;
  journal.Resume(state, rounds.value());
  return Text(rounds.value());
}

class JournalTest : public ::testing::Test {
 protected:
  // A first life: two rounds before its state, which is 2, three after it.
  JournalTest() {
    Journal journal(folder_);
    journal.Begin(0, {}, {}, kPartitions);
    for (int i = 0; i < 2; ++i) journal.Note(Round(i));
    EXPECT_EQ(journal.Turn({}), 2u);
    for (int i = 2; i < 5; ++i) journal.Note(Round(i));
    journal.Write();
  }

  MemoryFolder folder_;
};

TEST_F(JournalTest, TheRoundsSinceTheStateAreRead) { EXPECT_EQ(Read(folder_, 2), "2 3 4 "); }

TEST_F(JournalTest, WhatWasNotHandedToTheKernelIsNotThere) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, {}, {}, kPartitions);
  journal.Note(Round(5));
  EXPECT_EQ(Read(folder_, 2), "2 3 4 ");
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 5 ");
}

TEST_F(JournalTest, LivesAreReadInTheTimeOfTheLast) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, Duration(100), {}, kPartitions);
  journal.Note(Round(105));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "102 103 104 105 ");
}

TEST_F(JournalTest, RoundsThatWereNotDoneAgainAreNoMore) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(1, {}, {}, kPartitions);
  journal.Note(Round(9));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 9 ");
  Journal third(folder_);
  ASSERT_EQ(Resume(third, folder_, 2), "2 9 ");
  third.Begin(0, {}, {}, kPartitions);
  third.Note(Round(10));
  third.Write();
  EXPECT_EQ(Read(folder_, 2), "10 ");
}

TEST_F(JournalTest, AStateThatNeverBecameDurableChangesNothing) {
  Journal journal(folder_);
  ASSERT_EQ(Resume(journal, folder_, 2), "2 3 4 ");
  journal.Begin(3, {}, {}, kPartitions);
  EXPECT_EQ(journal.Turn({}), 4u);
  EXPECT_EQ(journal.Turn({}), 5u);
  journal.Note(Round(5));
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
  journal.Note(Round(5));
  journal.Write();
  folder_.FailAt(folder_.operations(), 1);
  journal.Note(Round(6));
  journal.Write();
  ASSERT_TRUE(journal.failure());
  journal.Note(Round(7));
  journal.Write();
  EXPECT_EQ(Read(folder_, 2), "2 3 4 5 ");
  const std::uint64_t state = journal.Turn({});
  EXPECT_FALSE(journal.failure());
  journal.Note(Round(8));
  journal.Write();
  EXPECT_EQ(Read(folder_, state), "8 ");
  EXPECT_EQ(Read(folder_, 2),
            "2 3 4 5 " + JournalFileName(state) + " does not follow what could be read");
}

TEST_F(JournalTest, ADamagedFileEndsWhatIsReadAndIsNamed) {
  const std::string name = JournalFileName(2);
  const auto writer = folder_.Create(name);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value()->Append("no journal").ok());
  EXPECT_EQ(Read(folder_, 2), name + ": byte 0: this is no journal, or its begin is damaged");
}

}  // namespace
}  // namespace sash
