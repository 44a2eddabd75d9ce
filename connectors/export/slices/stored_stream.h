// StoredStream: the exported slices in a folder as one stream: those of one process, or those of
// all shards, put together.
//
// Thread safety: a plain value.
//
// Invariants
//   (1) Slices ascend, do not overlap, and are panes of one length.
//   (2) Shards have the same pane, keys and mapping, and none of them is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/stream_slice.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

struct StoredFolder {
  OwnedDescriptor folder;
  std::string prefix{};  // "shard-1-of-4/" before the names of files in messages; or nothing
};

// Slices that some shards have closed, and others have not: they are not whole, and are left out.
struct UnfinishedSlices {
  std::uint64_t count = 0;
  EventTime first_end{};
  EventTime closed_until{};  // by all shards
  std::string behind{};      // the shards that have come no further, as a list
};

struct StoredStream {
  std::vector<StoredFolder> folders{};  // one, or those of the shards in their order
  std::vector<StreamSlice> slices{};
  std::optional<UnfinishedSlices> unfinished{};

  // What there is now in the folder with this path. kCorruption: a file is damaged, with its name.
  // kInvalidArgument: a shard is missing, has closed nothing, or is not of the same stream.
  static Result<StoredStream> Find(const std::string& path);
};

}  // namespace sash
