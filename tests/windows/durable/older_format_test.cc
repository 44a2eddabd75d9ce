// The checkpoint in format_1/ was written by a version of Sash in which each record had one edge,
// after four steps of the small stream.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/durable/saved_checkpoint.h"

namespace sash::testing {
namespace {

constexpr std::int64_t kStepsBefore = 4;

MemoryFolder OlderCheckpoint() {
  MemoryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(SASH_FORMAT_1)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto written = folder.Create(entry.path().filename());
    EXPECT_TRUE(written && written.value()->Append(bytes) && written.value()->Sync());
  }
  return folder;
}

CheckpointedEngine MakeEngine(std::uint32_t partitions, Folder& folder) {
  return {SmallWindows(), SmallPolicy(), partitions, KeyKind::kString, folder, SmallCompared()};
}

struct Seen {
  std::string window;
  std::optional<std::int64_t> accepted_before;
  std::vector<ListedEdge> edges;
  friend bool operator==(const Seen&, const Seen&) = default;
};

// What the next steps and the end of the stream publish.
std::vector<Seen> GoOn(CheckpointedEngine& engine) {
  EngineHarness& harness = engine.harness();
  const std::size_t before = harness.advances.size();
  for (std::int64_t step = kStepsBefore; step < 2 * kStepsBefore; ++step)
    harness.Feed(SmallStep(step));
  harness.End();
  std::vector<Seen> seen;
  for (std::size_t i = before; i < harness.advances.size(); ++i) {
    const Advance& advance = *harness.advances[i];
    seen.push_back({advance.provenance.window, advance.rewind.accepted_before,
                    ListOut(advance.view, harness.keys)});
  }
  return seen;
}

TEST(OlderFormatTest, AnEngineGoesOnFromACheckpointOfFormat1) {
  MemoryFolder older = OlderCheckpoint();
  CheckpointedEngine recovered = MakeEngine(0, older);
  const Status status = recovered.Recover(older, SmallWindows());
  ASSERT_TRUE(status.ok()) << status.error().message;
  recovered.harness().Start();

  MemoryFolder unused;
  CheckpointedEngine lived = MakeEngine(2, unused);
  ASSERT_TRUE(lived.Begin());
  lived.harness().Start();
  for (std::int64_t step = 0; step < kStepsBefore; ++step) lived.harness().Feed(SmallStep(step));

  const std::vector<Seen> expected = GoOn(lived);
  EXPECT_GT(expected.size(), 5u);
  EXPECT_TRUE(GoOn(recovered) == expected);
}

TEST(OlderFormatTest, TheNextCheckpointKeepsSlicesOfFormat1) {
  MemoryFolder folder = OlderCheckpoint();
  CheckpointedEngine first = MakeEngine(0, folder);
  ASSERT_TRUE(first.Recover(folder, SmallWindows()).ok());
  ASSERT_TRUE(first.Checkpoint(Numbered(first.harness().engine().Capture())).ok());

  CheckpointedEngine second = MakeEngine(0, folder);
  const Status status = second.Recover(folder, SmallWindows());
  ASSERT_TRUE(status.ok()) << status.error().message;
  first.harness().Start();
  second.harness().Start();
  EXPECT_TRUE(GoOn(second) == GoOn(first));
}

}  // namespace
}  // namespace sash::testing
