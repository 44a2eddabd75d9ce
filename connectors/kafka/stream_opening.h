// Stream opening: finds the partitions of the topics, and decides where reading begins in each.
//
// Thread safety: belongs to the thread of the consumer.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

struct OpenedPartition {
  TopicPartition pair;
  PartitionIndex index = 0;
  StartDecision start;
  std::optional<EventTime> newest_before;  // from the checkpoint, or from the commit
  std::int64_t awaited_until = 0;          // ResumedPartition
  std::optional<std::int64_t> until{};     // with a span: the end that the partition has now
  bool renewed = false;                    // the topic was deleted and created again
  std::optional<RecordAnchor> anchor{};    // a record by which the partition is recognised
};

struct OpenedStream {
  std::vector<OpenedPartition> partitions;  // by topic, then partition; indices ascend
  bool from_state = false;                  // StreamStart
  RewindPoint resumed;  // start positions of all; the rest is empty unless a commit was found
};

// Asks the brokers. After an error, try again later: nothing has been added to `table`, and nothing
// has been logged.
Result<OpenedStream> OpenStream(ConsumerHandle& consumer, const KafkaSpec& spec,
                                PartitionTable& table, EventLog& log, const std::stop_token& stop);

}  // namespace sash
