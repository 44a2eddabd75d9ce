// Members that the manifests of slices and of shards have in common, as JSON.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "connectors/sinks/json_text.h"
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

void WritePaneCounts(const std::vector<PaneCounts>& counts, JsonText& json);
void WriteShard(const StreamShard& shard, JsonText& json);

}  // namespace sash
