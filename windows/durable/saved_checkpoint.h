// SavedCheckpoint: a checkpoint in a folder, from which an engine can continue.
//
// Thread safety: none; one thread at a time.
//
// Invariants
//   (1) Every byte of it was read: all files are there, whole, and sound.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/folder.h"
#include "windows/durable/manifest.h"
#include "windows/slide/window_engine.h"

namespace sash {

class SavedCheckpoint {
 public:
  // Nothing when the folder has no checkpoint. kCorruption names the file, the byte and the damage;
  // kInvalidArgument: the format is not read, or the keys are of another kind.
  static Result<std::optional<SavedCheckpoint>> Find(const Folder& folder, KeyKind kind);

  // Which stream a checkpoint belongs to, for any kind of keys. Reads only the manifest. Nothing
  // when the manifest is missing, damaged or not read; Find() reports the reason.
  struct Origin {
    std::string mapping;  // EngineState::mapping
    KeyKind keys = KeyKind::kString;
    std::vector<TopicPartition> read;  // partitions of which records were read
  };
  static std::optional<Origin> FindOrigin(const Folder& folder);

  const EngineState& state() const { return manifest_.state(); }
  const std::vector<SliceEntry>& slices() const { return manifest_.slices(); }
  std::uint64_t bytes() const { return bytes_; }

  // Restores the engine. REQUIRES: CheckFits() accepted the state, the engine has processed nothing
  // yet, and its tables are empty. An error means that a file could not be read again. `on_slice`
  // is called after each slice is read, with the number of slices so far, from another thread.
  using OnSlice = std::function<void(std::size_t read)>;
  Status Restore(WindowEngine& engine, VertexDictionary& keys, PartitionTable& partitions,
                 const OnSlice& on_slice = {}) &&;

 private:
  SavedCheckpoint(const Folder& folder, Manifest manifest, std::uint64_t bytes)
      : folder_(&folder), manifest_(std::move(manifest)), bytes_(bytes) {}

  const Folder* folder_;
  Manifest manifest_;
  std::uint64_t bytes_;
};

// The result of checking every byte of the checkpoint in a folder.
struct CheckpointFindings {
  std::vector<std::string> faults;  // each with its file and the place in it
  std::vector<std::string> strays;  // files that do not belong to it; harmless
  std::uint64_t files = 0;          // that were read
  std::uint64_t bytes = 0;
  std::uint64_t slices = 0;
  std::uint64_t events = 0;  // in frozen slices
  std::uint64_t rounds = 0;  // of the journal since the checkpoint
  // Why no more of the journal can be read. Not a fault: the journal is not synced, so a loss of
  // power may cut it.
  std::string journal_remark;
};
Result<CheckpointFindings> VerifyCheckpoint(const Folder& folder);

}  // namespace sash
