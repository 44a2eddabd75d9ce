#include "connectors/kafka/record_intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "connectors/codec/foreign_format.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

// Nothing when there is no timestamp, or it is out of the range of EventTime.
std::optional<EventTime> KafkaTime(const KafkaRecord& record) {
  constexpr std::int64_t kLimit =
      std::numeric_limits<std::int64_t>::max() / kNanosecondsPerMillisecond;
  if (!record.timestamp_ms || *record.timestamp_ms > kLimit || *record.timestamp_ms < -kLimit) {
    return std::nullopt;
  }
  return EventTime(std::chrono::milliseconds(*record.timestamp_ms));
}

// Nothing when the record may be text.
std::optional<Refused> Foreign(std::string_view record) {
  auto why = WhyForeignRecord(record);
  if (!why) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax, *std::move(why)};
}

std::size_t SizeOf(const std::optional<std::string_view>& text) { return text ? text->size() : 0; }

}  // namespace

RecordIntake::RecordIntake(const FormatSpec& format, std::unique_ptr<Decoder> decoder,
                           RefusalSink& refusals, const Clock& clock)
    : tombstone_(format.tombstone),
      time_origin_(format.time_origin),
      is_binary_(IsBinary(format)),
      has_mappings_(!format.mappings.empty()),
      decoder_(std::move(decoder)),
      needs_(decoder_ == nullptr ? EnvelopeNeeds() : decoder_->needs()),
      refusals_(refusals),
      clock_(clock) {
  SASH_CHECK(decoder_ != nullptr);
}

std::optional<EventTime> RecordIntake::Take(const KafkaRecord& record, PartitionIndex partition,
                                            EventBatch& batch) {
  if (has_mappings_) {
    const TopicUse use = decoder_->UseOf(record.topic);
    if (!use.is_taken) {
      unmapped_.fetch_add(1, std::memory_order_relaxed);
      return std::nullopt;
    }
    is_binary_ = use.is_binary;
  }
  if (needs_.headers) {
    headers_.clear();
    record.headers.AppendTo(headers_);
  }
  const std::size_t events = batch.events().size();
  const std::optional<Refused> refused = Decode(record, partition, batch);
  if (refused) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    refusals_.Refuse({.topic = record.topic,
                      .partition = record.partition,
                      .offset = record.offset,
                      .timestamp = KafkaTime(record).value_or(EventTime()),
                      .reason = refused->reason,
                      .detail = refused->detail,
                      .stage = "decode",
                      .payload = record.value,
                      .key = record.key,
                      .headers = headers_,
                      .places = refused->places});
    batch.AddRefused(std::max<std::size_t>(refused->places.size(), 1), partition, record.offset,
                     events);
  }
  if (batch.events().size() == events) return std::nullopt;
  const std::size_t end = batch.events().size();
  if (end == events + 1 && batch.events().back().filtered) {
    CountFiltered();
    batch.AddOrigin({}, {}, true);  // it is never a dead letter
  } else {
    batch.AddOrigins(end - events, KafkaTime(record).value_or(EventTime()), record.key,
                     record.value.has_value());
  }
  return batch.NewestOf(events, end);
}

std::optional<Refused> RecordIntake::Decode(const KafkaRecord& record, PartitionIndex partition,
                                            EventBatch& batch) {
  if (!record.value && tombstone_ == TombstonePolicy::kIgnore) {
    tombstones_ignored_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  const std::size_t bytes = SizeOf(record.value ? record.value : record.key);
  if (bytes > kMaxRecordBytes) {
    return Refused{RefusalReason::kTooLarge,
                   fmt::format("{} bytes, the limit is {}", bytes, kMaxRecordBytes)};
  }
  RecordPlace place{.partition = partition, .offset = record.offset, .time = {}};
  const std::optional<EventTime> kafka_time = KafkaTime(record);
  if (time_origin_ == TimeOrigin::kKafka && !kafka_time) {
    return Refused{
        RefusalReason::kInvalidTime,
        record.timestamp_ms
            ? fmt::format("the record's timestamp, {} ms, is out of range", *record.timestamp_ms)
            : "the record has no Kafka timestamp"};
  }
  place.time = time_origin_ == TimeOrigin::kClock ? clock_.Now() : kafka_time.value_or(EventTime());
  std::optional<RecordEnvelope> envelope;
  if (needs_.any) {
    place.envelope = &envelope.emplace(
        RecordEnvelope{record.topic, record.partition, record.key, record.timestamp_ms, headers_});
  }
  if (!record.value) return DecodeTombstone(record, place, batch);
  if (!is_binary_ && IsFramed(*record.value)) return Foreign(*record.value);
  const std::size_t events = batch.events().size();
  auto refused = decoder_->Decode(*record.value, place, batch);
  if (!refused && batch.events().size() == events) CountFiltered();  // its time cannot be read
  if (!refused || is_binary_ || !refused->places.empty()) return refused;
  auto foreign = Foreign(*record.value);
  return foreign ? foreign : refused;
}

std::optional<Refused> RecordIntake::DecodeTombstone(const KafkaRecord& record,
                                                     const RecordPlace& place, EventBatch& batch) {
  if (tombstone_ == TombstonePolicy::kDeadLetter) {
    return Refused{RefusalReason::kTombstone, "the record has no value"};
  }
  if (!record.key) {
    return Refused{RefusalReason::kMissingField, "the record has neither a value nor a key"};
  }
  if (!is_binary_ && IsFramed(*record.key)) return Foreign(*record.key);
  return decoder_->DecodeTombstone(*record.key, place, batch);
}

}  // namespace sash
