#include "daemon/pipeline/result_delivery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/connectors/sinks/full_disk.h"
#include "tests/support/kept_log.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A disk that the test can fill.
class FullableSink final : public ResultSink {
 public:
  void Deliver(const CompletedRun&) override { ++delivered; }
  bool DeliverPartial(const CompletedRun&) override {
    ++partial;
    return true;
  }
  void Complete(const AdvanceReport&) override { ++completed; }
  Status Flush() override {
    ++flushed;
    if (full) return Error{ErrorCode::kUnavailable, "file sink: results: the disk is full"};
    return Ok{};
  }

  void Acknowledged(std::uint64_t advances) override { acknowledged = advances; }

  std::uint64_t acknowledged = 0;
  bool full = false;
  int delivered = 0;
  int partial = 0;
  int completed = 0;
  int flushed = 0;
};

class ResultDeliveryTest : public ::testing::Test {
 protected:
  ResultDeliveryTest() {
    folder_ =
        std::filesystem::temp_directory_path() / ("sash-delivery-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
    letters_ = DeadLetters::Open({.path = folder_ / "letters"}, true, log_).value();
    delivery_.emplace(DeliverySurroundings{
        .sinks = sink_,
        .dead_letters = *letters_,
        .clock = clock_,
        .log = log_,
        .commit =
            [this](std::uint64_t, const RewindPoint& point) {
              commits_.push_back(point.positions.at(0).offset);
              letters_at_commit_ = std::filesystem::file_size(folder_ / "letters");
            },
        .acknowledged = [this] { return acknowledged_; },
        .on_result = [this](const CompletedRun&) { ++observed_; }});
  }
  ~ResultDeliveryTest() override { std::filesystem::remove_all(folder_); }

  // An advance that allows reading again from `offset`; its window ends at that second.
  AdvanceReport Report(std::int64_t offset) {
    auto advance = std::make_shared<Advance>();
    advance->provenance.window = "w";
    advance->provenance.window_end = EventTime(seconds(offset));
    advance->rewind.positions.push_back({0, offset, {}});
    AdvanceReport report;
    report.advance = std::move(advance);
    return report;
  }

  // Late enough after the previous one for a separate flush.
  void CompleteLater(std::int64_t offset) {
    clock_.Advance(seconds(1));
    delivery_->Complete(Report(offset));
  }

  ManualClock clock_;
  KeptLog log_;
  FullableSink sink_;
  std::filesystem::path folder_;
  std::unique_ptr<DeadLetters> letters_;
  std::vector<std::int64_t> commits_;
  std::uintmax_t letters_at_commit_ = 0;
  int observed_ = 0;
  std::uint64_t acknowledged_ = 0;
  std::optional<ResultDelivery> delivery_;
};

TEST_F(ResultDeliveryTest, HandsOnEveryResultAndCommitsAfterEachAdvance) {
  const CompletedRun run{std::make_shared<RunResult>(), nullptr, nullptr};
  delivery_->Deliver(run);
  delivery_->Deliver(run);
  CompleteLater(17);
  EXPECT_EQ(sink_.delivered, 2);
  EXPECT_EQ(sink_.completed, 1);
  EXPECT_EQ(observed_, 2);
  acknowledged_ = 2;
  EXPECT_TRUE(delivery_->Flush().ok());
  EXPECT_EQ(sink_.acknowledged, 2u);
  EXPECT_EQ(delivery_->Counts().at(0).results, 2u);
  EXPECT_THAT(commits_, ElementsAre(17));
}

TEST_F(ResultDeliveryTest, HandsOnWhatIsNotFinalAsSuchAlthoughItWasTriggered) {
  auto result = std::make_shared<RunResult>();
  result->triggered = true;
  delivery_->Deliver({result, nullptr, nullptr});  // for the requester alone
  result->provenance.cut.emplace();
  delivery_->Deliver({result, nullptr, nullptr});
  EXPECT_EQ(sink_.delivered, 0);
  EXPECT_EQ(sink_.partial, 1);
  EXPECT_THAT(commits_, IsEmpty());
}

TEST_F(ResultDeliveryTest, CommitsNothingUntilResultsAreDurableThenTheNewestOnly) {
  sink_.full = true;
  CompleteLater(1);
  CompleteLater(2);
  EXPECT_THAT(commits_, IsEmpty());
  EXPECT_TRUE(delivery_->failing());
  sink_.full = false;
  CompleteLater(3);
  EXPECT_THAT(commits_, ElementsAre(3));
  EXPECT_FALSE(delivery_->failing());
}

TEST_F(ResultDeliveryTest, WhatFailedAtTheLastAdvanceIsCommittedByAFlush) {
  sink_.full = true;
  CompleteLater(1);
  EXPECT_FALSE(delivery_->Flush().ok());
  sink_.full = false;
  EXPECT_TRUE(delivery_->Flush().ok());
  EXPECT_TRUE(delivery_->Flush().ok());
  EXPECT_THAT(commits_, ElementsAre(1)) << "once";
}

TEST_F(ResultDeliveryTest, AdvancesInQuickSuccessionAreMadeDurableTogether) {
  CompleteLater(1);
  const int before = sink_.flushed;
  for (std::int64_t offset = 2; offset < 10; ++offset) delivery_->Complete(Report(offset));
  EXPECT_EQ(sink_.flushed, before);
  EXPECT_THAT(commits_, ElementsAre(1)) << "only durable advances are committed";
  CompleteLater(10);
  EXPECT_EQ(sink_.flushed, before + 1);
  EXPECT_THAT(commits_, ElementsAre(1, 10));
}

TEST_F(ResultDeliveryTest, DeadLettersAreWrittenBeforeTheirRecordsAreCommitted) {
  RefusedRecord record;
  record.topic = "t";
  record.payload = "broken";
  letters_->Refuse(record);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "letters"), 0u) << "the letter is still buffered";
  CompleteLater(6);
  EXPECT_THAT(commits_, ElementsAre(6));
  EXPECT_GT(letters_at_commit_, 0u);
}

