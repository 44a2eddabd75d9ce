// IdentityJudge: finds out whether doubtful partitions are still the ones that were read.
//
// It asks RecordWitness for the newest applied record of each doubtful partition. A partition that
// turns out to be another one begins a new life: it gets a new index and is read from its
// beginning.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Only an answer to a question that is newer than the partition's newest doubt counts: an
//       older one may have been read before the break.
//   (2) What a doubtful partition delivered was ignored, and is fetched again afterwards.
//   (3) Windows wait for the records that a new life has when it begins, as at the start.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/identity_doubts.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "connectors/kafka/record_witness.h"
#include "windows/base/event_log.h"

namespace sash {

class IdentityJudge {
 public:
  IdentityJudge(ReadPartitions& partitions, ReadRound& round, IdentityDoubts& doubts,
                Assignment& assignment, PartitionTable& table, KafkaCounters& counters,
                ReadyState& ready, EventLog& log, const Clock& clock, const KafkaSpec& spec)
      : partitions_(partitions),
        round_(round),
        doubts_(doubts),
        assignment_(assignment),
        table_(table),
        counters_(counters),
        ready_(ready),
        log_(log),
        clock_(clock),
        witness_(spec) {}

  // Asks about doubtful partitions, and resolves doubts by the answers that are there. Waits for an
  // answer for at most `patience`.
  void Resolve(std::chrono::milliseconds patience);

 private:
  void AskWitness();
  void Judge(const Testimony& testimony, ReadPartition& partition);
  bool Renew(ReadPartition& partition, const std::string& found);
  void RereadSkipped();

  ReadPartitions& partitions_;
  ReadRound& round_;
  IdentityDoubts& doubts_;
  Assignment& assignment_;
  PartitionTable& table_;
  KafkaCounters& counters_;
  ReadyState& ready_;
  EventLog& log_;
  const Clock& clock_;
  RecordWitness witness_;
  std::uint64_t asked_doubts_ = 0;  // the newest doubt when the witness was asked
  SteadyTime asked_at_{};
};

}  // namespace sash
