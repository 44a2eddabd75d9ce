// BrokerReach: which partitions have a broker that can be reached, from librdkafka's callbacks.
//
// Thread safety: belongs to the consumer thread.
#pragma once

#include <string>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/read_partitions.h"
#include "windows/base/event_log.h"

namespace sash {

class BrokerReach {
 public:
  // The ReadyState subject that is set while no broker can be reached.
  static constexpr const char* kBrokers = "brokers";

  BrokerReach(ConsumerHandle& consumer, ReadPartitions& partitions, ReadyState& ready,
              EventLog& log)
      : consumer_(consumer), partitions_(partitions), ready_(ready), log_(log) {}

  // Reads what the callbacks have left: lines of librdkafka's log, errors and statistics.
  void ReadInbox();

 private:
  void ReadStatistics(const std::string& statistics);
  void Lose(ReadPartition& partition);
  void Report();

  ConsumerHandle& consumer_;
  ReadPartitions& partitions_;
  ReadyState& ready_;
  EventLog& log_;
  std::string connection_text_;  // why the newest connection failed
  bool topic_refused_ = false;   // that error is about a topic, and came from the brokers
};

}  // namespace sash
