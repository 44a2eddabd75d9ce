// Stream opening: from topics and a start policy to partitions and the offsets where reading
// begins.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

// As messages name it: "edges [3]".
std::string NameOf(const TopicPartition& pair);

struct OpenedPartition {
  TopicPartition pair;
  PartitionIndex index = 0;
  StartDecision start;
  std::optional<EventTime> newest_before;  // of the checkpoint, or of the commit
  std::int64_t awaited_until = 0;          // ResumedPartition
  std::optional<std::int64_t> until{};     // of a span: the end that the partition has now
  bool renewed = false;                    // another topic has the name of the one that was read
  std::optional<RecordAnchor> anchor{};    // by which the partition is known again
};

struct OpenedStream {
  std::vector<OpenedPartition> partitions;  // by topic, then partition; indices ascend
  bool from_state = false;                  // StreamStart
  RewindPoint resumed;  // where all of them start; the rest is empty unless a commit was found
};

// All partitions of the topics, in their order. An error is a reason to try again later (all
// missing topics in one message).
Result<std::vector<TopicPartition>> FindPartitions(ConsumerHandle& consumer, const KafkaSpec& spec);

// Asks the brokers; an error is a reason to try again later.
// The partitions enter `table`, and the log hears of what is out of the ordinary, only when all
// succeeded.
Result<OpenedStream> OpenStream(ConsumerHandle& consumer, const KafkaSpec& spec,
                                PartitionTable& table, EventLog& log, const std::stop_token& stop);

}  // namespace sash
