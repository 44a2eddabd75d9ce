// Shard configuration: turns the configuration of the whole stream into that of a process that
// reads some of its partitions and only exports their slices (source.kafka.partitions).
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include "daemon/config/config.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

// "dead-letters.shard-1-of-4.jsonl" for "dead-letters.jsonl".
std::string PathOfShard(const std::string& path, const StreamShard& shard);

// Changes nothing without source.kafka.partitions. Otherwise only the export of slices stays: no
// window, job, plug-in, sink, alert or other export. It keeps only the pane and the filters of
// `windows`. Ids are not compared (source.dedupe), and nothing is kept in `state`, because the
// slices are the state. Dead letters go to a file, and an outbox, of the shard.
void ReduceToShard(Config& config);

}  // namespace sash
