// PartitionOffset: a place in a partition's log, and the metadata of a commit there.
#pragma once

#include <cstdint>
#include <string>

#include "windows/ingest/partition_table.h"

namespace sash {

struct PartitionOffset {
  TopicPartition pair;
  std::int64_t offset = 0;
  std::string metadata;  // only of a commit
};

}  // namespace sash
