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
// For mappings that give several edges:
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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/debezium_reader.h"
#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/edge_id_text.h"
#include "connectors/codec/edge_rule.h"
#include "connectors/codec/envelope_reader.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/record_lines.h"
#include "connectors/codec/several_edges.h"
#include "connectors/codec/window_judge.h"

namespace sash {

using ChangedRow = DebeziumReader::Row;

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
    return DecodeAll(key, place, Operation::kRemove, batch);
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

  // Each line that is not blank is read as a record is; of those that are refused, every edge is.
  std::optional<Refused> DecodeLines(std::string_view record, const RecordPlace& place,
                                     EventBatch& batch) {
    if (auto refused = RefusedForSize(record.size())) return refused;
    std::optional<std::vector<EdgePlace>> wanted;
    if (auto refused = ReadWantedPlaces(place.envelope, wanted)) return refused;
    const std::size_t text_bytes = batch.text_bytes();
    SeveralEdges several;
    several.first = batch.events().size();
    const TextRef payload = batch.Store(record);
    std::optional<Refused> whole;
    RecordLines lines(record);
    while (!whole && lines.Next()) {
      whole = DecodeLine(lines, wanted, record, payload, place, several, batch);
    }
    Select(0);
    if (!whole && lines.are_all_blank()) {
      whole = Refused{RefusalReason::kInvalidSyntax, "the record has no line that is not blank"};
    }
    return Finish(std::move(whole), place, 1, text_bytes, std::move(several), batch);
  }

