// EdgeDecoder: the steps from a record to its events that are the same in every format. `Format`
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
//   // The type or the id, with its builder; `label` is not changed if it is absent.
//   std::optional<Refused> ReadLabel(MappedField field, KeyBuilder&, std::string_view& label);
//   bool TimeIsDoubtful();  // whether the last time that was read is (zone_table.h)
//   FilterValue FieldOf(std::size_t number, const FilterField& field);  // RecordFilters::asked()
//   void NoteAccepted();  // the value of a record has become its only edge
//
// For mappings that give several edges (EdgesOfRecord):
//
//   std::optional<Refused> CountElements(std::size_t& count);  // of `each`; 1 without it
//   void SelectElement(std::size_t element);  // the fields above are those of this element
//   void SelectEdge(std::size_t edge);        // and of this edge of the mapping
//   std::string NameOf(std::size_t element, std::size_t edge);  // for messages
//
// For records that are changes of rows (debezium_reader.h):
//
//   bool SelectRow(ChangedRow row);  // the fields above are those of this row, if there is one
//   std::optional<Refused> WhyLacking(ChangedRow row);
//   std::optional<Refused> WhyUndecided(ChangedRow row, std::string_view record);
//
// The calls are resolved at compile time. Thread safety: like Decoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/edge_rule.h"
#include "connectors/codec/edges_of_record.h"
#include "connectors/codec/envelope_reader.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/window_judge.h"

namespace sash {

template <typename Format>
class EdgeDecoder : public Decoder {
 public:
  std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                EventBatch& batch) override {
    if (auto refused = format().ReadRecord(record, place)) return refused;
    ReadBeside(place.envelope);
    if (filters_.where) {
      const RecordFilter::Verdict verdict = JudgeRecord(place);
      if (verdict == RecordFilter::Verdict::kFails) return filters_.where->WhyRefused();
      if (verdict == RecordFilter::Verdict::kFiltered) {
        TakeFiltered(place, batch);
        return std::nullopt;
      }
    }
    if (filters_.windows) JudgeForWindows(place);
    if (has_more_) return DecodeMore(record, place, batch);
    EdgeFields fields;
    if (auto refused = format().ReadOperation(fields)) return refused;
    if (fields.is_skipped) {
      TakeFiltered(place, batch);
      return std::nullopt;
    }
    if (auto refused = ReadKeysAndTime(place, fields)) return refused;
    auto invalid = format().ReadWeight(fields.weight);
    if (invalid && !weights().Replace(fields.weight)) return invalid;
    const std::size_t first = batch.events().size();
    AppendEvent(fields, keys_, record, batch.Store(record), place, false, batch);
    if (rule_->both_directions && HasWayBack(fields, keys_)) AppendWayBack(batch);
    if (filters_.windows) batch.NotePasses(first, passes_);
    if (invalid) CountReplacedWeights(1);
    if (format().TimeIsDoubtful()) CountDoubtfulTimes(1);
    format().NoteAccepted();
    return std::nullopt;
  }

