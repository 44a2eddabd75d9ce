// Kafka output: each record becomes one message of a topic, whose timestamp is the event time.
//
// The producer is idempotent and its queue is bounded: a full queue makes the writer wait, nothing
// is dropped, and each partition has its messages in the order of the records. By default record i
// goes to partition i mod P, so the seed decides partition and offset in a fresh topic. With
// partition by key, the key is sent too and hashed like Kafka's Java clients (murmur2).
//
// Thread safety: as RecordOutput; `say` is called on the caller's thread.
// Invariants:
// (1) The first message that cannot be delivered ends the stream with an error.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/generate/record_output.h"

namespace sash {

enum class PartitionBy : std::uint8_t { kNumber, kKey };

struct KafkaOutputOptions {
  std::string brokers = "127.0.0.1:9092";
  std::string topic = "interactions";
  std::int32_t partitions = 0;  // 0: as many as the topic has
  PartitionBy partition_by = PartitionBy::kNumber;
  bool create_topic = false;  // with `partitions` partitions, if it does not exist
  std::chrono::milliseconds connect_timeout{30'000};
  std::map<std::string, std::string> options;  // verbatim librdkafka options
};

// Prints one line for a person about what is being waited for.
using Say = std::function<void(std::string_view line)>;

// Waits, up to the timeout, for a broker to respond and for the topic's partitions to have leaders.
// kInvalidArgument: an option of librdkafka is wrong, so waiting would not help.
Result<std::unique_ptr<RecordOutput>> OpenKafkaOutput(const KafkaOutputOptions& options,
                                                      const StopFlag& stop, const Say& say);

}  // namespace sash
