// Claims about checkpoints: whatever the files contain, reading them ends with a checkpoint or with
// a reason that names a file; recovery and --verify agree; an engine that continues from an
// accepted checkpoint knows its content and accepts the following events; a checkpoint that it
// writes itself is read again, and continues equally.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/choices.h"
#include "tests/fuzz/near_state.h"
#include "tests/fuzz/rewind_state_claims.h"
#include "tests/fuzz/section_list.h"
#include "tests/fuzz/targets.h"
#include "tests/support/memory_folder.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/base/check.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/slice_file.h"

namespace sash::fuzz {
namespace {

using testing::CheckpointedEngine;
using testing::MemoryFolder;

constexpr std::size_t kMostSections = 64;  // in a file; and 16 files

void WriteWhole(MemoryFolder& folder, const std::string& name, std::string_view bytes) {
  const auto file = folder.Create(name);
  SASH_CHECK(file && file.value()->Append(bytes) && file.value()->Sync());
}

// The manifest names the slice files by size and checksum: both are corrected here.
void StampSlices(const std::map<std::uint64_t, FileStamp>& stamps, std::string& entries) {
  constexpr std::size_t kCountBytes = 8;
  constexpr std::size_t kEntryBytes = 36;
  constexpr std::size_t kFileAt = 16;
  constexpr std::size_t kBytesAt = 24;
  constexpr std::size_t kCrcAt = 32;
  for (std::size_t at = kCountBytes; at + kEntryBytes <= entries.size(); at += kEntryBytes) {
    std::uint64_t file = 0;
    std::memcpy(&file, entries.data() + at + kFileAt, sizeof file);
    const auto stamp = stamps.find(file);
    if (stamp == stamps.end()) continue;
    std::memcpy(entries.data() + at + kBytesAt, &stamp->second.bytes, sizeof(std::uint64_t));
    std::memcpy(entries.data() + at + kCrcAt, &stamp->second.crc, sizeof(std::uint32_t));
  }
}

void WriteSections(std::string_view text, MemoryFolder& folder) {
  std::map<std::uint8_t, std::vector<sash::FileSection>> files;
  for (FileSection& section : UnpackSections(text)) {
    std::vector<sash::FileSection>& file = files[section.file % 16];
    if (file.size() < kMostSections) file.push_back({section.tag, std::move(section.bytes)});
  }
  std::map<std::uint64_t, FileStamp> stamps;
  for (auto& [number, sections] : files) {
    if (number == 0) continue;
    const std::uint64_t file = number - 1u;
    stamps[file] =
        SectionedFile::Write(folder, SliceFileName(file), FileKind::kSlice, sections).value();
  }
  for (sash::FileSection& section : files[0]) {
    if (section.tag == kSliceSection) StampSlices(stamps, section.bytes);
  }
  SASH_CHECK(SectionedFile::Write(folder, kManifestName, FileKind::kManifest, files[0]));
}

// The state as bytes, independent of ids and of the number that a journal gave it, which no engine
// knows; and without values that a restart sets again.
std::vector<std::string> Written(EngineState state, const VertexDictionary& keys) {
  state = testing::Numbered(std::move(state));
  for (PartitionState& partition : state.partitions) partition.assigned = false;
  KeyNumbering numbering(keys);
  std::vector<std::string> texts;
  for (sash::FileSection& section : EncodeManifest(state, {}, numbering)) {
    texts.push_back(std::move(section.bytes));
  }
  return texts;
}

// Whether the stream had begun before the oldest slice is also visible in that slice; followers are
// those that the engine wants; and saved windows that are not configured (they were added while the
// process ran) are left out.
EngineState Comparable(EngineState state) {
  const auto windows = testing::SmallWindows();
  for (LaneState& lane : state.lanes) {
    lane.begun_before = false;
    std::erase_if(lane.windows, [&](const WindowState& window) {
      return window.spec.leader() ||
             std::ranges::find(windows, window.spec.name, &WindowSpec::name) == windows.end();
    });
  }
  return state;
}

// The content of the manifest, without an engine.
std::vector<std::string> ReadAgain(const MemoryFolder& folder, KeyKind kind) {
  SectionedFile file =
      SectionedFile::Parse(folder.Read(kManifestName).value(), FileKind::kManifest).value();
  VertexDictionary keys(kind);
  PartitionTable partitions;
  Manifest manifest = Manifest::Parse(std::move(file), kind).value();
  return Written(Comparable(std::move(manifest).TakeState(keys, partitions)), keys);
}

// The engine's state after some more records; and then the stream ends.
std::vector<std::string> GoOn(CheckpointedEngine& engine) {
  testing::EngineHarness& harness = engine.harness();
  std::vector<std::string> known;
  const auto tell = [&](const Advance& advance) {
    known.push_back(advance.provenance.window + " " + std::to_string(advance.recalled_for) + " " +
                    std::to_string(advance.provenance.vertices));
  };
  harness.on_recalled = [&](const AdvancePtr& advance) { tell(*advance); };
  harness.Start();
  harness.Feed(testing::SmallStep(5));
  for (std::string& text : Written(harness.engine().Capture(), harness.keys)) {
    known.push_back(std::move(text));
  }
  harness.End();
  for (const AdvancePtr& advance : harness.advances) tell(*advance);
  return known;
}

void CheckEngine(MemoryFolder& folder, KeyKind kind) {
  const auto windows = testing::SmallWindows();
  CheckpointedEngine engine(windows, testing::SmallPolicy(), 0, kind, folder,
                            testing::SmallCompared());
  if (!engine.Recover(folder, windows)) return;  // it belongs to other windows
  WindowEngine& windowed = engine.harness().engine();
  const VertexDictionary& keys = engine.harness().keys;
  SASH_CHECK(Written(Comparable(windowed.Capture()), keys) == ReadAgain(folder, kind));
  SASH_CHECK(CheckCoherent(windowed.Capture()));
  const auto known = Written(windowed.Capture(), keys);
  SASH_CHECK(engine.Checkpoint(testing::Numbered(windowed.Capture())));

  CheckpointedEngine next(windows, testing::SmallPolicy(), 0, kind, folder,
                          testing::SmallCompared());
  SASH_CHECK(next.Recover(folder, windows));
  SASH_CHECK(Written(next.harness().engine().Capture(), next.harness().keys) == known);
  if (IsNear(windowed.Capture())) SASH_CHECK(GoOn(engine) == GoOn(next));
}

}  // namespace

void ReadCheckpoint(std::string_view input) {
  Choices choices(input);
  const std::size_t form = choices.Below(4);
  const KeyKind kind = choices.Below(2) == 0 ? KeyKind::kString : KeyKind::kInteger;
  MemoryFolder folder;
  if (form == 0) {
    WriteSections(choices.rest(), folder);
  } else if (form == 1) {
    WriteWhole(folder, kManifestName, choices.rest());
  } else if (form == 3) {
    return CheckRewindState(choices.rest(), kind);
  } else {
    const auto file = SectionedFile::Parse(std::string(choices.rest()), FileKind::kSlice);
    PartitionTable partitions;  // those of the small stream
    for (std::int32_t p = 0; p < 3; ++p) partitions.Index("replay", p);
    if (file) (void)CheckSlice(file.value(), kind, partitions).ok();
    return;
  }

  const Result<std::optional<SavedCheckpoint>> found = SavedCheckpoint::Find(folder, kind);
  const Result<CheckpointFindings> findings = VerifyCheckpoint(folder);
  SASH_CHECK(findings);
  for (const std::string& fault : findings.value().faults) {
    SASH_CHECK(fault.starts_with("memory/") || fault.starts_with("open "));
  }
  if (!found) {
    // Keys of another kind are not an error in the files.
    SASH_CHECK(found.error().code == ErrorCode::kInvalidArgument ||
               !findings.value().faults.empty());
    return;
  }
  SASH_CHECK(found.value().has_value() && findings.value().faults.empty());
  CheckEngine(folder, kind);
}

}  // namespace sash::fuzz
