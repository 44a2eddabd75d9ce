// Reads the newest records of partitions, up to the ends that they have when reading begins.
//
// Thread safety: belongs to the thread of the consumer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "connectors/kafka/consumer_handle.h"

namespace sash {

// The time for one request to a broker that responds to others, and for reading a sample.
inline constexpr std::chrono::seconds kTopicPatience{5};

struct ProbedPartition {
  TopicPartition pair;
  LogBounds bounds;
};

// The last error of a reading; no text: there was none.
struct ReadTrouble {
  std::string identity;  // librdkafka's name of the error
  std::string text;
};

// Reads the last `offsets` offsets of each partition, for at most kTopicPatience. Ends earlier when
// `take` returns false. Nothing is assigned afterwards.
ReadTrouble ReadNewestRecords(ConsumerHandle& consumer,
                              const std::vector<ProbedPartition>& partitions, std::int64_t offsets,
                              const std::function<bool(const KafkaRecord&)>& take);

}  // namespace sash
