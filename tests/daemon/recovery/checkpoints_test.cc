// What a process does with the checkpoint that it finds: it goes on, begins without it, or refuses.
#include "daemon/recovery/checkpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/daemon/recovery/recovered_run.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/durable/posix_folder.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckpointsTest : public ::testing::Test {
 protected:
  // A process reads the first 35 records, publishes three windows, and ends.
  void LeaveCheckpoint() {
    RecoveredRun run(config_);
    ASSERT_TRUE(run.Recover().ok());
    EXPECT_TRUE(run.Logged("there is no checkpoint in " + folder_.state() + " yet"));
    run.Begin();
    run.ReadUntil(35);
    run.End();
    EXPECT_THAT(run.Edges(), ElementsAre(10, 20, 20));
    EXPECT_EQ(run.commits, 1);
    EXPECT_EQ(run.recovery().durable_advances(), 3u);
    EXPECT_EQ(run.recovery().Counts()->checkpoints, 1u);
    EXPECT_FALSE(run.recovery().not_ready().has_value());
  }

  // The next process goes on where the first one ended.
  void ExpectGoesOn() {
    RecoveredRun run(config_);
    const Status recovered = run.Recover();
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    EXPECT_TRUE(run.Logged("windows go on from the checkpoint in " + folder_.state()));
    run.Begin();
    run.ReadUntil(41);
    EXPECT_THAT(run.Edges(), ElementsAre(20)) << "with ten records of the previous process";
  }

  // The next process reads everything again, and its log contains the reason.
  void ExpectBeginsWithout(const std::string& reason) {
    RecoveredRun run(config_);
    const Status recovered = run.Recover();
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    EXPECT_TRUE(run.Logged(reason)) << ::testing::PrintToString(run.log.lines());
    EXPECT_THAT(run.recovery().resume(), IsEmpty());
    run.Begin();
    run.ReadUntil(41);
    EXPECT_THAT(run.Edges(), ElementsAre(10, 20, 20, 20));
  }

  // The message with which the next process refuses to start.
  std::string Refusal() {
    RecoveredRun run(config_);
    const Status recovered = run.Recover();
    if (recovered.ok()) return "not refused";
    EXPECT_EQ(recovered.error().code, ErrorCode::kInvalidArgument);
    return recovered.error().message;
  }

  JsonMapping& mapping() { return std::get<JsonMapping>(config_.source.format.mapping); }

  StateFolder folder_;
  Config config_ = RecoveredConfig(RecoveryConfig::Kind::kCheckpoint, folder_);
};

TEST_F(CheckpointsTest, WindowsGoOnFromTheCheckpoint) {
  LeaveCheckpoint();
  ExpectGoesOn();
}

TEST_F(CheckpointsTest, TheSourceResumesBehindTheLastRecordOfTheState) {
  LeaveCheckpoint();
  RecoveredRun run(config_);
  ASSERT_TRUE(run.Recover().ok());
  ASSERT_EQ(run.recovery().resume().size(), 1u);
  EXPECT_EQ(run.recovery().resume().begin()->first.topic, "t");
  EXPECT_EQ(run.recovery().resume().begin()->second.next, 35);
}

TEST_F(CheckpointsTest, EdgesOfAnotherMappingAreRefusedWithBothDigestsAndTheRemedy) {
  LeaveCheckpoint();
  std::swap(mapping().source, mapping().target);
  const std::string refusal = Refusal();
  EXPECT_THAT(refusal, HasSubstr("recover from " + folder_.state()));
  EXPECT_THAT(refusal, ::testing::ContainsRegex("mapping [0-9a-f]{16}, now [0-9a-f]{16}"));
  EXPECT_THAT(refusal, HasSubstr("edges[0].source was \"/from\" and is \"/to\""));
  EXPECT_THAT(refusal, HasSubstr("state.mapping_changed: rebuild"));
  // The refusal changes nothing: the former mapping goes on.
  std::swap(mapping().source, mapping().target);
  ExpectGoesOn();
}

TEST_F(CheckpointsTest, EdgesOfAnotherMappingAreReadAgainIfTheConfigurationSaysSo) {
  LeaveCheckpoint();
  mapping().target = "/other";
  config_.recovery.rebuilds = true;
  ExpectBeginsWithout("was made from records in another way");
}

TEST_F(CheckpointsTest, ATopicMayComeButEdgesOfOneThatIsNotNamedAreDropped) {
  LeaveCheckpoint();
  std::get<KafkaSpec>(config_.source.connector).topics = {"other", "t"};
  ExpectGoesOn();
  std::get<KafkaSpec>(config_.source.connector).topics = {"other"};
  ExpectBeginsWithout("holds edges of topic t, which source.kafka.topics does not name");
}

TEST_F(CheckpointsTest, EdgesOfTopicsThatAPatternDoesNotMatchAreDropped) {
  LeaveCheckpoint();
  auto& kafka = std::get<KafkaSpec>(config_.source.connector);
  kafka.topics.clear();
  kafka.topic_pattern = "^t$";
  ExpectGoesOn();
  kafka.topic_pattern = "^t.";
  ExpectBeginsWithout("holds edges of topic t, which source.kafka.topics does not name");
}

// A checkpoint of a version that did not store the mapping.
TEST_F(CheckpointsTest, WithoutAMappingTheKindOfKeysIsComparedAndTheCheckpointIsUsed) {
  {
    const auto folder = PosixFolder::Open(folder_.state()).value();
    testing::CheckpointedEngine engine(config_.windows, config_.source.time, 1, KeyKind::kString,
                                       *folder);
    ASSERT_TRUE(engine.Begin());
    engine.harness().Start();
    ASSERT_TRUE(engine.Checkpoint(testing::Numbered(engine.harness().engine().Capture())).ok());
  }
  config_.source.format.keys = KeyKind::kInteger;
  EXPECT_THAT(Refusal(), HasSubstr("its mapping is not stored: keys was string and is integer"));
  config_.source.format.keys = KeyKind::kString;
  RecoveredRun run(config_);
  ASSERT_TRUE(run.Recover().ok());
  EXPECT_TRUE(run.Logged("is from a version that did not store how records became edges"));
  EXPECT_TRUE(run.Logged("windows go on from the checkpoint"));
}

TEST_F(CheckpointsTest, OtherWindowsAreReadAgain) {
  LeaveCheckpoint();
  config_.windows[0].duplicates = DuplicatesPolicy::kDrop;
  ExpectBeginsWithout("belongs to other windows: ");
}

TEST_F(CheckpointsTest, ADamagedCheckpointIsNamedAndNotUsed) {
  LeaveCheckpoint();
  std::string slice;
  for (const auto& file : std::filesystem::directory_iterator(folder_.state())) {
    const std::string name = file.path().filename();
    if (name.starts_with("slice")) slice = name;
  }
  ASSERT_NE(slice, "");
  std::fstream file(folder_.state() + "/" + slice, std::ios::in | std::ios::out);
  file.seekp(-1, std::ios::end);
  file.put('\x7f');
  file.close();
  ExpectBeginsWithout("is damaged: " + folder_.state() + "/" + slice);
}

TEST_F(CheckpointsTest, AFolderThatCannotBeUsedIsAnError) {
  std::ofstream(folder_.state()) << "a file";
  RecoveredRun run(config_);
  const Status recovered = run.Recover();
  ASSERT_FALSE(recovered.ok());
  EXPECT_THAT(recovered.error().message, HasSubstr("state.path: "));
  EXPECT_THAT(recovered.error().message, HasSubstr(folder_.state()));
}

}  // namespace
}  // namespace sash
