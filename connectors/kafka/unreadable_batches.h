// UnreadableBatches: batches of records that cannot be read, and the gaps that they leave.
//
// Thread safety: belongs to the consumer thread.
#pragma once

#include <cstdint>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "connectors/kafka/read_round.h"
#include "connectors/kafka/ready_state.h"
#include "windows/base/event_log.h"

namespace sash {

class UnreadableBatches {
 public:
  UnreadableBatches(ReadPartitions& partitions, ReadRound& round, KafkaCounters& counters,
                    ReadyState& ready, EventLog& log)
      : partitions_(partitions), round_(round), counters_(counters), ready_(ready), log_(log) {}

  // The batch of `polled` (kUnreadable) cannot be read now.
  void Note(const Polled& polled, ReadPartition& partition);
  // The partition continues at offset `next`: what lies before it since an unreadable batch, if
  // there was one, is a gap.
  void Pass(std::int64_t next, ReadPartition& partition);

 private:
  ReadPartitions& partitions_;
  ReadRound& round_;
  KafkaCounters& counters_;
  ReadyState& ready_;
  EventLog& log_;
};

}  // namespace sash
