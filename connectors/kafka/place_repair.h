// PlaceRepair: puts partitions that do not deliver back to a place where they do.
//
// It handles positions that the broker does not accept, partitions that stall, and ends that are
// unknown after the loss of a broker.
//
// Thread safety: belongs to the consumer thread.
#pragma once

#include <cstdint>

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "connectors/kafka/stall_watchdog.h"
#include "windows/base/event_log.h"

namespace sash {

class PlaceRepair {
 public:
  PlaceRepair(ReadPartitions& partitions, ReadRound& round, Assignment& assignment,
              KafkaCounters& counters, ReadyState& ready, EventLog& log, const Clock& clock,
              Duration stall_after)
      : partitions_(partitions),
        round_(round),
        assignment_(assignment),
        counters_(counters),
        ready_(ready),
        log_(log),
        clock_(clock),
        watchdog_(stall_after) {}

  // Asks the brokers about the partitions that need it; stops at the first question without an
  // answer.
  void Serve();

  // Places have changed.
  void ForgetPlaces() { watchdog_.Forget(); }

 private:
  void CheckEnds();
  void RepositionLost();
  void RepositionLost(ReadPartition& partition, const LogBounds& bounds);
  void LookForStalls();
  void ReportStalled(ReadPartition& partition, std::int64_t end);

  ReadPartitions& partitions_;
  ReadRound& round_;
  Assignment& assignment_;
  KafkaCounters& counters_;
  ReadyState& ready_;
  EventLog& log_;
  const Clock& clock_;
  StallWatchdog watchdog_;
};

}  // namespace sash
