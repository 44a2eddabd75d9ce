// Sample: one record of a source as the edge event that it decodes to.
//
// Thread safety: pure functions, except ProbeReplayFile(), which reads a file.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"
#include "windows/ingest/event_batch.h"

namespace sash {

// "alice" -> "bob", weight 5, event time 2026-01-01T00:05:00.000Z, add
std::string EdgeText(const EdgeEvent& event, const EventBatch& batch, KeyKind keys);

// The same for the first edge of a record, which is event `first` of the batch: "..., and 3 more
// edges" follows if it gives more.
std::string RecordText(std::size_t first, const EventBatch& batch, KeyKind keys);

// What is suspicious about the time of a decoded event; empty: nothing. `live`: not from a file.
std::string OddTime(EventTime time, const TimePolicy& policy, bool live, EventTime now);

// Reads the beginning of the file like the source.
void ProbeReplayFile(const SourceConfig& source, Findings& findings);

}  // namespace sash
