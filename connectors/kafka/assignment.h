// Assignment: where the consumer reads each partition, and which partitions are paused.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Only partitions that we paused are resumed.
//   (2) With a span: a finished partition stays paused and caught up for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/identity_doubts.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/read_partitions.h"
#include "connectors/kafka/stream_opening.h"
#include "windows/base/event_log.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class Assignment {
 public:
  // The longest time that one question to a broker may take.
  static constexpr std::chrono::milliseconds kQuestionTimeout{500};

  Assignment(ConsumerHandle& consumer, ReadPartitions& partitions, ReadRound& round,
             IdentityDoubts& doubts, KafkaCounters& counters, EventLog& log, const Clock& clock,
             const TimePolicy& policy, KeyKind keys, const std::optional<ReplaySpan>& span)
      : consumer_(consumer),
        partitions_(partitions),
        round_(round),
        doubts_(doubts),
        counters_(counters),
        log_(log),
        clock_(clock),
        policy_(policy),
        keys_(keys),
        span_(span) {}

  // Assigns the partitions of `stream`. The first batch then begins with the StreamStart and the
  // gap marks.
  Status Begin(const OpenedStream& stream);

  // Assigns again, at their positions, all partitions that are not finished. None of them is paused
  // afterwards.
  void AssignAll();
  // Reads the partition from its position on.
  void Reposition(ReadPartition& partition);
  void SetPaused(const std::vector<std::size_t>& places, bool paused);

  // Asks the broker; waits for at most kQuestionTimeout.
  Result<LogBounds> AskForBounds(const ReadPartition& partition);

  // All records that the partition has now have been read. With a span it is then finished.
  void MarkCaughtUp(ReadPartition& partition);
  void Finish(ReadPartition& partition);
  // Whether all partitions of a span are finished.
  bool Finished() const;
  std::uint64_t left_out_of_span() const;  // events

 private:
  void Add(const OpenedPartition& opened);

  ConsumerHandle& consumer_;
  ReadPartitions& partitions_;
  ReadRound& round_;
  IdentityDoubts& doubts_;
  KafkaCounters& counters_;
  EventLog& log_;
  const Clock& clock_;
  const TimePolicy policy_;
  const KeyKind keys_;
  const std::optional<ReplaySpan> span_;
};

}  // namespace sash
