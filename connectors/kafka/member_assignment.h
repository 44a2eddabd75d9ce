// The assignment of a member of a group, as the brokers send it (protocol "consumer").
//
// Thread safety: a pure function.
#pragma once

#include <vector>

#include "windows/ingest/partition_table.h"

namespace sash {

// Ends at the first malformed part.
std::vector<TopicPartition> ReadAssignment(const void* bytes, int size);

}  // namespace sash
