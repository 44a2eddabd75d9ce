// RecordIntake: one Kafka record becomes its edge events, a filtered event, one refusal, or an
// ignored tombstone.
//
// Thread safety: belongs to one thread at a time, except the counters, which any thread may read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/kafka/unread_headers.h"
#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/refusal.h"

namespace sash {

struct KafkaRecord {
  std::string_view topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<std::int64_t> timestamp_ms;  // since the epoch; absent in records of old producers
  std::optional<std::string_view> key;
  std::optional<std::string_view> value;  // absent: a tombstone
  UnreadHeaders headers{};

  std::size_t bytes() const { return (key ? key->size() : 0) + (value ? value->size() : 0); }
};

class RecordIntake {
 public:
  RecordIntake(const FormatSpec& format, std::unique_ptr<Decoder> decoder, RefusalSink& refusals,
               const Clock& clock);

  // Adds the record's events to `batch` and returns their newest time. Or adds a kRefused mark
  // after calling the RefusalSink, and returns nothing (a record without timestamp is reported at
  // the epoch). If some edges of the record are refused, it does both, with a mark for each. Or
  // adds nothing: an ignored tombstone, a record of a topic that no mapping takes, or a filtered
  // record whose time cannot be read.
  std::optional<EventTime> Take(const KafkaRecord& record, PartitionIndex partition,
                                EventBatch& batch);

  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }
  std::uint64_t filtered() const { return filtered_.load(std::memory_order_relaxed); }
  std::uint64_t unmapped() const { return unmapped_.load(std::memory_order_relaxed); }
  std::uint64_t tombstones_ignored() const {
    return tombstones_ignored_.load(std::memory_order_relaxed);
  }
  // Replaces the decoder. Returns the one before.
  std::unique_ptr<Decoder> Replace(std::unique_ptr<Decoder> decoder) {
    needs_ = decoder->needs();
    return std::exchange(decoder_, std::move(decoder));
  }
  // The last record that it decoded is the last one that Take() got.
  Decoder& decoder() { return *decoder_; }
  const Decoder& decoder() const { return *decoder_; }

 private:
  std::optional<Refused> Decode(const KafkaRecord& record, PartitionIndex partition,
                                EventBatch& batch);
  void CountFiltered() { filtered_.fetch_add(1, std::memory_order_relaxed); }
  std::optional<Refused> DecodeTombstone(const KafkaRecord& record, const RecordPlace& place,
                                         EventBatch& batch);

  const TombstonePolicy tombstone_;
  const TimeOrigin time_origin_;
  bool is_binary_;           // records, here of the last topic, may begin with any bytes
  const bool has_mappings_;  // several, so that a topic may have none
  std::unique_ptr<Decoder> decoder_;
  EnvelopeNeeds needs_;
  RefusalSink& refusals_;
  const Clock& clock_;
  std::vector<RecordHeader> headers_;  // of the last record, if they are needed
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> filtered_ = 0;
  std::atomic<std::uint64_t> unmapped_ = 0;
  std::atomic<std::uint64_t> tombstones_ignored_ = 0;
};

}  // namespace sash
