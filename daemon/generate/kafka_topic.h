// Waits for a broker and a topic, and creates the topic.
//
// Thread safety: one thread; it serves the producer's callbacks while it waits.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/generate/kafka_output.h"

struct rd_kafka_s;  // librdkafka's handle, rd_kafka_t

namespace sash {

// Returns the number of partitions to write to. `trouble` is the newest error of the connections,
// set by the producer's error callback; it explains a timeout better than the timeout itself.
Result<std::int32_t> AwaitTopic(rd_kafka_s* producer, const KafkaOutputOptions& options,
                                const std::string& trouble, const StopFlag& stop, const Say& say);

}  // namespace sash
