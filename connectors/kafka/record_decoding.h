// RecordDecoding: turns the records of a round into events, in this thread or by the DecodeTeam.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Events and marks of a partition are in the order of its offsets. DecodeWaiting() is called
//       before anything but a record is added to a batch.
//   (2) With a span each record is decoded at once, because SpanIntake compares each event with
//       those before it. Without a span several threads decode if the team has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/decode_team.h"
#include "connectors/kafka/identity_doubts.h"
#include "connectors/kafka/read_partitions.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class RecordDecoding {
 public:
  // The limits of a round, for each thread that decodes.
  static constexpr std::size_t kMaxBatchEvents = 4096;
  static constexpr std::size_t kMaxBatchBytes = 1 << 20;

  RecordDecoding(ConsumerHandle& consumer, DecodeTeam& team, ReadPartitions& partitions,
                 ReadRound& round, IdentityDoubts& doubts, Assignment& assignment,
                 const TimePolicy& policy, bool has_span)
      : consumer_(consumer),
        team_(team),
        partitions_(partitions),
        round_(round),
        doubts_(doubts),
        assignment_(assignment),
        policy_(policy),
        has_span_(has_span) {}

  // Whether the round can take one more record.
  bool HasRoom() const;

  // The record that Poll() returned last. `after_gap`: windows may lack records, so a gap mark
  // goes before it. May finish the partition of a span.
  void Take(const KafkaRecord& record, bool after_gap, ReadPartition& partition);

  // Decodes the records that wait for the team, if any.
  void DecodeWaiting();

  std::uint64_t records() const { return records_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t refused() const { return team_.refused(); }
  std::uint64_t filtered() const { return team_.filtered(); }
  std::uint64_t tombstones_ignored() const { return team_.tombstones_ignored(); }
  std::uint64_t unmapped() const { return team_.unmapped(); }
  DecodeCounts decode_counts() const { return team_.decode_counts(); }
  std::vector<MappingCount> mapping_counts() const { return team_.mapping_counts(); }

 private:
  bool DecodesTogether() const { return team_.threads() > 1 && !has_span_; }
  void DecodeAlone(const KafkaRecord& record, bool after_gap, ReadPartition& partition);
  void SeeTime(std::optional<EventTime> time, ReadPartition& partition);

  ConsumerHandle& consumer_;
  DecodeTeam& team_;
  ReadPartitions& partitions_;
  ReadRound& round_;
  IdentityDoubts& doubts_;
  Assignment& assignment_;
  const TimePolicy policy_;
  const bool has_span_;
  std::uint64_t records_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace sash
