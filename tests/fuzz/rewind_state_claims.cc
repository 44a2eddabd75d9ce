#include "tests/fuzz/rewind_state_claims.h"

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/near_state.h"
#include "tests/fuzz/section_list.h"
#include "tests/support/engine_harness.h"
#include "tests/support/memory_folder.h"
#include "tests/support/small_stream.h"
#include "windows/base/check.h"
#include "windows/durable/rewind_state.h"
#include "windows/durable/sectioned_file.h"

namespace sash::fuzz {
namespace {

constexpr std::size_t kMostStateSections = 64;

std::string FileOf(std::string_view text) {
  std::vector<sash::FileSection> sections;
  for (FileSection& section : UnpackSections(text)) {
    if (sections.size() < kMostStateSections)
      sections.push_back({section.tag, std::move(section.bytes)});
  }
  testing::MemoryFolder folder;
  SASH_CHECK(SectionedFile::Write(folder, "state", FileKind::kRewindState, sections));
  return folder.Read("state").value();
}

void CheckWrittenAgain(const RewindState& read, KeyKind kind) {
  testing::MemoryFolder folder;
  const VertexDictionary keys(kind);
  SASH_CHECK(WriteRewindState(folder, read.state, read.safe, keys));
  const auto again = ReadRewindState(folder, read.state.journal, kind);
  SASH_CHECK(again);
  SASH_CHECK(again.value().safe == read.safe);
  SASH_CHECK(ReachesBack(read.state.partitions, read) ==
             ReachesBack(again.value().state.partitions, again.value()));
}

}  // namespace

void CheckRewindState(std::string_view text, KeyKind kind) {
  Result<RewindState> read = ParseRewindState(FileOf(text), kind);
  if (!read) {
    SASH_CHECK(!read.error().message.empty());
    return;
  }
  // Without a number it does not belong to a journal, and is not written.
  if (read.value().state.journal != 0) CheckWrittenAgain(read.value(), kind);
  EngineState state = std::move(read.value().state);
  const auto windows = testing::SmallWindows();
  if (!CheckFits(state, windows) || !IsNear(state)) return;
  testing::EngineHarness harness(windows, testing::SmallPolicy(), 0, kind, {},
                                 testing::SmallCompared());
  for (const PartitionState& partition : state.partitions) {
    harness.partitions.Index(partition.pair.topic, partition.pair.partition);
  }
  const auto none = [](std::uint64_t, SliceId) -> Result<LoadedSlice> {
    return Error{ErrorCode::kNotFound, "it has no slices"};
  };
  SASH_CHECK(harness.engine().Restore(std::move(state), none));
  for (std::int32_t p = 0; p < 2; ++p) harness.partitions.Index("replay", p);
  harness.Start();
  harness.Feed(testing::SmallStep(5));
  SASH_CHECK(CheckCoherent(harness.engine().CaptureWithoutEvents()));
  SASH_CHECK(CheckCoherent(harness.engine().Capture()));
  harness.End();
}

}  // namespace sash::fuzz
