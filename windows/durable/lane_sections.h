// The sections of a manifest with the lanes: their windows and slicers, and the events of their
// open slices.
//
// Thread safety: none of its own.
#pragma once

#include <string>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/key_table.h"
#include "windows/durable/numbered_log.h"
#include "windows/durable/sectioned_file.h"
#include "windows/ingest/partition_table.h"
#include "windows/slide/engine_state.h"

namespace sash {

struct LaneSections {
  std::string lanes;   // kLaneSection
  std::string events;  // kOpenEventSection: of the open slices, log by log
};

// `partitions` are those of the state.
LaneSections EncodeLanes(const EngineState& state, const PartitionTable& partitions,
                         KeyNumbering& numbering);

// Adds the lanes to `state`, which has the rest of the stream, and their logs to `logs`. Checks
// that each key is used. `keys` and `partitions` are the manifest's.
Status ReadLanes(const SectionedFile& file, const KeyTable& keys, const PartitionTable& partitions,
                 EngineState& state, OpenLogs& logs);

}  // namespace sash
