// EdgeDecoder: the steps from a record to an event that are the same in every format. `Format`
// derives from it and reads the fields of the last record that it received:
//
//   std::optional<Refused> ReadRecord(std::string_view record, const RecordPlace&);
//   // The key of a record without a value; or, if no field is in it, only what is beside it.
//   std::optional<Refused> ReadTombstoneKey(std::string_view key, const RecordPlace&);
//   std::optional<Refused> ReadNoKey(const RecordPlace&);
//   void TakeEnvelope(std::span<const EnvelopeReader::Found> found);  // after one of these three
//   std::optional<Refused> ReadKey(MappedField field, DecodedKey& key);
//   std::optional<Refused> ReadOperation(EdgeFields& fields);  // or is_skipped
//   std::optional<Refused> ReadWeight(Weight& weight);
//   std::optional<Refused> ReadTime(EventTime& time);
//   bool TimeIsDoubtful();  // whether the last time that was read is (zone_table.h)
//   FilterValue FieldOf(std::size_t number, const FilterField& field);  // `number` in `where`
//   void NoteAccepted();  // the record has become an event
//
// The calls are resolved at compile time. Thread safety: like Decoder.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/envelope_reader.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/key_builder.h"
#include "connectors/codec/record_filter.h"
#include "connectors/codec/weight_reader.h"

namespace sash {

template <typename Format>
class EdgeDecoder : public Decoder {
 public:
  std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                EventBatch& batch) override {
    EdgeFields fields;
    if (auto refused = format().ReadRecord(record, place)) return refused;
    ReadBeside(place.envelope);
    if (filter_) {
      const RecordFilter::Verdict verdict = JudgeRecord(place);
      if (verdict == RecordFilter::Verdict::kFails) return filter_->WhyRefused();
      if (verdict == RecordFilter::Verdict::kFiltered) {
        TakeFiltered(place, batch);
        return std::nullopt;
      }
    }
    if (auto refused = format().ReadOperation(fields)) return refused;
    if (fields.is_skipped) {
      TakeFiltered(place, batch);
      return std::nullopt;
    }
    if (auto refused = ReadKeysAndTime(place, fields)) return refused;
    auto invalid = format().ReadWeight(fields.weight);
    if (invalid && !weights_.Replace(fields.weight)) return invalid;
    AppendEvent(fields, keys_, record, place, batch);
    if (invalid) CountReplacedWeight();
    if (format().TimeIsDoubtful()) CountDoubtfulTime();
    format().NoteAccepted();
    return std::nullopt;
  }

  std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                         EventBatch& batch) override {
    EdgeFields fields;
    fields.operation = Operation::kRemove;
    auto unread =
        tombstones_have_fields_ ? format().ReadTombstoneKey(key, place) : format().ReadNoKey(place);
    if (unread) return unread;
    ReadBeside(place.envelope);
    if (auto refused = ReadKeysAndTime(place, fields)) return refused;
    AppendEvent(fields, keys_, key, place, batch);
    if (format().TimeIsDoubtful()) CountDoubtfulTime();
    return std::nullopt;
  }

  EnvelopeNeeds needs() const override {
    EnvelopeNeeds needs;
    if (filter_) needs |= filter_->needs();
    if (envelope_ != nullptr) needs |= envelope_->needs();
    return needs;
  }

 protected:
  // `envelope`: null when no field of the mapping is beside the value. `tombstones_have_fields`:
  // a key or the time is in the value, and so in the key of a record without a value.
  template <typename Mapping>
  EdgeDecoder(const FormatSpec& format, const Mapping& mapping, std::optional<RecordFilter> filter,
              std::unique_ptr<EnvelopeReader> envelope, bool tombstones_have_fields)
      : keys_(format.keys),
        time_from_field_(format.time_origin == TimeOrigin::kField),
        weights_(mapping.weight_text),
        operations_(mapping.operation_words),
        filter_(std::move(filter)),
        envelope_(std::move(envelope)),
        tombstones_have_fields_(tombstones_have_fields),
        source_(mapping.source_parts),
        target_(mapping.target_parts) {}

  std::optional<Refused> ReadKeysAndTime(const RecordPlace& place, EdgeFields& fields) {
    if (envelope_ != nullptr) {
      if (auto refused = envelope_->TakeRefusal()) return refused;
    }
    if (auto refused = format().ReadKey(MappedField::kSource, fields.source)) return refused;
    if (fields.operation != Operation::kRemoveVertex) {
      if (auto refused = format().ReadKey(MappedField::kTarget, fields.target)) return refused;
    }
    fields.time = place.time;
    return time_from_field_ ? format().ReadTime(fields.time) : std::nullopt;
  }

  // What makes the key of a field, kSource or kTarget.
  KeyBuilder& BuilderOf(MappedField field) {
    return field == MappedField::kSource ? source_ : target_;
  }

  void ReadBeside(const RecordEnvelope* envelope) {
    if (envelope_ != nullptr) format().TakeEnvelope(envelope_->Read(envelope));
  }
  // The fields that are text beside the value.
  FieldSet envelope_texts() const { return envelope_ == nullptr ? 0 : envelope_->texts(); }

  const KeyKind keys_;
  const bool time_from_field_;
  WeightReader weights_;
  const OperationReader operations_;

 private:
  Format& format() { return static_cast<Format&>(*this); }

  RecordFilter::Verdict JudgeRecord(const RecordPlace& place) {
    return filter_->Judge(place, [this](std::size_t number, const FilterField& field) {
      return format().FieldOf(number, field);
    });
  }

  // The record moves its partition's clock if its time can be read.
  void TakeFiltered(const RecordPlace& place, EventBatch& batch) {
    EventTime time = place.time;
    if (time_from_field_ && format().ReadTime(time)) return;
    AppendFiltered(time, place, batch);
  }

  std::optional<RecordFilter> filter_;
  const std::unique_ptr<EnvelopeReader> envelope_;
  const bool tombstones_have_fields_;
  KeyBuilder source_;
  KeyBuilder target_;
};

}  // namespace sash
