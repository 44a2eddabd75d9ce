// DecodeTeam: records that were polled one after the other, decoded by several threads.
//
// The threads take stretches of the records as they came, whatever partitions these are of: what
// they make of them, one stretch after the other, is what one thread would have made. So a single
// partition gains as well, and one that sends more than the others holds up nobody.
//
// Thread safety: belongs to the consumer thread, but for the counters, which any thread may read.
//
// Invariants
//   (1) What is said of a partition in the batches, events and marks, is in the order of its
//       offsets.
//   (2) Each thread has a decoder of its own; a sink of refusals hears from several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/kafka/record_intake.h"
#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/refusal.h"

namespace sash {

class DecodeTeam {
 public:
  struct Waiting {
    KafkaRecord record;  // its texts live until Forget()
    PartitionIndex partition = 0;
    std::size_t place = 0;            // whatever the caller knows the partition by
    bool after_gap = false;           // a kGap mark goes before it
    std::optional<EventTime> time{};  // what RecordIntake::Take() returned
  };

  // Fewer records than this are not worth waking a thread for.
  static constexpr std::size_t kWorthSharing = 512;

  // A thread for each of `decoders`, of which there is at least one.
  DecodeTeam(const FormatSpec& format, std::vector<std::unique_ptr<Decoder>> decoders,
             RefusalSink& refusals, const Clock& clock);

  std::size_t threads() const { return intakes_.size(); }

  // For one record at once, in the caller's thread.
  RecordIntake& intake() { return intakes_.front(); }

  void Wait(const Waiting& waiting);
  std::span<const Waiting> waiting() const { return waiting_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

  // Into how many batches those that wait are worth being decoded.
  std::size_t Stretches() const;
  // Decodes all that wait into `batches`, behind what is there already, and fills in their times.
  void Decode(std::span<EventBatch> batches);
  // None waits any more.
  void Forget();

  std::uint64_t refused() const;
  std::uint64_t tombstones_ignored() const;

 private:
  std::deque<RecordIntake> intakes_;
  std::vector<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace sash
