// Manifest: the main file of a checkpoint. It holds the state of the engine, including open slices,
// and names the files of frozen slices.
//
// Thread safety: plain values.
//
// Invariants
//   (1) TakeState() returns the state that was encoded: the same partition indices, but new vertex
//       ids, those of the dictionary it was given.
//   (2) A text that passes SectionedFile::Parse() but is not a manifest is kCorruption, and interns
//       nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/key_table.h"
#include "windows/durable/numbered_log.h"
#include "windows/durable/sectioned_file.h"
#include "windows/slide/engine_state.h"

namespace sash {

// The file of a frozen slice.
struct SliceEntry {
  std::uint64_t lane = 0;  // LaneState::serial
  std::uint64_t id = 0;    // SliceId
  std::uint64_t file = 0;  // SliceFileName()
  FileStamp stamp;
};

inline constexpr const char* kManifestName = "manifest";
std::string SliceFileName(std::uint64_t file);
std::optional<std::uint64_t> SliceFileNumber(std::string_view name);  // nothing for other names

// `slices`: exactly those that the state retains.
std::vector<FileSection> EncodeManifest(const EngineState& state,
                                        const std::vector<SliceEntry>& slices,
                                        KeyNumbering& numbering);

// Adds all partitions of the state, with the same indices, to an empty table.
void NamePartitions(const EngineState& state, PartitionTable& partitions);

class Manifest {
 public:
  // Without `kind`, keys of any kind are accepted.
  static Result<Manifest> Parse(SectionedFile file, std::optional<KeyKind> kind);

  // The state without the events of open slices.
  const EngineState& state() const { return state_; }
  const std::vector<SliceEntry>& slices() const { return slices_; }
  KeyKind key_kind() const { return keys_.kind(); }
  std::uint64_t bytes() const { return file_.stamp().bytes; }

  // The state with the events of open slices. REQUIRES: `partitions` is empty. The engine must
  // refer to every key that is interned.
  EngineState TakeState(VertexDictionary& keys, PartitionTable& partitions) &&;
  // The same state as state().
  EngineState TakeStateWithoutEvents() && { return std::move(state_); }

 private:
  friend class ManifestParser;
  explicit Manifest(SectionedFile file) : file_(std::move(file)) {}

  SectionedFile file_;  // keys_ refers to its text; moving does not invalidate it
  EngineState state_;
  std::vector<SliceEntry> slices_;
  KeyTable keys_;
  OpenLogs logs_;
};

}  // namespace sash