  std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                         EventBatch& batch) override {
    auto unread =
        tombstones_have_fields_ ? format().ReadTombstoneKey(key, place) : format().ReadNoKey(place);
    if (unread) return unread;
    ReadBeside(place.envelope);
    return EdgesOfRecord<Format>(*this, key, place, batch).DecodeElements(Operation::kRemove);
  }

  EnvelopeNeeds needs() const override {
    // Records that give several edges may have kPlacesHeader.
    EnvelopeNeeds needs{.any = has_several_, .headers = has_several_};
    needs |= filters_.needs();
    if (envelope_ != nullptr) needs |= envelope_->needs();
    return needs;
  }

 protected:
  // `edges`: the edges that a record, or each element of it, gives; at least one. `envelope`: null
  // when no field of the mapping is beside the value. `tombstones_have_fields`: a key or the time
  // is in the value, and so in the key of a record without a value.
  EdgeDecoder(const FormatSpec& format, std::vector<EdgeRule> edges, bool has_elements,
              RecordFilters filters, std::unique_ptr<EnvelopeReader> envelope,
              bool tombstones_have_fields)
      : keys_(format.keys),
        time_from_field_(format.time_origin == TimeOrigin::kField),
        number_(format.number),
        rules_(std::move(edges)),
        rule_(rules_.data()),
        has_several_(rules_.size() > 1 || has_elements),
        has_more_(has_several_ || rules_.front().has_labels()),
        filters_(std::move(filters)),
        envelope_(std::move(envelope)),
        tombstones_have_fields_(tombstones_have_fields) {}

  std::optional<Refused> DecodeLines(std::string_view record, const RecordPlace& place,
                                     EventBatch& batch) {
    return EdgesOfRecord<Format>(*this, record, place, batch).DecodeLines();
  }
  std::optional<Refused> DecodeChange(std::string_view record, const RecordPlace& place,
                                      EventBatch& batch) {
    return EdgesOfRecord<Format>(*this, record, place, batch).DecodeChange();
  }

  [[gnu::always_inline]] std::optional<Refused> ReadKeysAndTime(const RecordPlace& place,
                                                                EdgeFields& fields) {
    if (envelope_ != nullptr) {
      if (auto refused = envelope_->refusal()) return refused;
    }
    if (auto refused = format().ReadKey(MappedField::kSource, fields.source)) return refused;
    if (fields.operation != Operation::kRemoveVertex) {
      if (auto refused = format().ReadKey(MappedField::kTarget, fields.target)) return refused;
    }
    fields.time = place.time;
    return time_from_field_ ? format().ReadTime(fields.time) : std::nullopt;
  }

  // What makes the key of a field, kSource or kTarget, of the selected edge.
  KeyBuilder& BuilderOf(MappedField field) {
    return field == MappedField::kSource ? rule_->source : rule_->target;
  }
  WeightReader& weights() { return rule_->weights; }
  const OperationReader& operations() const { return rule_->operations; }

  void ReadBeside(const RecordEnvelope* envelope) {
    if (envelope_ != nullptr) format().TakeEnvelope(envelope_->Read(envelope));
  }
  // The fields that are text beside the value.
  FieldSet envelope_texts() const { return envelope_ == nullptr ? 0 : envelope_->texts(); }

  const KeyKind keys_;
  const bool time_from_field_;

 private:
  friend EdgesOfRecord<Format>;

  Format& format() { return static_cast<Format&>(*this); }

  RecordFilter::Verdict JudgeRecord(const RecordPlace& place) {
    return filters_.where->Judge(place, [this](std::size_t number, const FilterField& field) {
      return format().FieldOf(number, field);
    });
  }

  // Which filters of windows the adds of the record pass, if it is not left out, whatever the types
  // of its edges.
  [[gnu::noinline]] void JudgeForWindows(const RecordPlace& place) {
    const std::size_t first = filters_.first_of_windows();
    const WindowJudge::Judgement judged =
        filters_.windows->Judge(place, [&](std::size_t number, const FilterField& field) {
          return format().FieldOf(first + number, field);
        });
    passes_ = judged.passes;
    CountFilterFailures(judged.failures);
  }

  // The record moves its partition's clock if its time can be read.
  void TakeFiltered(const RecordPlace& place, EventBatch& batch) {
    EventTime time = place.time;
    if (time_from_field_ && format().ReadTime(time)) return;
    AppendFiltered(time, place, batch);
  }

  void Select(std::size_t edge) {
    rule_ = &rules_[edge];
    format().SelectEdge(edge);
  }

  // A record that gives several edges, or an edge with a type or an id.
  [[gnu::noinline]] std::optional<Refused> DecodeMore(std::string_view record,
                                                      const RecordPlace& place, EventBatch& batch) {
    const std::size_t first = batch.events().size();
    auto refused = EdgesOfRecord<Format>(*this, record, place, batch).DecodeElements({});
    const bool is_accepted = batch.events().size() > first && !batch.events()[first].filtered;
    if (!refused && is_accepted) format().NoteAccepted();
    return refused;
  }

  const std::uint64_t number_;  // of the mapping
  std::vector<EdgeRule> rules_;
  EdgeRule* rule_;  // of the selected edge
  const bool has_several_;
  const bool has_more_;  // also if the only edge has a type or an id
  RecordFilters filters_;
  FilterBits passes_ = kPassesAll;  // of the adds of the last record, but for their types
  const std::unique_ptr<EnvelopeReader> envelope_;
  const bool tombstones_have_fields_;
};

}  // namespace sash
