// SavedCheckpoint: a checkpoint found in a folder, and how an engine goes on from it.
//
// Thread safety: none; one thread at a time.
//
// Invariants
//   (1) Who has one has read every byte of it: all files are there, whole, and sound.
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
  // Nothing when there is none. kCorruption names the file, the byte and what is wrong there;
  // kInvalidArgument: a newer format, or other kinds of keys.
  static Result<std::optional<SavedCheckpoint>> Find(const Folder& folder, KeyKind kind);

  // What a checkpoint is of, whatever kind its keys have. Reads the manifest alone, and is nothing
  // when that is not there or not sound, or newer: Find() says why.
  struct Origin {
    std::string mapping;  // EngineState::mapping
    KeyKind keys = KeyKind::kString;
    std::vector<TopicPartition> read;  // of which records were read
  };
  static std::optional<Origin> FindOrigin(const Folder& folder);

  const EngineState& state() const { return manifest_.state(); }
  const std::vector<SliceEntry>& slices() const { return manifest_.slices(); }
  std::uint64_t bytes() const { return bytes_; }

  // CheckFits() has found the state to fit. The engine has seen nothing yet, its tables are empty.
  // An error is one of reading a file again. `on_slice` is called when one has been read, with how
  // many have, in another thread.
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

// Reads every byte of the checkpoint in a folder.
struct CheckpointFindings {
  std::vector<std::string> faults;  // each with its file, and where in it
  std::vector<std::string> strays;  // files that are no part of it; harmless
  std::uint64_t files = 0;          // that were read
  std::uint64_t bytes = 0;
  std::uint64_t slices = 0;
  std::uint64_t events = 0;  // in frozen slices
  std::uint64_t rounds = 0;  // of the journal since then
  // Why no more of the journal can be read. No fault: it is not synced, so a loss of power may
  // leave it so.
  std::string journal_remark;
};
Result<CheckpointFindings> VerifyCheckpoint(const Folder& folder);

}  // namespace sash
