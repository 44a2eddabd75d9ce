#include "connectors/sinks/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/connectors/sinks/full_disk.h"
#include "tests/connectors/sinks/outbox_fixture.h"

namespace sash {
namespace {

using testing::Contents;
using ::testing::ElementsAre;
using testing::FullDisk;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Write;

TEST_F(OutboxTest, GivesOutEachMessageOnceInTheirOrder) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_FALSE(outbox_->has_next());
  ASSERT_TRUE(Append(8));
  EXPECT_TRUE(outbox_->has_next());
  EXPECT_THAT(TakeAll(), ElementsAre(8));
  EXPECT_EQ(outbox_->waiting(), 8u);
}

TEST_F(OutboxTest, WhatCameTogetherIsOneLineAndStaysTogether) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(AppendTogether({2, 3, 4}));
  ASSERT_TRUE(Append(5));
  EXPECT_EQ(outbox_->waiting(), 5u);
  for (int life = 0; life < 2; ++life) {
    std::vector<bool> more;
    for (int i = 1; i <= 5; ++i) {
      const auto next = outbox_->Next();
      ASSERT_TRUE(next.ok() && next.value());
      EXPECT_EQ(next.value()->key, KeyOf(i));
      EXPECT_EQ(next.value()->value, R"({"schema":1})");
      more.push_back(next.value()->more);
    }
    EXPECT_THAT(more, ElementsAre(false, true, true, false, false));
    ASSERT_TRUE(outbox_->Flush().ok());
    Reopen();
  }
  TakeAll();
  for (const std::uint64_t id : ids_) outbox_->Acknowledge(id);
  EXPECT_EQ(outbox_->waiting(), 0u);
  EXPECT_EQ(outbox_->bytes(), 0u);
}

TEST_F(OutboxTest, OfWhatCameTogetherATornLineLeavesNothing) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(AppendTogether({2, 3}));
  ASSERT_TRUE(outbox_->Flush().ok());
  const std::string path = spec_.path + "/" + Files().front();
  outbox_.reset();
  const std::string whole = Contents(path);
  for (std::size_t cut = whole.find('\n') + 1; cut < whole.size(); ++cut) {
    Write(path, whole.substr(0, cut));
    Reopen();
    EXPECT_THAT(TakeAll(), ElementsAre(1)) << cut;
    outbox_.reset();
  }
}

TEST_F(OutboxTest, WhatCameTogetherIsTakenOrRefusedAsAWhole) {
  std::vector<int> many;
  for (int i = 0; i < 200; ++i) many.push_back(i);
  EXPECT_FALSE(AppendTogether(many));
  EXPECT_EQ(outbox_->waiting(), 0u);
  EXPECT_TRUE(AppendTogether({1, 2}));
}

TEST_F(OutboxTest, GivesOutAgainWhatWasReturnedBeforeWhatFollows) {
  for (int i = 1; i <= 4; ++i) ASSERT_TRUE(Append(i));
  TakeAll();
  ASSERT_TRUE(Append(5));
  outbox_->Acknowledge(ids_[0]);
  outbox_->Return(ids_[2]);
  EXPECT_THAT(TakeAll(), ElementsAre(3, 5));
  outbox_->Acknowledge(ids_[3]);
  outbox_->Return(ids_[3]);  // no effect: it is acknowledged
  outbox_->ReturnAll();
  EXPECT_THAT(TakeAll(), ElementsAre(2, 3, 5));
}

TEST_F(OutboxTest, TheNextProcessGivesOutWhatWasNotAcknowledged) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  TakeAll();
  for (int i = 0; i < 3; ++i) outbox_->Acknowledge(ids_[i]);  // all messages of the first file
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(4, 5, 6, 7));
}

TEST_F(OutboxTest, DeletesAFileOnceAllOfItIsAcknowledgedAndEmptiesTheLast) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  EXPECT_THAT(Files(),
              ElementsAre("000000000001.jsonl", "000000000002.jsonl", "000000000003.jsonl"));
  TakeAll();
  for (const int i : {1, 2, 3, 4, 5}) outbox_->Acknowledge(ids_[i]);
  EXPECT_EQ(Files().size(), 3u);  // message 1 is in the first file
  outbox_->Acknowledge(ids_[0]);
  EXPECT_THAT(Files(), ElementsAre("000000000003.jsonl"));
  outbox_->Acknowledge(ids_[6]);
  EXPECT_EQ(outbox_->waiting(), 0u);
  EXPECT_EQ(outbox_->bytes(), 0u);
  EXPECT_EQ(Contents(spec_.path + "/000000000003.jsonl"), "");
  ASSERT_TRUE(Append(8));
  EXPECT_THAT(TakeAll(), ElementsAre(8));
}

