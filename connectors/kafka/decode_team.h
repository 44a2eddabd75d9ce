// DecodeTeam: decodes records that were polled one after the other, with several threads.
//
// The records are cut into stretches in the order in which they came, whatever partitions they
// belong to, and each thread decodes one stretch. The results, one stretch after the other, are the
// same as those of one thread. So a single partition is decoded faster too, and a partition with
// more records than the others delays no thread.
//
// Thread safety: belongs to the consumer thread, except refused() to unmapped(), which any thread
// may call.
//
// Invariants
//   (1) The events and marks of a partition are in the order of its offsets.
//   (2) Each thread has its own decoder. Several threads call the RefusalSink.
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
    KafkaRecord record;  // its texts must be valid until Forget()
    PartitionIndex partition = 0;
    std::size_t place = 0;            // identifies the partition for the caller
    bool after_gap = false;           // a kGap mark is put before it
    std::optional<EventTime> time{};  // what RecordIntake::Take() returned
  };

  // Fewer records than this are not worth waking a thread for.
  static constexpr std::size_t kWorthSharing = 512;

  // One thread for each decoder; at least one decoder.
  DecodeTeam(const FormatSpec& format, std::vector<std::unique_ptr<Decoder>> decoders,
             RefusalSink& refusals, const Clock& clock);

  std::size_t threads() const { return intakes_.size(); }

  // Replaces the decoders, one for each thread. No record waits.
  void Replace(std::vector<std::unique_ptr<Decoder>> decoders);

  // Decodes one record at once, in the caller's thread.
  RecordIntake& intake() { return intakes_.front(); }

  void Wait(const Waiting& waiting);
  std::span<const Waiting> waiting() const { return waiting_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

  // The number of batches for Decode(): 1 when there are too few records to share.
  std::size_t Stretches() const;
  // Decodes all waiting records into `batches`, after their present contents, and sets the times of
  // the waiting records.
  void Decode(std::span<EventBatch> batches);
  // Removes the waiting records.
  void Forget();

  std::uint64_t refused() const;
  std::uint64_t filtered() const;
  std::uint64_t tombstones_ignored() const;
  std::uint64_t unmapped() const;
  DecodeCounts decode_counts() const;
  std::vector<MappingCount> mapping_counts() const;

 private:
  std::deque<RecordIntake> intakes_;
  DecodeCounts counted_before_;              // by decoders that were replaced
  std::vector<MappingCount> mapped_before_;  // likewise
  std::vector<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace sash
