// PartitionOffset: a place in a partition's log, and what a commit says beside it.
#pragma once

#include <cstdint>
#include <string>

#include "windows/ingest/partition_table.h"

namespace sash {

struct PartitionOffset {
  TopicPartition pair;
  std::int64_t offset = 0;
  std::string metadata;  // of a commit
};

}  // namespace sash
