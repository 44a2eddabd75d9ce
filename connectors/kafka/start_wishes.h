// StartWishes: where reading should start, by the policy and by the commits of the group.
//
// Thread safety: belongs to the thread of the consumer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/rewind_metadata.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

struct StartWishes {
  std::map<TopicPartition, std::int64_t> offsets;  // without those for which there is none
  // The metadata of the commits; null if it is not from Sash, or from another version.
  std::map<TopicPartition, std::optional<RewindMetadata>> metadata;
};

// Asks the brokers. After an error, try again later.
Result<StartWishes> FindWishes(ConsumerHandle& consumer, const StartPolicy& policy,
                               const std::vector<TopicPartition>& pairs);

}  // namespace sash
