// CheckpointStore: keeps checkpoints of one engine in a folder.
//
// A frozen slice is written once, when it closes; a checkpoint is a manifest that names the files
// of all slices which are retained then.
//
// Thread safety: none; one thread at a time.
//
// Invariants
//   (1) Whatever happens at whatever moment, the folder holds a whole checkpoint: the last one that
//       Commit() returned from, or the one that it was at work on. Before the first there may be
//       none.
//   (2) A file is never written again, and deleted only when a manifest that does not name it is
//       durable.
//   (3) After an error everything can be tried again.
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
  // All outlive it.
  CheckpointStore(Folder& folder, const VertexDictionary& keys, const PartitionTable& partitions)
      : folder_(folder), partitions_(partitions), numbering_(keys) {}

  // What is in the folder: `known` are the slices of the checkpoint that the engine goes on from,
  // none when it begins anew. What else lies there is deleted with the next Commit(), but for files
  // that no version of Sash has written.
  Status Begin(const std::vector<SliceEntry>& known);

  // Durable when the next Commit() is.
  Status AddSlice(const ClosedSlice& closed);

  // Every slice that `state` retains was added, or known at the beginning.
  Status Commit(const EngineState& state);

  std::uint64_t bytes() const { return bytes_; }      // of the newest checkpoint
  std::uint64_t written() const { return written_; }  // bytes, since the beginning

 private:
  using SliceName = std::pair<std::uint64_t, std::uint64_t>;  // lane, id

  void Collect();

  Folder& folder_;
  const PartitionTable& partitions_;
  KeyNumbering numbering_;
  std::map<SliceName, SliceEntry> slices_;  // whose files are there
  std::set<std::string> garbage_;           // names no manifest that may be the newest
  std::uint64_t next_file_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace sash
