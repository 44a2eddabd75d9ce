// Reachability: which partitions can be reached, from librdkafka's statistics.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/ingest/partition_table.h"

namespace sash {

struct PartitionReach {
  TopicPartition pair;
  bool reachable = false;  // the broker it is fetched from is connected
};

// Every partition in the statistics, by topic and partition. Nothing when they cannot be parsed.
std::optional<std::vector<PartitionReach>> ReadReachability(std::string_view statistics);

}  // namespace sash