TEST_F(ResultDeliveryTest, LettersForATopicThatAreNotDurableHoldTheCommitUp) {
  DeadLetterSpec spec{.path = folder_ / "letters-too"};
  spec.kafka = KafkaDestination{
      .brokers = "127.0.0.1:1", .topic = "refused", .outbox = {folder_ / "outbox"}};
  const auto letters = DeadLetters::Open(spec, false, log_).value();
  std::vector<std::int64_t> commits;
  ResultDelivery delivery(DeliverySurroundings{
      .sinks = sink_,
      .dead_letters = *letters,
      .clock = clock_,
      .log = log_,
      .commit = [&](std::uint64_t,
                    const RewindPoint& point) { commits.push_back(point.positions.at(0).offset); },
      .acknowledged = [] { return 0; },
      .on_result = [](const CompletedRun&) {}});
  RefusedRecord record;
  record.topic = "t";
  record.payload = "broken";
  {
    const testing::FullDisk full(0);
    letters->Refuse(record);
    clock_.Advance(seconds(1));
    delivery.Complete(Report(6));
    EXPECT_THAT(commits, IsEmpty());
    EXPECT_FALSE(delivery.failing()) << "the results are durable";
  }
  clock_.Advance(seconds(1));
  delivery.Complete(Report(7));
  EXPECT_THAT(commits, ElementsAre(7));
}

TEST_F(ResultDeliveryTest, FailuresAreSaidOncePerChange) {
  sink_.full = true;
  for (std::int64_t offset = 1; offset < 5; ++offset) CompleteLater(offset);
  sink_.full = false;
  CompleteLater(5);
  CompleteLater(6);
  EXPECT_THAT(log_.lines(),
              ElementsAre("error: results are not durable, committing stops: file sink: results: "
                          "the disk is full",
                          "info: results are durable again, committing goes on"));
  EXPECT_EQ(delivery_->Counts().at(0).failures, 4u);
}

TEST_F(ResultDeliveryTest, EveryCancelledRunIsSaid) {
  const AdvanceReport report = Report(60);
  delivery_->NoteUnfinished(*report.advance, "ranks", std::nullopt);
  delivery_->NoteUnfinished(*report.advance, "reach", RunFailure{RunFault::kLate, "no answer"});
  EXPECT_THAT(log_.lines(),
              ElementsAre("warning: job ranks: cancelled at its deadline on window w ending "
                          "1970-01-01T00:01:00.000Z",
                          "warning: job reach: no result for window w ending "
                          "1970-01-01T00:01:00.000Z: no answer"));
}

TEST_F(ResultDeliveryTest, SkippedWindowsAreSaidAtMostOnceAMinuteWithTheirNumber) {
  for (std::int64_t offset = 1; offset <= 4; ++offset) {
    AdvanceReport report = Report(offset);
    report.skipped = {"ranks"};
    delivery_->Complete(report);
  }
  clock_.Advance(minutes(1));
  AdvanceReport late = Report(60);
  late.skipped = {"ranks"};
  delivery_->Complete(late);
  EXPECT_THAT(
      log_.lines(),
      ElementsAre("warning: job ranks: does not keep up (overrun: skip): skipped 1 window, "
                  "the newest w ending 1970-01-01T00:00:01.000Z",
                  "warning: job ranks: does not keep up (overrun: skip): skipped 4 windows, "
                  "the newest w ending 1970-01-01T00:01:00.000Z"));
}

TEST_F(ResultDeliveryTest, WhatTheLastAdvancesLeftIsCommittedWhenNothingFollows) {
  CompleteLater(1);
  for (std::int64_t offset = 2; offset < 5; ++offset) delivery_->Complete(Report(offset));
  EXPECT_TRUE(delivery_->Rest()) << "the last flush was too recent";
  EXPECT_THAT(commits_, ElementsAre(1));
  clock_.Advance(milliseconds(200));
  EXPECT_FALSE(delivery_->Rest());
  EXPECT_THAT(commits_, ElementsAre(1, 4));
  const int before = sink_.flushed;
  clock_.Advance(seconds(1));
  EXPECT_FALSE(delivery_->Rest());
  EXPECT_EQ(sink_.flushed, before) << "there is nothing left to flush";
}

TEST_F(ResultDeliveryTest, WhatFailedIsTriedAgainThoughNoAdvanceFollows) {
  sink_.full = true;
  CompleteLater(1);
  const int before = sink_.flushed;
  for (int i = 0; i < 30; ++i) {
    clock_.Advance(milliseconds(200));
    EXPECT_TRUE(delivery_->Rest());
  }
  EXPECT_EQ(sink_.flushed, before + 6) << "one flush a second";
  EXPECT_THAT(commits_, IsEmpty());
  sink_.full = false;
  clock_.Advance(seconds(1));
  EXPECT_FALSE(delivery_->Rest());
  EXPECT_THAT(commits_, ElementsAre(1));
  EXPECT_FALSE(delivery_->failing());
}

}  // namespace
}  // namespace sash
