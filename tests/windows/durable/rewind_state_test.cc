#include "windows/durable/rewind_state.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/memory_folder.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EngineHarness;
using testing::MemoryFolder;

constexpr std::uint64_t kNumber = 7;

// An engine with two partitions: it has published one window, and has another open window with one
// event.
class RewindStateTest : public ::testing::Test {
 protected:
  RewindStateTest()
      : harness_({{.name = "w", .length = Seconds(4), .slide = Seconds(2)}}, TimePolicy(), 2) {
    harness_.Start();
    harness_.Feed({{.partition = 0, .offset = 0, .time = Seconds(1)},
                   {.partition = 1, .offset = 0, .time = Seconds(1)},
                   {.partition = 0, .offset = 1, .time = Seconds(31)},
                   {.partition = 1, .offset = 1, .time = Seconds(31)}});
  }

  static std::int64_t Seconds(std::int64_t count) { return Duration(seconds(count)).count(); }

  EngineState Capture() {
    EngineState state = harness_.engine().CaptureWithoutEvents();
    state.journal = kNumber;
    return state;
  }

  std::string Written(const RewindPoint& safe) {
    MemoryFolder folder;
    EXPECT_TRUE(WriteRewindState(folder, Capture(), safe, harness_.keys).ok());
    return folder.Read(RewindStateName(kNumber)).value();
  }

  EngineHarness harness_;
};

TEST_F(RewindStateTest, IsReadAsItWasWritten) {
  ASSERT_FALSE(harness_.advances.empty());
  const RewindPoint safe = harness_.advances.back()->rewind;
  const Result<RewindState> read = ParseRewindState(Written(safe), KeyKind::kInteger);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().state.journal, kNumber);
  EXPECT_EQ(read.value().safe.published, safe.published);
  EXPECT_EQ(read.value().safe.newest, safe.newest);
  ASSERT_EQ(read.value().safe.positions.size(), 2U);
  EXPECT_EQ(read.value().safe.positions[1].offset, safe.positions[1].offset);
  const LaneState& lane = read.value().state.lanes.at(0);
  EXPECT_EQ(lane.retained, 0U);
  ASSERT_EQ(lane.slicer.open.size(), 1U) << "records may still be counted in it";
  EXPECT_TRUE(lane.slicer.open[0].logs.empty());
}

TEST_F(RewindStateTest, EveryFlippedBitAndEveryCutIsFound) {
  const std::string text = Written(harness_.advances.back()->rewind);
  for (std::size_t at = 0; at < text.size(); ++at) {
    EXPECT_FALSE(ParseRewindState(text.substr(0, at), std::nullopt).ok()) << "cut at " << at;
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      EXPECT_FALSE(ParseRewindState(std::move(changed), std::nullopt).ok())
          << "byte " << at << ", bit " << bit;
    }
  }
}

TEST_F(RewindStateTest, ReachesBackOnlyBeforeTheRecordsThatAreStillNeeded) {
  RewindState newest{.state = Capture(), .safe = {}};
  newest.safe.positions = {{0, 2, std::nullopt}, {1, 2, std::nullopt}};
  EXPECT_TRUE(ReachesBack(newest.state.partitions, newest)) << "this state has read up to offset 2";
  newest.safe.positions[1].offset = 1;
  EXPECT_FALSE(ReachesBack(newest.state.partitions, newest))
      << "offset 1 was read before this state";
  std::vector<PartitionState> fewer;
  fewer.push_back(newest.state.partitions[0]);
  EXPECT_FALSE(ReachesBack(fewer, newest)) << "this state lacks the other partition";
}

}  // namespace
}  // namespace sash
