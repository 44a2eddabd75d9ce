// Files of results that another process moves away, deletes, cuts or replaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/connectors/sinks/file_sink_fixture.h"

namespace sash {
namespace {

using testing::At;
using testing::Contents;
using ::testing::HasSubstr;
using testing::Lines;
using testing::Write;

TEST_F(FileSinkTest, WhatWasDeletedAndNoCommitCoversIsWrittenAgain) {
  const auto sink = Open();
  Give(*sink, {300, 310, 320});
  sink->Acknowledged(310);
  std::filesystem::remove(spec_.path);
  Give(*sink, {330});
  EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30"}));
  EXPECT_THAT(log_.lines(), ::testing::Contains(HasSubstr("was deleted by another process")));
  sink->Deliver(RunAt("x", 340));  // in the file, not durable
  std::filesystem::remove(spec_.path);
  Give(*sink, {});
  EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30", "x 05:40"}));
}

TEST_F(FileSinkTest, AfterADeletionAndAKillNothingThatWasDeletedCountsAsHeld) {
  Give(*Open(), {300, 310});
  std::filesystem::remove(spec_.path);
  Give(*Open(), {300, 310, 320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
}

TEST_F(FileSinkTest, WhatWasMovedAwayIsNotWrittenAgain) {
  const std::string old = folder_.File("results.jsonl.1");
  {
    const auto sink = Open();
    Give(*sink, {300, 310});
    sink->Acknowledged(300);
    std::filesystem::rename(spec_.path, old);
    sink->Deliver(RunAt("x", 320));  // goes to the old file, and is then cut off there
    EXPECT_EQ(HeldBy(old).size(), 3u);
    Give(*sink, {330});
    EXPECT_EQ(HeldBy(old), (Strings{"x 05:00", "x 05:10"}));
    EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30"}));
  }
  std::filesystem::remove(old);  // compressed
  const auto sink = Open();
  Give(*sink, {310, 320, 330, 340});
  EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30", "x 05:40"}));
  EXPECT_EQ(sink->repeated(), 3u);
  sink->Acknowledged(340);
  EXPECT_EQ(Lines(folder_.File(".results.jsonl.held")).size(), 1u) << "the trail lists no results";
}

TEST_F(FileSinkTest, WhatWasMovedAwayBeforeAKillIsFoundAndReadThere) {
  std::filesystem::create_directory(folder_.File("old"));
  for (const std::string to : {"results.jsonl.1", "old/results"}) {
    std::filesystem::remove(spec_.path);
    const std::string old = folder_.File(to);
    {
      const auto sink = Open();
      Give(*sink, {300});
      std::filesystem::rename(spec_.path, old);
      sink->Deliver(RunAt("x", 310));
    }
    const std::string both = Contents(old);
    std::ofstream(old, std::ios::app) << R"({"schema":1,"job":"x)";
    {
      const auto sink = Open();
      Give(*sink, {300, 310, 320});
      EXPECT_EQ(Held(), (Strings{"x 05:20"})) << to;
      EXPECT_EQ(Contents(old), both) << "the torn line is cut";
    }
    std::filesystem::remove(old);
    const auto sink = Open();  // the trail still knows its results
    Give(*sink, {300, 310, 320, 330});
    EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30"})) << to;
    std::filesystem::remove(folder_.File(".results.jsonl.held"));
  }
}

TEST_F(FileSinkTest, WhatIsMovedAwayBeforeTheStreamHasPassedItIsNotWrittenAgain) {
  Give(*Open(), {300, 310, 320});  // and is killed before a commit
  {
    const auto sink = Open();
    std::filesystem::rename(spec_.path, folder_.File("results.jsonl.1"));
    sink->Look();
    EXPECT_EQ(Held(), Strings());
    Give(*sink, {300, 310});
    EXPECT_EQ(Held(), Strings());
    EXPECT_EQ(sink->repeated(), 2u);
  }
  std::filesystem::remove(folder_.File("results.jsonl.1"));  // compressed
  const auto sink = Open();
  Give(*sink, {310, 320, 330});
  EXPECT_EQ(Held(), (Strings{"x 05:30"}));
}

TEST_F(FileSinkTest, WhatIsCutByAnotherIsWrittenAgain) {
  const auto sink = Open();
  Give(*sink, {300, 310});
  std::filesystem::resize_file(spec_.path, 0);
  Give(*sink, {320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
  sink->Acknowledged(320);
  std::filesystem::resize_file(spec_.path, 10);
  for (std::int64_t end = 330; end < 400; end += 10) sink->Deliver(RunAt("x", end));
  Give(*sink, {});
  EXPECT_EQ(Held().size(), 7u);
}

TEST_F(FileSinkTest, AFileOfOthersInItsPlaceIsLeftAloneAndSaid) {
  const auto sink = Open();
  Give(*sink, {300});
  Write(folder_.File("new"), "notes\n");
  std::filesystem::rename(folder_.File("new"), spec_.path);
  sink->Deliver(RunAt("x", 310));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("results.jsonl:1: not a result"));
  EXPECT_EQ(Contents(spec_.path), "notes\n");
  std::filesystem::remove(spec_.path);
  Give(*sink, {});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10"}));
}

TEST_F(FileSinkTest, WhatTheNewFileHoldsIsNotWrittenToItAgain) {
  const auto sink = Open();
  Give(*sink, {300, 310});
  Write(folder_.File("new"), Lines(spec_.path).at(0) + "\n");
  std::filesystem::rename(folder_.File("new"), spec_.path);
  Give(*sink, {320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
}

TEST_F(FileSinkTest, LooksAfterItsFileWhileNothingIsDelivered) {
  const auto sink = Open();
  Give(*sink, {300});
  std::filesystem::remove(spec_.path);
  sink->Look();
  EXPECT_EQ(Held(), (Strings{"x 05:00"}));
  std::filesystem::rename(spec_.path, folder_.File("old"));
  sink->Look();
  EXPECT_EQ(Contents(spec_.path), "");
}

TEST_F(FileSinkTest, WhatCannotBeWrittenAgainIsNeverCalledDurable) {
  const auto sink = Open();
  const auto kMany = static_cast<std::int64_t>(UnacknowledgedResults::Limits().results + 10);
  const CompletedRun run = RunAt("x", 300);
  for (std::int64_t i = 0; i < kMany; ++i) {
    auto result = std::make_shared<RunResult>(*run.result);
    result->provenance.window_end = At(300 + i);
    sink->Deliver({result, nullptr, run.advance});
    if (i % 10'000 == 0) {
      ASSERT_TRUE(sink->Flush().ok());
    }
  }
  ASSERT_TRUE(sink->Flush().ok());
  std::filesystem::remove(spec_.path);
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("a restart writes them"));
}

TEST_F(FileSinkTest, ManyMovesDuringOneFlushLoseNothing) {
  constexpr int kMostMoves = 30;
  const auto old = [this](int move) { return folder_.File("old." + std::to_string(move)); };
  const auto sink = Open();
  std::atomic<bool> is_over = false;
  std::atomic<int> moves = 0;
  std::thread mover([&] {
    while (!is_over && moves < kMostMoves) {
      std::error_code none_there;
      std::filesystem::rename(spec_.path, old(moves), none_there);
      if (!none_there) ++moves;
    }
  });
  Strings given;
  for (std::int64_t end = 301; end < 331; ++end) {
    Give(*sink, {end});
    given.push_back("x 05:" + std::to_string(end - 300 + 100).substr(1));
  }
  while (moves == 0) std::this_thread::yield();  // the file is there
  is_over = true;
  mover.join();
  Give(*sink, {});
  Strings held;
  for (int move = 0; move < moves; ++move) {
    for (std::string& each : HeldBy(old(move))) held.push_back(std::move(each));
  }
  for (std::string& each : Held()) held.push_back(std::move(each));
  EXPECT_EQ(held, given);
}

TEST_F(FileSinkTest, InAReplayNothingDurableIsKeptAndAFileThatIsLostIsNotCalledWhole) {
  const auto sink = Open(true);
  Give(*sink, {300, 310});
  std::filesystem::rename(spec_.path, folder_.File("old"));
  Give(*sink, {320});
  EXPECT_EQ(Held(), (Strings{"x 05:20"})) << "the moved file has the others";
  std::filesystem::remove(spec_.path);
  sink->Deliver(RunAt("x", 330));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("a restart writes them"));
  EXPECT_EQ(Held(), (Strings{"x 05:30"}));
}

TEST_F(FileSinkTest, WhatIsBesideItAndIsNotItsOwnIsLeftAlone) {
  Write(folder_.File(".results.jsonl.held"), "notes\n");
  EXPECT_THAT(OpenError(), HasSubstr(".results.jsonl.held: not written by sash; move it away"));
  EXPECT_EQ(Contents(folder_.File(".results.jsonl.held")), "notes\n");
}

}  // namespace
}  // namespace sash
