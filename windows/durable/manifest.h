// Manifest: the file that makes a checkpoint. It holds the state of the engine, open slices
// included, and names the files of its frozen slices.
//
// Thread safety: plain values.
//
// Invariants
//   (1) What TakeState() returns fits the tables that it was given, and equals the state that was
//       encoded: same places, other ids.
//   (2) A text that passed SectionedFile::Parse() but is no manifest is kCorruption, and interns
//       nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/event_columns.h"
#include "windows/durable/key_table.h"
#include "windows/durable/sectioned_file.h"
#include "windows/slide/engine_state.h"

namespace sash {

// Where a frozen slice lies.
struct SliceEntry {
  std::uint64_t lane = 0;  // LaneState::serial
  std::uint64_t id = 0;    // SliceId
  std::uint64_t file = 0;  // SliceFileName()
  FileStamp stamp;
};

inline constexpr const char* kManifestName = "manifest";
std::string SliceFileName(std::uint64_t file);
std::optional<std::uint64_t> SliceFileNumber(std::string_view name);  // nothing when it is none

// `slices` are those that the state retains, and no others.
std::vector<FileSection> EncodeManifest(const EngineState& state,
                                        const std::vector<SliceEntry>& slices,
                                        KeyNumbering& numbering);

// All that the state names, with their indices, into an empty table.
void NamePartitions(const EngineState& state, PartitionTable& partitions);

class Manifest {
 public:
  // With keys of this kind, or any.
  static Result<Manifest> Parse(SectionedFile file, std::optional<KeyKind> kind);

  // Without the events of open slices.
  const EngineState& state() const { return state_; }
  const std::vector<SliceEntry>& slices() const { return slices_; }
  KeyKind key_kind() const { return keys_.kind(); }
  std::uint64_t bytes() const { return file_.stamp().bytes; }

  // With them. Both tables are empty of partitions; what is interned, the engine refers to.
  EngineState TakeState(VertexDictionary& keys, PartitionTable& partitions) &&;
  // Without them, as state() has it.
  EngineState TakeStateWithoutEvents() && { return std::move(state_); }

  // A log of an open slice, whose vertices are numbers of the keys.
  struct NumberedLog {
    PartitionIndex partition = 0;
    std::int64_t first_offset = 0;
    std::int64_t last_offset = 0;
    std::vector<std::int64_t> times;
    EventColumns events;
  };

 private:
  friend class ManifestParser;
  explicit Manifest(SectionedFile file) : file_(std::move(file)) {}

  SectionedFile file_;  // keys_ refers to its text, which moving leaves where it is
  EngineState state_;
  std::vector<SliceEntry> slices_;
  KeyTable keys_;
  std::vector<std::vector<NumberedLog>> logs_;  // by open slice, in the order of lanes
};

}  // namespace sash