  // A change of a row, which the format has read: the edges of the row before it end, those of the
  // row after it begin; all of them, or none.
  std::optional<Refused> DecodeChange(std::string_view record, const RecordPlace& place,
                                      EventBatch& batch) {
    const std::size_t text_bytes = batch.text_bytes();
    SeveralEdges several;
    several.first = batch.events().size();
    const TextRef payload = batch.Store(record);
    std::optional<Refused> whole;
    for (const ChangedRow row : {ChangedRow::kBefore, ChangedRow::kAfter}) {
      if (!whole) whole = DecodeRow(row, record, payload, place, several, batch);
    }
    Select(0);
    // Without a row, or if the filter rejects its rows, it is left out: it has no elements.
    return Finish(std::move(whole), place, 0, text_bytes, std::move(several), batch);
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

  // The same, for an edge or a line of the record.
  void NoteSkipped(const RecordPlace& place, SeveralEdges& several) {
    EventTime time = place.time;
    if (time_from_field_ && format().ReadTime(time)) return;
    several.skipped = std::max(several.skipped, std::optional(time));
  }

  void Select(std::size_t edge) {
    rule_ = &rules_[edge];
    format().SelectEdge(edge);
  }

  // A record that gives several edges, or an edge with a type or an id.
  [[gnu::noinline]] std::optional<Refused> DecodeMore(std::string_view record,
                                                      const RecordPlace& place, EventBatch& batch) {
    const std::size_t first = batch.events().size();
    auto refused = DecodeAll(record, place, {}, batch);
    const bool is_accepted = batch.events().size() > first && !batch.events()[first].filtered;
    if (!refused && is_accepted) format().NoteAccepted();
    return refused;
  }

  // The edges of the record that can be decoded; the others are refused. `operation`: of all edges,
  // in place of their fields.
  std::optional<Refused> DecodeAll(std::string_view record, const RecordPlace& place,
                                   std::optional<Operation> operation, EventBatch& batch) {
    std::optional<std::vector<EdgePlace>> wanted;
    if (auto refused = ReadWantedPlaces(place.envelope, wanted)) return refused;
    std::size_t elements = 1;
    if (auto refused = format().CountElements(elements)) return refused;
    const std::size_t text_bytes = batch.text_bytes();
    SeveralEdges several;
    several.first = batch.events().size();
    const TextRef payload = batch.Store(record);
    const auto decode = [&](EdgePlace at) {
      format().SelectElement(at.element);
      Select(at.edge);
      if (has_several_) several.at = at;
      auto refused = DecodeEdge(record, payload, place, operation, several, batch);
      if (!refused || !has_several_) return refused;
      return several.NoteRefused(*std::move(refused), at, format().NameOf(at.element, at.edge));
    };
    std::optional<Refused> whole;  // of which no edge is used
    if (wanted) {
      for (const EdgePlace at : *wanted) {
        if (whole || at.element >= elements || at.edge >= rules_.size()) continue;
        whole = decode(at);
      }
    } else {
      for (EdgePlace at; at.element < elements && !whole; ++at.element) {
        for (at.edge = 0; at.edge < rules_.size() && !whole; ++at.edge) whole = decode(at);
      }
    }
    Select(0);
    return Finish(std::move(whole), place, elements, text_bytes, std::move(several), batch);
  }

  // The wanted edges of the current line. Returns why no line of the record is used, if that is so.
  std::optional<Refused> DecodeLine(const RecordLines& lines,
                                    const std::optional<std::vector<EdgePlace>>& wanted,
                                    std::string_view record, TextRef payload,
                                    const RecordPlace& place, SeveralEdges& several,
                                    EventBatch& batch) {
    const auto line = static_cast<std::uint32_t>(lines.number());
    if (wanted && !std::ranges::binary_search(*wanted, line, {}, &EdgePlace::element)) {
      return std::nullopt;
    }
    auto unread = format().ReadRecord(lines.line(), place);
    if (!unread) {
      ReadBeside(place.envelope);
      const auto verdict = filters_.where ? JudgeRecord(place) : RecordFilter::Verdict::kPasses;
      if (verdict == RecordFilter::Verdict::kFiltered) {
        NoteSkipped(place, several);
        return std::nullopt;
      }
      if (verdict == RecordFilter::Verdict::kFails) unread = filters_.where->WhyRefused();
      if (filters_.windows && !unread) JudgeForWindows(place);
    }
    for (EdgePlace at{line, 0}; at.edge < rules_.size(); ++at.edge) {
      if (wanted && !std::ranges::binary_search(*wanted, at)) continue;
      std::optional<Refused> refused = unread;
      Select(at.edge);
      if (unread) {
        ++several.edges;
      } else {
        several.at = at;
        refused = DecodeEdge(record, payload, place, {}, several, batch);
      }
      if (!refused) continue;
      const std::string name = unread ? "" : format().NameOf(0, at.edge);
      auto whole = several.NoteRefused(*std::move(refused), at, lines.Name() + name);
      if (whole) return whole;
    }
    return std::nullopt;
  }

  // The edges of one row of the change.
  std::optional<Refused> DecodeRow(ChangedRow row, std::string_view record, TextRef payload,
                                   const RecordPlace& place, SeveralEdges& several,
                                   EventBatch& batch) {
    if (!format().SelectRow(row)) return std::nullopt;
    ReadBeside(place.envelope);
    if (filters_.where) {
      const RecordFilter::Verdict verdict = JudgeRecord(place);
      if (verdict == RecordFilter::Verdict::kFails) return filters_.where->WhyRefused();
      if (verdict == RecordFilter::Verdict::kFiltered) return format().WhyUndecided(row, record);
    }
    if (auto refused = format().WhyLacking(row)) return refused;
    const bool ends = row == ChangedRow::kBefore;
    if (filters_.windows && !ends) JudgeForWindows(place);
    const auto operation = ends ? std::optional(Operation::kRemove) : std::nullopt;
    for (std::size_t edge = 0; edge < rules_.size(); ++edge) {
      Select(edge);
      auto refused = DecodeEdge(record, payload, place, operation, several, batch);
      if (!refused) continue;
      if (has_several_) refused->detail = format().NameOf(0, edge) + refused->detail;
      return refused;
    }
    return std::nullopt;
  }

  // What becomes of the record, after all its edges.
  std::optional<Refused> Finish(std::optional<Refused> whole, const RecordPlace& place,
                                std::size_t elements, std::size_t text_bytes, SeveralEdges several,
                                EventBatch& batch) {
    const bool none = batch.events().size() == several.first;
    if (whole || none) batch.DropAfter(several.first, text_bytes);
    if (whole) return whole;
    CountReplacedWeights(several.counts.replaced_weights);
    CountDoubtfulTimes(several.counts.doubtful_times);
    if (!several.refused.empty()) return std::move(several).WhyRefused();
    if (!none) return std::nullopt;
    if (several.skipped) {
      AppendFiltered(*several.skipped, place, batch);
    } else if (elements == 0) {
      TakeFiltered(place, batch);
    }
    return std::nullopt;
  }

  std::optional<Refused> DecodeEdge(std::string_view record, TextRef payload,
                                    const RecordPlace& place, std::optional<Operation> operation,
                                    SeveralEdges& several, EventBatch& batch) {
    EdgeFields fields;
    if (operation) {
      fields.operation = *operation;
    } else if (auto refused = format().ReadOperation(fields)) {
      ++several.edges;
      return refused;
    }
    if (fields.is_skipped) {
      NoteSkipped(place, several);
      return std::nullopt;
    }
    ++several.edges;
    if (auto refused = ReadKeysAndTime(place, fields)) return refused;
    if (!operation) {
      auto invalid = format().ReadWeight(fields.weight);
      if (invalid && !weights().Replace(fields.weight)) return invalid;
      if (invalid) ++several.counts.replaced_weights;
    }
    EdgeLabels labels;
    if (auto refused = ReadLabels(labels)) return refused;
    const std::size_t first = batch.events().size();
    const bool further = first > several.first;
    AppendEvent(fields, keys_, record, payload, place, further, batch);
    if (rule_->both_directions && HasWayBack(fields, keys_)) AppendWayBack(batch);
    if (!labels.type.empty()) {
      batch.NoteType(first, StoreText(labels.type, record, payload, batch));
    }
    if (!labels.id.empty()) {
      const auto edge = static_cast<std::uint64_t>(rule_ - rules_.data());
      batch.NoteId(first, EdgeIdOf(labels.id, number_ << 32 | edge));
    }
    if (several.at) batch.NotePlace(first, *several.at);
    if (filters_.windows) NotePasses(first, labels.type, batch);
    if (format().TimeIsDoubtful()) ++several.counts.doubtful_times;
    if (batch.events().size() - several.first <= kMostEdgesOfARecord) return std::nullopt;
    return RefusedForEdges();
  }

  std::optional<Refused> ReadLabels(EdgeLabels& labels) {
    labels.type = rule_->type_word;
    if (rule_->type) {
      auto refused = format().ReadLabel(MappedField::kType, *rule_->type, labels.type);
      if (refused) return refused;
      if (labels.type.size() > kMostTypeBytes) {
        return RefusedForType(format().Label(MappedField::kType), labels.type);
      }
    }
    return rule_->id ? format().ReadLabel(MappedField::kId, *rule_->id, labels.id) : std::nullopt;
  }

  // For the events of the edge that was added last, from `first` on.
  void NotePasses(std::size_t first, std::string_view type, EventBatch& batch) {
    const FilterBits of_type = filters_.windows->PassesOf(type);
    batch.NotePasses(first, passes_ & of_type, type.empty() ? kPassesAll : of_type);
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
