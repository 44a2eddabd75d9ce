// The order in which the events of a slice take effect: (event time, topic, partition, offset).
//
// Thread safety: pure functions.
#pragma once

#include <span>

#include "windows/ingest/partition_log.h"
#include "windows/ingest/slice.h"

namespace sash {

// Fills the columns of `slice` with the events of the logs, which are in the order of topic,
// partition and offset. Copies them when their times are in that order too, merges the logs when
// each is in the order of time, and sorts the events otherwise. Linear but for the number of logs
// that are merged; holds 16 to 64 bytes an event meanwhile, unless it only copies.
void FillInOrder(std::span<const PartitionLog* const> logs, Slice& slice);

}  // namespace sash
