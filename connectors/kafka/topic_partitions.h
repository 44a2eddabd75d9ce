// Topic partitions: which partitions the topics have now, and how messages name a partition.
//
// Thread safety: belongs to the thread of the consumer, except NameOf(), which is pure.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

// The time for a question to a broker before reading begins. Short, so that Stop() need not wait:
// after a timeout the next attempt asks again.
inline constexpr std::chrono::milliseconds kOpeningTimeout{2000};

// The name in messages: "edges [3]".
std::string NameOf(const TopicPartition& pair);

// All partitions of the topics, in their order. After an error, try again later. One message names
// all missing topics. kNotFound: a topic is missing, or none matches the pattern.
Result<std::vector<TopicPartition>> FindAllPartitions(ConsumerHandle& consumer,
                                                      const KafkaSpec& spec);
// The same, but only those of KafkaSpec::shard; there may be none.
Result<std::vector<TopicPartition>> FindPartitions(ConsumerHandle& consumer, const KafkaSpec& spec);

}  // namespace sash
