// Decoder: turns one record into its edge events: one, or several with adjacent places.
//
// Thread safety: a decoder has scratch space and belongs to one thread; make one per thread. Any
// thread may read its counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/line_judge.h"
#include "connectors/codec/schema_source.h"
#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/record_header.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"

namespace sash {

// What belongs to a record beside its value.
struct RecordEnvelope {
  std::string_view topic;
  std::int32_t partition = 0;  // its number in the topic
  std::optional<std::string_view> key{};
  std::optional<std::int64_t> timestamp_ms{};
  std::span<const RecordHeader> headers{};
};

// What a decoder reads of a RecordEnvelope. Headers cost time, so they are read only if asked for.
struct EnvelopeNeeds {
  bool any = false;
  bool headers = false;

  EnvelopeNeeds& operator|=(const EnvelopeNeeds& other) {
    any = any || other.any;
    headers = headers || other.headers;
    return *this;
  }
};

// The position of a record, and its event time when the time is not one of its fields.
struct RecordPlace {
  PartitionIndex partition = 0;
  std::int64_t offset = 0;
  EventTime time;
  const RecordEnvelope* envelope = nullptr;  // null: the record has none of it
};

struct Refused {
  RefusalReason reason = RefusalReason::kInvalidSyntax;
  std::string detail;  // for a person: the field, what was found, what is expected
  // Only these edges of the record are refused, in the order of their places. Empty: the whole
  // record is.
  std::vector<RefusedPlace> places{};
};

// Records of more bytes than this are refused (kTooLarge).
inline constexpr std::size_t kMaxRecordBytes = 1 << 20;

// The numbers of accepted events whose record had a flaw, so far.
struct DecodeCounts {
  std::uint64_t doubtful_times = 0;  // local times that their zone skips or repeats (zone_table.h)
  std::uint64_t replaced_weights = 0;  // weights that were not numbers (InvalidWeight)
  std::uint64_t truncations = 0;       // records that empty a table, and so are not edges
  // How often a filter of a window had no value, over all records.
  std::uint64_t filter_failures = 0;

  DecodeCounts& operator+=(const DecodeCounts& other) {
    doubtful_times += other.doubtful_times;
    replaced_weights += other.replaced_weights;
    truncations += other.truncations;
    filter_failures += other.filter_failures;
    return *this;
  }
};

// What several mappings make of the records of a topic.
struct TopicUse {
  bool is_taken = true;     // by one of them at least
  bool is_binary = false;   // a record may begin with any bytes
  bool has_schemas = true;  // a record names a schema of the registry, if there is one
};

class Decoder {
 public:
  virtual ~Decoder() = default;

  // Validates the whole record. Appends its events to `batch`, or appends nothing and returns why;
  // with Refused::places it appends the events of the record's other edges, if there are any.
  // A record that `where` filters, of which all edges are skipped by words of their operations, or
  // whose array of elements is empty becomes one filtered event, without keys and payload; or
  // nothing, if its time cannot be read.
  virtual std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                        EventBatch& batch) = 0;

  // For a Kafka record without a value, with `tombstone: remove`. Applies the mapping to the record
  // key; the operation of every edge is remove. Weight and operation fields are ignored.
  virtual std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                                 EventBatch& batch) = 0;

  // What RecordPlace::envelope must have.
  virtual EnvelopeNeeds needs() const { return {}; }

  // Judges rows of a file that span several lines; lives as long as the decoder. Null when records
  // never span several lines, or may do so without restriction.
  virtual LineJudge* line_judge() { return nullptr; }

  // The text of the time of the last record that was accepted (of its first edge), while that
  // record exists. Empty if the time is not one of its fields.
  virtual std::string TimeAsWritten() { return {}; }

  // With several mappings: what they make of the records of a topic. Records that are not taken are
  // unmapped, and must not be decoded.
  virtual TopicUse UseOf(std::string_view /*topic*/) const { return {}; }

  // With several mappings: the name of the mapping that gave edge `edge`, from 0, of the last
  // record.
  virtual std::string_view MappingOf(std::size_t /*edge*/) const { return {}; }

  // With several mappings: what became of the records, for each of them.
  virtual std::vector<MappingCount> mapping_counts() const { return {}; }

  virtual DecodeCounts counts() const {
    return {doubtful_times_.load(std::memory_order_relaxed),
            replaced_weights_.load(std::memory_order_relaxed),
            truncations_.load(std::memory_order_relaxed),
            filter_failures_.load(std::memory_order_relaxed)};
  }

 protected:
  void CountDoubtfulTimes(std::uint64_t number) {
    if (number > 0) doubtful_times_.fetch_add(number, std::memory_order_relaxed);
  }
  void CountReplacedWeights(std::uint64_t number) {
    if (number > 0) replaced_weights_.fetch_add(number, std::memory_order_relaxed);
  }
  void CountFilterFailures(std::uint64_t number) {
    if (number > 0) filter_failures_.fetch_add(number, std::memory_order_relaxed);
  }
  void CountTruncation() { truncations_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> doubtful_times_ = 0;
  std::atomic<std::uint64_t> replaced_weights_ = 0;
  std::atomic<std::uint64_t> truncations_ = 0;
  std::atomic<std::uint64_t> filter_failures_ = 0;
};

// `header` is the header row of CSV with named columns (unused otherwise). Fails when a mapped
// column is not in the header, or a format or zone of times is wrong. `schemas`: those of
// format.registry; without it, records whose schemas are in a registry are refused.
Result<std::unique_ptr<Decoder>> MakeDecoder(const FormatSpec& format, std::string_view header = {},
                                             std::shared_ptr<SchemaSource> schemas = nullptr);

}  // namespace sash