TEST_F(OutboxTest, RefusesWhatDoesNotFitAndTakesAgainWhenThereIsRoom) {
  int taken = 0;
  while (Append(taken + 1)) ++taken;
  EXPECT_LE(outbox_->bytes(), spec_.limit_bytes);
  EXPECT_GT(outbox_->bytes() + 40, spec_.limit_bytes);
  EXPECT_EQ(TakeAll().size(), static_cast<std::size_t>(taken));
  EXPECT_FALSE(Append(0));
  for (int i = 0; i < 4; ++i) outbox_->Acknowledge(ids_[i]);
  EXPECT_TRUE(Append(taken + 1));
}

TEST_F(OutboxTest, KeepsWhatAFullDiskDidNotTakeAndSaysThatItIsNotDurable) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(outbox_->Flush().ok());
  {
    const FullDisk full(40);
    ASSERT_TRUE(Append(2));
    ASSERT_TRUE(Append(3));
    const Status flushed = outbox_->Flush();
    ASSERT_FALSE(flushed.ok());
    EXPECT_THAT(flushed.error().message, HasSubstr("outbox: write "));
    EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3));  // from memory
  }
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3));
}

TEST_F(OutboxTest, WhatIsAcknowledgedNeedsNoDisk) {
  const FullDisk full(0);
  ASSERT_TRUE(Append(1));
  EXPECT_FALSE(outbox_->Flush().ok());
  TakeAll();
  outbox_->Acknowledge(ids_[0]);
  EXPECT_TRUE(outbox_->Flush().ok());
}

TEST_F(OutboxTest, AReplayBeginsAnew) {
  Reopen(true);
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  const std::size_t of_live = 1;
  EXPECT_GT(Files().size(), of_live + 1);
  Reopen(true);
  EXPECT_THAT(TakeAll(), IsEmpty());
  EXPECT_EQ(Files().size(), of_live + 1);
  EXPECT_EQ(outbox_->bytes(), 0u);
}

TEST_F(OutboxTest, AReplayNeitherSendsNorDeletesWhatALiveProcessLeftNorTheOtherWayRound) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  Reopen(true);
  EXPECT_THAT(TakeAll(), IsEmpty());
  ASSERT_TRUE(Append(8));
  // Both can be open at the same time, because they use different files.
  const auto live = Outbox::Open(spec_, false, R"({"job":)", kFileBytes);
  ASSERT_TRUE(live.ok()) << live.error().message;
  EXPECT_EQ(live.value()->waiting(), 7u);
  EXPECT_THAT(TakeAll(), ElementsAre(8));
}

TEST_F(OutboxTest, AnotherProcessIsRefused) {
  EXPECT_THAT(OpenError(), HasSubstr("another sink or process"));
}

TEST_F(OutboxTest, AFolderThatCannotBeMadeIsNamed) {
  spec_.path = folder_.File("no/outbox");
  EXPECT_THAT(OpenError(), HasSubstr("no/outbox: No such file or directory"));
}

TEST_F(OutboxTest, RandomHistoriesLoseNothingAndKeepTheOrder) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    spec_.path = folder_.File("outbox-" + std::to_string(seed));
    Reopen();
    std::mt19937 random(seed);
    std::map<std::uint64_t, int> given;  // messages given out, by id
    std::set<int> here;
    int next = 1;
    for (int step = 0; step < 200; ++step) {
      const auto lot = random() % 10;
      if (lot < 4) {
        if (Append(next)) here.insert(next++);
      } else if (lot < 7) {
        const Result<std::optional<Outbox::Message>> taken = outbox_->Next();
        ASSERT_TRUE(taken.ok());
        ASSERT_EQ(taken.value().has_value(), !here.empty());
        if (here.empty()) continue;
        const int number = std::stoi(taken.value()->key.substr(8));
        ASSERT_EQ(number, *here.begin());
        here.erase(number);
        given[taken.value()->id] = number;
      } else if (!given.empty()) {
        const auto one = std::next(given.begin(), static_cast<int>(random() % given.size()));
        if (lot < 9) {
          outbox_->Acknowledge(one->first);
        } else {
          outbox_->Return(one->first);
          here.insert(one->second);
        }
        given.erase(one);
      }
      ASSERT_GE(outbox_->waiting(), here.size() + given.size());
    }
    for (const auto& [id, number] : given) here.insert(number);
    Reopen();
    std::vector<int> left = TakeAll();
    // A message acknowledged after one that is not acknowledged may be given out again.
    ASSERT_TRUE(std::ranges::is_sorted(left));
    ASSERT_TRUE(std::ranges::includes(left, here));
  }
}

}  // namespace
}  // namespace sash
