// Reachability: what librdkafka's statistics say of brokers and partitions.
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

// Every partition the statistics name, by topic and partition; nothing when they cannot be
// understood.
std::optional<std::vector<PartitionReach>> ReadReachability(std::string_view statistics);

}  // namespace sash
