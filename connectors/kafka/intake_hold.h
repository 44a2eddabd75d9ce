// IntakeHold: pauses partitions while memory is full, while they wait for a schema, while they run
// ahead of slower partitions, and while they hold too many events that are ahead of the clock.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) While memory is full (StreamProgress::intake_held) all partitions are paused, and none is
//       caught up: it is not known whether it has more records. Exception: a partition whose
//       records the engine awaits is read, because the engine frees no memory before it has them.
//   (2) A partition that awaits a schema is paused without exception, and not caught up. The others
//       are read on, as far as max_drift allows.
#pragma once

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/drift_control.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "windows/ingest/ahead_gate.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class IntakeHold {
 public:
  IntakeHold(ReadPartitions& partitions, Assignment& assignment, const AheadGate& gate,
             KafkaCounters& counters, const Clock& clock, const StreamProgress& progress,
             const TimePolicy& policy)
      : partitions_(partitions),
        assignment_(assignment),
        gate_(gate),
        counters_(counters),
        clock_(clock),
        progress_(progress),
        idle_after_(policy.idle_after),
        drift_(policy.max_drift) {}

  // Pauses and resumes. To be called in every round: a new assignment ends all pauses.
  void Serve();

  bool is_memory_full() const { return progress_.intake_held; }
  // Whether all partitions are paused because memory is full.
  bool holds_all() const { return holds_all_ && is_memory_full(); }

 private:
  // The engine waits for more of the partition: now, or after more of others.
  bool IsAwaited(const ReadPartition& partition) const;
  bool IsEarly(const ReadPartition& partition) const;
  // Pauses the partitions that await a schema; with `all`, the others too, except awaited ones.
  void Hold(bool all);
  void Release();
  void ControlDrift();

  ReadPartitions& partitions_;
  Assignment& assignment_;
  const AheadGate& gate_;
  KafkaCounters& counters_;
  const Clock& clock_;
  const StreamProgress& progress_;
  const Duration idle_after_;
  DriftControl drift_;
  bool holds_all_ = false;
};

}  // namespace sash
