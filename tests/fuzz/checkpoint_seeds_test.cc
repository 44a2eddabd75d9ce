// The kept checkpoints equal those that an engine writes. After a change of the format:
//   SASH_WRITE_SEEDS=1 build/debug/tests/fuzz/fuzz_test --gtest_filter='CheckpointSeeds*'
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/kept_input.h"
#include "tests/fuzz/section_list.h"
#include "tests/fuzz/targets.h"
#include "tests/support/memory_folder.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/durable/rewind_state.h"
#include "windows/durable/slice_file.h"

namespace sash::fuzz {
namespace {

using testing::CheckpointedEngine;
using testing::MemoryFolder;

constexpr std::uint64_t kMostFiles = 15;  // read_checkpoint.cc accepts 16

// The checkpoint after `steps` steps of the small stream.
MemoryFolder Live(std::int64_t steps, KeyKind kind) {
  MemoryFolder folder;
  CheckpointedEngine engine(testing::SmallWindows(), testing::SmallPolicy(), 2, kind, folder,
                            testing::SmallCompared());
  EXPECT_TRUE(engine.Begin());
  engine.harness().Start();
  for (std::int64_t step = 0; step < steps; ++step) {
    engine.harness().Feed(testing::SmallStep(step));
  }
  EXPECT_TRUE(engine.Checkpoint().ok());
  return folder;
}

void AddSections(const MemoryFolder& folder, const std::string& name, FileKind kind,
                 std::uint8_t number, std::vector<FileSection>& sections) {
  Result<std::string> text = folder.Read(name);
  if (!text) return;  // a slice that has left the windows
  const SectionedFile file = SectionedFile::Parse(std::move(text).value(), kind).value();
  const std::uint8_t most = kind == FileKind::kManifest ? 5 : 4;
  for (std::uint8_t tag = 1; tag <= most; ++tag) {
    sections.push_back({number, tag, std::string(file.Find(tag).value())});
  }
}

std::string InSections(std::int64_t steps, KeyKind kind) {
  const MemoryFolder folder = Live(steps, kind);
  std::vector<FileSection> sections;
  AddSections(folder, kManifestName, FileKind::kManifest, 0, sections);
  EXPECT_LE(folder.List().value().size(), 1 + kMostFiles);
  for (std::uint64_t file = 0; file < kMostFiles; ++file) {
    AddSections(folder, SliceFileName(file), FileKind::kSlice, static_cast<std::uint8_t>(1 + file),
                sections);
  }
  return std::string("0") + (kind == KeyKind::kString ? '0' : '1') + PackSections(sections);
}

std::string AsItIs(char form, std::int64_t steps, const std::string& name) {
  return std::string{form, '0'} + Live(steps, KeyKind::kString).Read(name).value();
}

// The state without events after `steps` steps, when the results of the newest advance were safe.
std::string RewindSections(std::int64_t steps, KeyKind kind) {
  testing::EngineHarness harness(testing::SmallWindows(), testing::SmallPolicy(), 2, kind, {},
                                 testing::SmallCompared());
  harness.Start();
  for (std::int64_t step = 0; step < steps; ++step) harness.Feed(testing::SmallStep(step));
  EngineState state = harness.engine().CaptureWithoutEvents();
  state.journal = 3;
  RewindPoint safe;
  if (!harness.advances.empty()) safe = harness.advances.back()->rewind;
  MemoryFolder folder;
  EXPECT_TRUE(WriteRewindState(folder, state, safe, harness.keys).ok());
  const SectionedFile file =
      SectionedFile::Parse(folder.Read(RewindStateName(3)).value(), FileKind::kRewindState).value();
  std::vector<FileSection> sections;
  for (std::uint8_t tag = 1; tag <= 7; ++tag) {
    sections.push_back({0, tag, std::string(file.Find(tag).value())});
  }
  return std::string("3") + (kind == KeyKind::kString ? '0' : '1') + PackSections(sections);
}

TEST(CheckpointSeedsTest, TheKeptOnesAreWhatAnEngineWrites) {
  ExpectKept("read_checkpoint/nothing_yet", InSections(0, KeyKind::kString));
  ExpectKept("read_checkpoint/first_events", InSections(1, KeyKind::kString));
  ExpectKept("read_checkpoint/slices_of_strings", InSections(4, KeyKind::kString));
  ExpectKept("read_checkpoint/slices_of_integers", InSections(4, KeyKind::kInteger));
  ExpectKept("read_checkpoint/rewind_state_of_strings", RewindSections(4, KeyKind::kString));
  ExpectKept("read_checkpoint/rewind_state_of_integers", RewindSections(2, KeyKind::kInteger));
  ExpectKept("read_checkpoint/manifest_as_it_is", AsItIs('1', 0, kManifestName));
  ExpectKept("read_checkpoint/slice_as_it_is", AsItIs('2', 2, SliceFileName(0)));
}

}  // namespace
}  // namespace sash::fuzz
