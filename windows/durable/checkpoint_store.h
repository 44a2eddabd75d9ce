// CheckpointStore: writes the checkpoints of one engine to a folder.
//
// A frozen slice is written once, when it closes. A checkpoint is a manifest that names the files
// of all slices that are retained at that moment.
//
// Thread safety: none; one thread at a time.
//
// Invariants
//   (1) At every moment the folder holds a whole checkpoint: the one of the last successful
//       Commit(), or the one of a Commit() that is running or has failed since. Before the first
//       Commit() there may be none.
//   (2) A file is never overwritten. It is deleted only after a manifest that does not name it has
//       become durable.
//   (3) After an error every call can be repeated.
//   (4) Commit() fails if another process has moved, deleted or changed the length of a slice file
//       that the manifest would name. It succeeds again when the file is back, or when no window
//       retains that slice.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/folder.h"
#include "windows/durable/key_table.h"
#include "windows/durable/manifest.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/slide/engine_state.h"

namespace sash {

class CheckpointStore {
 public:
  // All arguments must outlive the store.
  CheckpointStore(Folder& folder, const VertexDictionary& keys, const PartitionTable& partitions)
      : folder_(folder), partitions_(partitions), numbering_(keys) {}

  // Reads which files the folder has. `known`: the slices of the checkpoint that the engine was
  // restored from; empty when the engine starts without one. The next Commit() deletes all other
  // slice files and an unfinished manifest. Files that Sash did not write stay.
  Status Begin(const std::vector<SliceEntry>& known);

  // The slice is durable when the next Commit() returns.
  Status AddSlice(const ClosedSlice& closed);

  // REQUIRES: every slice that `state` retains was passed to AddSlice() or to Begin().
  Status Commit(const EngineState& state);

  std::uint64_t bytes() const { return bytes_; }      // of the newest checkpoint
  std::uint64_t written() const { return written_; }  // bytes, since the process started

 private:
  using SliceName = std::pair<std::uint64_t, std::uint64_t>;  // lane, id

  void Collect();
  Status CheckIsThere(const SliceEntry& entry) const;  // (4)

  Folder& folder_;
  const PartitionTable& partitions_;
  KeyNumbering numbering_;
  std::map<SliceName, SliceEntry> slices_;  // whose files are in the folder
  std::set<std::string> garbage_;           // file names that no possibly newest manifest uses
  std::uint64_t next_file_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace sash
