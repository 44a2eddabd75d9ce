// The order in which the events of a slice take effect: (event time, topic, partition, offset,
// place in the record).
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "windows/ingest/deduplicator.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/slice_logs.h"

namespace sash {

// Fills the columns of `slice` with the events of the logs, which are in the order of topic,
// partition, offset and place. Copies the events if their times are in that order too; merges the
// logs if each is in the order of time; sorts the events otherwise. Linear in the events, times the
// logarithm of the number of logs if it merges. Uses 16 to 96 bytes of temporary memory per event,
// unless it only copies.
void FillInOrder(std::span<const PartitionLog* const> logs, Slice& slice);

// An edge that is left out.
struct DuplicateEdge {
  VertexId source = 0;
  VertexId target = 0;
  EventPlace place{};  // exact if the log keeps places
};

// The same without the events that are duplicates, which it returns. `deduplicator` judges the
// events that have an id. Uses up to 224 bytes of temporary memory per event.
std::vector<DuplicateEdge> FillWithoutDuplicates(std::span<const PartitionLog* const> logs,
                                                 Deduplicator& deduplicator, Slice& slice);

}  // namespace sash
