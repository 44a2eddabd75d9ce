// What an engine knows about ids (TimePolicy::dedupe_within) as bytes.
//
// Thread safety: pure functions and plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/durable/byte_text.h"
#include "windows/ingest/deduplicator.h"
#include "windows/ingest/partition_log.h"
#include "windows/slide/account_totals.h"

namespace sash {

// The id and offset of an event of a log; without an id, no offset either.
struct LoggedId {
  EdgeId id;
  std::int64_t offset = 0;
};

// SlicerState::counted. Refuses repeated ids, and partitions that are not below `partitions`.
void PutCounted(const std::vector<IdentifiedEdge>& counted, ByteWriter& writer);
std::vector<IdentifiedEdge> GetCounted(std::size_t partitions, ByteReader& reader);

// LaneState::reach.
void PutReach(const std::vector<SliceRewind>& reach, ByteWriter& writer);
std::vector<SliceRewind> GetReach(std::size_t partitions, ByteReader& reader);

// One for each event of the log, or none if no event has an id.
void PutLoggedIds(const PartitionLog& log, ByteWriter& writer);
// Refuses offsets that are not between `first` and `last`.
std::vector<LoggedId> GetLoggedIds(std::size_t events, std::int64_t first, std::int64_t last,
                                   ByteReader& reader);

}  // namespace sash
