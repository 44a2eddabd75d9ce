// Shard folders: the folders of the shards of one stream, side by side in the folder of an export.
//
// Thread safety: free functions.
//
// Invariant: (1) a folder has the slices of one process, or of the shards of one number of shards.
#pragma once

#include <cstdint>
#include <string>

#include "connectors/export/slices/shard_facts.h"
#include "windows/base/result.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

// "<path>/shard-1-of-4".
std::string ShardPath(const std::string& path, const StreamShard& shard);

// Creates the folder `path` with mode 0750, if it does not exist, and the shard's folder in it.
// kInvalidArgument: it has slices of one process, or of shards of another number, and which.
Status PrepareShardFolder(const std::string& path, const StreamShard& shard);

// An error if the folder, which one process uses alone, has folders of shards.
Status CheckWithoutShards(const std::string& path, int folder);

// How many shards the stream in the folder has; 0: it has no folder of a shard. kInvalidArgument:
// a shard has no folder, and which; or the folder has shards of different numbers, or slices beside
// them.
Result<std::int32_t> CountShards(const std::string& path, int folder);

// The manifest of a shard. kNotFound: there is none. kCorruption: it is damaged.
Result<ShardFacts> ReadShardFacts(const std::string& path, const StreamShard& shard);

// Writes the manifest of the shard whose folder is open: durable before it gets its name.
Status WriteShardFacts(int folder, const ShardFacts& facts);

}  // namespace sash
