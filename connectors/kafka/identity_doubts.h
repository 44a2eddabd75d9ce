// IdentityDoubts: notices when reading may have been interrupted, and doubts the partitions then.
//
// A topic may be deleted and created again. librdkafka does not notice it, so every partition is
// doubted after each break (BreakWatch) and each standstill of this thread. IdentityJudge resolves
// the doubts.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) After a break no record of a partition is applied until its doubt is resolved. A partition
//       without an applied record is not doubted: it has nothing that could belong to another one.
//   (2) With a span nothing is doubted.
#pragma once

#include <chrono>
#include <cstdint>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/read_partitions.h"
#include "windows/base/clock.h"

namespace sash {

class IdentityDoubts {
 public:
  IdentityDoubts(ConsumerHandle& consumer, ReadPartitions& partitions, ReadRound& round,
                 const Clock& clock, bool has_span)
      : consumer_(consumer),
        partitions_(partitions),
        round_(round),
        clock_(clock),
        has_span_(has_span) {}

  // Breaks from now on count.
  void Reset();

  // Returns whether there was a break or a standstill since the last call. To be called after the
  // poll of a record and before it is used, and at least every 100 ms. `busy`: the time that this
  // thread may have waited for an answer since the last call.
  bool Look(std::chrono::milliseconds busy = {});

  void Doubt(ReadPartition& partition);

  // The last record of this round in each partition becomes its anchor.
  void SumUp();

  // Whether a partition that can be reached has been doubtful for less than a second. Until then
  // all partitions wait.
  bool HoldsReading() const;

  std::uint64_t newest() const { return doubts_; }  // the number of the newest doubt

 private:
  ConsumerHandle& consumer_;
  ReadPartitions& partitions_;
  ReadRound& round_;
  const Clock& clock_;
  const bool has_span_;
  std::chrono::nanoseconds looked_at_{};  // coarse clock; zero before the first look
  std::uint64_t breaks_ = 0;              // of the consumer, as of the last look
  std::uint64_t doubts_ = 0;
};

}  // namespace sash
