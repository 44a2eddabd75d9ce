// A window joins a running stream, or changes, and a restart comes before it has published anything
// since. Nothing is recalled for it: its first result is compared with none, as without a restart.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/durable/rewind_state.h"

namespace sash {
namespace {

using testing::CheckpointedEngine;
using testing::EngineHarness;
using testing::MemoryFolder;
using testing::ScriptRecord;

const WindowSpec kFirst = {.name = "first", .length = 20, .slide = 10};
const WindowSpec kJoined = {.name = "joined", .length = 40, .slide = 20};
// A follower of kJoined shows what jobs with `every: 2` are compared with.
const EngineHarness::Compared kCompared = {{"joined", {1, 2}}};

TimePolicy Exact() {
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  return policy;
}

std::vector<ScriptRecord> Records(std::int64_t begin, std::int64_t end) {
  std::vector<ScriptRecord> records;
  for (std::int64_t i = begin; i < end; ++i) {
    records.push_back({.offset = i, .time = 10 * i + 5, .source = i, .target = i + 1});
  }
  return records;
}

class JoinedWindowsTest : public ::testing::Test {
 protected:
  JoinedWindowsTest() {
    before_.harness().on_advance = [this](const AdvancePtr& advance) {
      if (advance->provenance.window == kJoined.name) ++published_;
      newest_ = advance;
    };
    EXPECT_TRUE(before_.Begin());
    before_.harness().Start();
    before_.harness().Feed(Records(0, 5));
    EXPECT_TRUE(before_.harness().AddWindow(kJoined));
    EXPECT_TRUE(before_.harness().Compare(kCompared));
    before_.harness().Feed(Records(5, 6));
    EXPECT_EQ(published_, 0);
  }

  static void NoteRecalled(EngineHarness& harness, std::vector<std::string>& recalled) {
    harness.on_recalled = [&](const AdvancePtr& advance) {
      recalled.push_back(std::to_string(advance->end) + ", every " +
                         std::to_string(advance->recalled_for));
    };
  }

  MemoryFolder folder_;
  CheckpointedEngine before_{{kFirst}, Exact(), 1, KeyKind::kInteger, folder_};
  int published_ = 0;  // windows of kJoined
  AdvancePtr newest_;
};

TEST_F(JoinedWindowsTest, ThatPublishedNothingAreNotRecalledFromACheckpoint) {
  ASSERT_TRUE(before_.Checkpoint().ok());
  CheckpointedEngine after({kFirst, kJoined}, Exact(), 1, KeyKind::kInteger, folder_, kCompared);
  std::vector<std::string> recalled;
  NoteRecalled(after.harness(), recalled);
  ASSERT_TRUE(after.Recover(folder_, {kFirst, kJoined}).ok());
  after.harness().Start();
  EXPECT_EQ(recalled, std::vector<std::string>());

  // Nor after a second restart, until the first window has been published.
  ASSERT_TRUE(after.Checkpoint().ok());
  CheckpointedEngine again({kFirst, kJoined}, Exact(), 1, KeyKind::kInteger, folder_, kCompared);
  NoteRecalled(again.harness(), recalled);
  ASSERT_TRUE(again.Recover(folder_, {kFirst, kJoined}).ok());
  again.harness().Start();
  EXPECT_EQ(recalled, std::vector<std::string>());
  again.harness().Feed(Records(6, 9));
  ASSERT_TRUE(again.Checkpoint().ok());
  CheckpointedEngine last({kFirst, kJoined}, Exact(), 1, KeyKind::kInteger, folder_, kCompared);
  NoteRecalled(last.harness(), recalled);
  ASSERT_TRUE(last.Recover(folder_, {kFirst, kJoined}).ok());
  last.harness().Start();
  EXPECT_EQ(recalled, (std::vector<std::string>{"80, every 1", "80, every 2"}));
}

TEST_F(JoinedWindowsTest, ThatChangedAndPublishedNothingSinceAreNotRecalledFromACheckpoint) {
  before_.harness().Feed(Records(6, 9));
  ASSERT_EQ(published_, 2);
  WindowSpec changed = kJoined;
  changed.length = 80;
  ASSERT_TRUE(before_.harness().PutWindows({changed}));
  before_.harness().Feed(Records(9, 10));
  ASSERT_EQ(published_, 2);
  ASSERT_TRUE(before_.Checkpoint().ok());
  CheckpointedEngine after({kFirst, changed}, Exact(), 1, KeyKind::kInteger, folder_, kCompared);
  std::vector<std::string> recalled;
  NoteRecalled(after.harness(), recalled);
  ASSERT_TRUE(after.Recover(folder_, {kFirst, changed}).ok());
  after.harness().Start();
  EXPECT_EQ(recalled, std::vector<std::string>());
  std::vector<std::int64_t> ends;
  after.harness().on_advance = [&](const AdvancePtr& advance) {
    if (advance->provenance.window == changed.name) ends.push_back(advance->end);
  };
  after.harness().Feed(Records(10, 11));
  EXPECT_EQ(ends, std::vector<std::int64_t>{100});
}

TEST_F(JoinedWindowsTest, ThatPublishedNothingAreNotRecalledWhenTheStreamIsReadAgain) {
  const RewindPoint& point = newest_->rewind;
  ASSERT_TRUE(point.published.contains(kJoined.name));
  EXPECT_TRUE(point.newest.at(kJoined.name).only_joined);
  EXPECT_FALSE(point.newest.at(kFirst.name).only_joined);

  EngineHarness after({kFirst, kJoined}, Exact(), 1, KeyKind::kInteger, {}, kCompared);
  std::vector<std::string> recalled;
  std::vector<std::int64_t> ends;
  NoteRecalled(after, recalled);
  RewindPoint later;
  after.on_advance = [&](const AdvancePtr& advance) {
    if (advance->provenance.window == kJoined.name) ends.push_back(advance->end);
    later = advance->rewind;
  };
  after.Start(point);
  ASSERT_EQ(point.positions.size(), 1u);
  after.Feed(Records(point.positions[0].offset, 6));
  EXPECT_EQ(recalled, std::vector<std::string>());
  EXPECT_EQ(ends, std::vector<std::int64_t>());
  after.Feed(Records(6, 9));
  EXPECT_EQ(recalled, std::vector<std::string>());
  EXPECT_EQ(ends, (std::vector<std::int64_t>{60, 80}));
  EXPECT_FALSE(later.newest.at(kJoined.name).only_joined);
}

// The state of a stream that is read again names these windows in a section of its own.
TEST_F(JoinedWindowsTest, AreNamedInTheStateOfAStreamThatIsReadAgain) {
  EngineState state = testing::Numbered(before_.harness().engine().Capture());
  for (LaneState& lane : state.lanes) {
    lane.retained = 0;
    lane.slicer.open.clear();
    for (WindowState& window : lane.windows) window.state.slices = 0;
  }
  ASSERT_TRUE(WriteRewindState(folder_, state, newest_->rewind, before_.harness().keys).ok());
  const Result<RewindState> read = ReadRewindState(folder_, state.journal, KeyKind::kInteger);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read.value().safe.newest, newest_->rewind.newest);
}

}  // namespace
}  // namespace sash
