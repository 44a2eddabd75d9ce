// Waiting for a broker and a topic, and creating the topic.
//
// Thread safety: one thread; it serves the producer's callbacks while it waits.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/generate/kafka_output.h"

struct rd_kafka_s;  // librdkafka's handle, rd_kafka_t

namespace sash {

// The number of partitions to write to. `trouble` is the newest complaint of the connections,
// updated by the producer's error callback; it explains a timeout better than the timeout does.
Result<std::int32_t> AwaitTopic(rd_kafka_s* producer, const KafkaOutputOptions& options,
                                const std::string& trouble, const StopFlag& stop, const Say& say);

}  // namespace sash
