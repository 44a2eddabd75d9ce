// What `sashd --verify` says of sound and damaged state, and of files of results.
#include "daemon/recovery/verify_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "connectors/sinks/result_checksum.h"
#include "daemon/log/exit_code.h"
#include "daemon/recovery/rewind_recovery.h"
#include "tests/daemon/recovery/recovered_run.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Inverts the last byte of a file.
void Damage(const std::string& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-1, std::ios::end);
  const char last = static_cast<char>(file.get());
  file.seekp(-1, std::ios::end);
  file.put(static_cast<char>(~last));
}

class VerifyStateTest : public ::testing::Test {
 protected:
  void Run(RecoveryConfig::Kind kind) {
    RecoveredRun run(RecoveredConfig(kind, folder_));
    ASSERT_TRUE(run.Recover().ok());
    run.Begin();
    run.ReadUntil(35);
    run.End();
  }

  StateFolder folder_;
};

TEST_F(VerifyStateTest, CountsWhatASoundCheckpointHolds) {
  Run(RecoveryConfig::Kind::kCheckpoint);
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, 0);
  EXPECT_THAT(verdict.faults, IsEmpty());
  EXPECT_THAT(verdict.summary, StartsWith(folder_.state() + ": sound: "));
  EXPECT_THAT(verdict.summary, HasSubstr(" events, 0 rounds since then\n"));
}

TEST_F(VerifyStateTest, AFileThatDoesNotBelongThereIsNamedAndHarmless) {
  Run(RecoveryConfig::Kind::kCheckpoint);
  std::ofstream(folder_.state() + "/notes") << "mine";
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, 0);
  EXPECT_THAT(verdict.summary, HasSubstr("/notes: not part of the checkpoint\n"));
}

TEST_F(VerifyStateTest, NamesTheDamagedFileAndThePlace) {
  Run(RecoveryConfig::Kind::kCheckpoint);
  Damage(folder_.state() + "/manifest");
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, kExitFailure);
  EXPECT_THAT(verdict.faults, StartsWith(folder_.state() + "/manifest: byte "));
  EXPECT_THAT(verdict.summary, HasSubstr(": damaged: "));
}

TEST_F(VerifyStateTest, ReadsTheJournalOfReplayToo) {
  Run(RecoveryConfig::Kind::kReplay);
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, 0);
  EXPECT_THAT(verdict.summary, StartsWith(RewindFolder(folder_.state()) + ": sound: 1 states, "));
}

TEST_F(VerifyStateTest, WhatIsNotThereCannotBeRead) {
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, kExitFailure);
  EXPECT_THAT(verdict.faults, HasSubstr(folder_.state()));
  EXPECT_THAT(verdict.summary, IsEmpty());
}

TEST_F(VerifyStateTest, NamesEachLineThatIsNotAResultOrWasChanged) {
  const std::string result =
      R"({"schema": 1, "job": "j", "window": "w", "window_end": "2026-01-01T00:00:10.000Z", )"
      R"("edges": 3})";
  std::string changed = WithChecksum(result);
  changed.replace(changed.find("\"edges\": 3"), 10, "\"edges\": 4");
  std::ofstream(folder_.state()) << result << "\n"
                                 << WithChecksum(result) << "\nnote to self\n"
                                 << changed << "\n"
                                 << result;
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, kExitFailure);
  EXPECT_EQ(verdict.faults, folder_.state() + ":3: not a result\n" + folder_.state() +
                                ":4: its checksum is wrong\n" + folder_.state() +
                                ":5: not a result\n")
      << "the last line is torn";
  EXPECT_THAT(verdict.summary, HasSubstr(": damaged: 5 results, 2 of them with a checksum\n"));
}

TEST_F(VerifyStateTest, CountsRowsAndSaysThatCsvHasNoChecksums) {
  const std::string row =
      R"({"schema":1,"job":"j","window":"w","window_end":"2026-01-01T00:00:10.000Z","row":1,)"
      R"("rows":1,"vertex":"a"})";
  std::ofstream(folder_.state()) << WithChecksum(row) << "\n";
  EXPECT_THAT(VerifyState(folder_.state()).summary,
              HasSubstr(": sound: 1 rows, 1 of them with a checksum\n"));
  std::ofstream(folder_.state()) << "job,window,window_end,row,rows,vertex,rank,score\r\n";
  const Verdict verdict = VerifyState(folder_.state());
  EXPECT_EQ(verdict.code, kExitFailure);
  EXPECT_THAT(verdict.faults, HasSubstr("rows in CSV have no checksums"));
}

}  // namespace
}  // namespace sash
