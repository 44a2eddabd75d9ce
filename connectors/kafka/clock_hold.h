// ClockHold: keeps events that are ahead of this machine's clock, until it is known whether the
// event or the clock is wrong.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Events that are ahead of the clock wait in the AheadGate. The events of their partition
//       that were read after them wait too.
//   (2) With a span nothing waits: SpanIntake compares the events with each other instead.
#pragma once

#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "windows/base/event_log.h"
#include "windows/ingest/ahead_gate.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class ClockHold {
 public:
  ClockHold(ReadPartitions& partitions, ReadRound& round, KafkaCounters& counters,
            ReadyState& ready, EventLog& log, const TimePolicy& policy, KeyKind keys,
            bool has_span);

  // Takes the events that have to wait out of the round, and adds the events that may pass now.
  // `memory_is_short`: AheadGate::Begin().
  void Serve(bool memory_is_short);

  const AheadGate& gate() const { return gate_; }
  // A partition that was at its end counts as live for this long after its next record.
  Duration live_for() const { return live_for_; }

 private:
  void Report();

  ReadPartitions& partitions_;
  ReadRound& round_;
  KafkaCounters& counters_;
  ReadyState& ready_;
  EventLog& log_;
  const Duration ahead_limit_;
  const Duration live_for_;
  const bool is_on_;
  AheadGate gate_;
};

}  // namespace sash
