// When `recovery: replay` keeps a journal, and what the next process does with it.
#include "daemon/recovery/rewind_recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include "tests/daemon/recovery/recovered_run.h"

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RewindRecoveryTest : public ::testing::Test {
 protected:
  RewindRecoveryTest() {
    // A tumbling window whose edges depend on when they arrive.
    config_.windows[0].by = WindowAxis::kProcessingTime;
    config_.windows[0].length = config_.windows[0].slide;
  }

  // A process reads two records, then three, ten seconds apart.
  void LeaveJournal() {
    RecoveredRun run(config_);
    ASSERT_TRUE(run.Recover().ok());
    EXPECT_THAT(run.log.lines(), IsEmpty());
    run.Begin();
    run.ReadUntil(2);
    run.Wait(seconds(10));
    run.ReadUntil(5);
    run.Wait(seconds(10));
    run.Wait(seconds(10));
    EXPECT_THAT(run.Edges(), ElementsAre(2, 3, 0));
    EXPECT_EQ(run.recovery().Journalled().failures, 0u);
    EXPECT_GT(run.recovery().Journalled().rounds, 0u);
  }

  StateFolder folder_;
  Config config_ = RecoveredConfig(RecoveryConfig::Kind::kReplay, folder_);
};

TEST_F(RewindRecoveryTest, WindowsByArrivalAreCutAsBeforeHoweverTheRecordsArriveNow) {
  LeaveJournal();
  RecoveredRun run(config_, seconds(500));
  ASSERT_TRUE(run.Recover().ok());
  EXPECT_TRUE(run.Logged("windows are read again according to the journal in " +
                         RewindFolder(folder_.state())));
  ASSERT_EQ(run.recovery().resume().size(), 1u);
  EXPECT_EQ(run.recovery().resume().begin()->second.next, 0);
  EXPECT_EQ(run.recovery().resume().begin()->second.awaited_until, 5);
  run.Begin();
  run.ReadUntil(5);  // at once
  ASSERT_GE(run.advances.size(), 2u);
  EXPECT_EQ(run.Edges()[0], 2u);
  EXPECT_EQ(run.Edges()[1], 3u);
}

TEST_F(RewindRecoveryTest, AJournalOfOtherKeysIsNotUsedAndTheLogSaysWhy) {
  LeaveJournal();
  config_.source.format.keys = KeyKind::kInteger;
  RecoveredRun run(config_, seconds(500));
  ASSERT_TRUE(run.Recover().ok());
  EXPECT_TRUE(run.Logged("the journal in " + RewindFolder(folder_.state()) + " cannot be used: "));
  EXPECT_THAT(run.recovery().resume(), IsEmpty());
}

TEST_F(RewindRecoveryTest, TheCommitOfDeliveredResultsIsPassedOn) {
  RecoveredRun run(config_);
  ASSERT_TRUE(run.Recover().ok());
  run.Begin();
  run.ReadUntil(2);
  run.Wait(seconds(10));
  ASSERT_EQ(run.advances.size(), 1u);
  run.recovery().Delivered(1, run.advances[0]->rewind);
  EXPECT_EQ(run.commits, 1);
}

TEST_F(RewindRecoveryTest, TwoProcessesCannotShareAFolder) {
  RecoveredRun first(config_);
  ASSERT_TRUE(first.Recover().ok());
  RecoveredRun second(config_);
  const Status recovered = second.Recover();
  ASSERT_FALSE(recovered.ok());
  EXPECT_THAT(recovered.error().message, HasSubstr("state.path: "));
}

TEST_F(RewindRecoveryTest, AJournalIsKeptForWindowsByArrivalAndWhereTheFolderIsConfigured) {
  EXPECT_TRUE(KeepsJournal(config_));
  config_.windows[0].by = WindowAxis::kEventTime;
  EXPECT_TRUE(KeepsJournal(config_)) << "the folder is configured";
  config_.recovery.is_placed = false;
  EXPECT_FALSE(KeepsJournal(config_));
  config_.windows[0].by = WindowAxis::kEvents;
  EXPECT_TRUE(KeepsJournal(config_));
  config_.recovery.kind = RecoveryConfig::Kind::kCheckpoint;
  EXPECT_FALSE(KeepsJournal(config_));
}

TEST_F(RewindRecoveryTest, NoJournalIsKeptForAStreamThatDoesNotGoOn) {
  auto& kafka = std::get<KafkaSpec>(config_.source.connector);
  kafka.start = StartEarliest{};
  EXPECT_FALSE(KeepsJournal(config_));
  kafka.start = StartCommitted{};
  kafka.brokers = "embedded";
  EXPECT_FALSE(KeepsJournal(config_));
  config_.source.connector = ReplaySpec{};
  EXPECT_FALSE(KeepsJournal(config_));
}

TEST_F(RewindRecoveryTest, AFolderThatCannotBeUsedIsAnErrorOnlyIfItIsConfigured) {
  std::ofstream(folder_.state()) << "a file";
  KeptLog log;
  testing::EngineHarness harness(config_.windows, config_.source.time, 0);
  const auto open = [&] {
    return OpenRecovery(config_, {.keys = harness.keys,
                                  .partitions = harness.partitions,
                                  .clock = harness.clock,
                                  .log = log,
                                  .commit = {},
                                  .committed = {},
                                  .make_durable = {},
                                  .source = config_.source});
  };
  const auto configured = open();
  ASSERT_FALSE(configured.ok());
  EXPECT_THAT(configured.error().message, HasSubstr("state.path: "));
  config_.recovery.is_placed = false;
  const auto by_default = open();
  ASSERT_TRUE(by_default.ok());
  EXPECT_EQ(by_default.value(), nullptr);
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_THAT(log.lines()[0], HasSubstr("recovery: no journal is kept"));
}

}  // namespace
}  // namespace sash
