// EdgesOfRecord: decodes the edges of one record that gives several, or an edge with a type or an
// id: of its elements, of its lines, or of the rows of a change. An edge that cannot be decoded is
// refused, and the others count. `Format`: as for EdgeDecoder, with which it reads the record.
//
// Thread safety: lives while one record is decoded, in the thread of the decoder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/debezium_reader.h"
#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/edge_id_text.h"
#include "connectors/codec/record_filter.h"
#include "connectors/codec/record_lines.h"
#include "connectors/codec/several_edges.h"

namespace sash {

using ChangedRow = DebeziumReader::Row;

template <typename Format>
class EdgeDecoder;

template <typename Format>
class EdgesOfRecord {
 public:
  EdgesOfRecord(EdgeDecoder<Format>& decoder, std::string_view record, const RecordPlace& place,
                EventBatch& batch)
      : decoder_(decoder), record_(record), place_(place), batch_(batch) {}

  // Decodes the edges of each element, or of the record, which the format has read. `operation` is
  // that of all edges, in place of their fields.
  std::optional<Refused> DecodeElements(std::optional<Operation> operation) {
    if (auto refused = ReadWantedPlaces(place_.envelope, wanted_)) return refused;
    std::size_t elements = 1;
    if (auto refused = format().CountElements(elements)) return refused;
    Begin();
    std::optional<Refused> whole;  // why no edge of the record is used
    if (wanted_) {
      for (const EdgePlace at : *wanted_) {
        if (whole || at.element >= elements || at.edge >= edges()) continue;
        whole = DecodeElement(at, operation);
      }
      return Finish(std::move(whole), elements);
    }
    for (EdgePlace at; at.element < elements && !whole; ++at.element) {
      for (at.edge = 0; at.edge < edges() && !whole; ++at.edge)
        whole = DecodeElement(at, operation);
    }
    return Finish(std::move(whole), elements);
  }

  // Each line that is not blank is read like a record; if a line is refused, every edge of it is.
  std::optional<Refused> DecodeLines() {
    if (auto refused = RefusedForSize(record_.size())) return refused;
    if (auto refused = ReadWantedPlaces(place_.envelope, wanted_)) return refused;
    Begin();
    std::optional<Refused> whole;
    RecordLines lines(record_);
    while (!whole && lines.Next()) whole = DecodeLine(lines);
    if (!whole && lines.are_all_blank()) {
      whole = Refused{RefusalReason::kInvalidSyntax, "the record has no line that is not blank"};
    }
    return Finish(std::move(whole), 1);
  }

  // A change of a row, which the format has read: the edges of the row before it end, those of the
  // row after it begin; all of them, or none.
  std::optional<Refused> DecodeChange() {
    Begin();
    std::optional<Refused> whole;
    for (const ChangedRow row : {ChangedRow::kBefore, ChangedRow::kAfter}) {
      if (!whole) whole = DecodeRow(row);
    }
    // Without a row, or if the filter rejects its rows, it is left out: it has no elements.
    return Finish(std::move(whole), 0);
  }

 private:
  Format& format() { return decoder_.format(); }
  std::size_t edges() const { return decoder_.rules_.size(); }  // of the mapping

  void Begin() {
    text_bytes_ = batch_.text_bytes();
    several_.first = batch_.events().size();
    payload_ = batch_.Store(record_);
  }

  std::optional<Refused> DecodeElement(EdgePlace at, std::optional<Operation> operation) {
    format().SelectElement(at.element);
    decoder_.Select(at.edge);
    if (decoder_.has_several_) several_.at = at;
    auto refused = DecodeEdge(operation);
    if (!refused || !decoder_.has_several_) return refused;
    return several_.NoteRefused(*std::move(refused), at, format().NameOf(at.element, at.edge));
  }

  // The wanted edges of the current line. Returns why no line of the record is used, if that is so.
  std::optional<Refused> DecodeLine(const RecordLines& lines) {
    const auto line = static_cast<std::uint32_t>(lines.number());
    if (wanted_ && !std::ranges::binary_search(*wanted_, line, {}, &EdgePlace::element)) {
      return std::nullopt;
    }
    auto unread = format().ReadRecord(lines.line(), place_);
    if (!unread) {
      decoder_.ReadBeside(place_.envelope);
      const auto verdict =
          decoder_.filters_.where ? decoder_.JudgeRecord(place_) : RecordFilter::Verdict::kPasses;
      if (verdict == RecordFilter::Verdict::kFiltered) {
        NoteSkipped();
        return std::nullopt;
      }
      if (verdict == RecordFilter::Verdict::kFails) unread = decoder_.filters_.where->WhyRefused();
      if (decoder_.filters_.windows && !unread) decoder_.JudgeForWindows(place_);
    }
    for (EdgePlace at{line, 0}; at.edge < edges(); ++at.edge) {
      if (wanted_ && !std::ranges::binary_search(*wanted_, at)) continue;
      std::optional<Refused> refused = unread;
      decoder_.Select(at.edge);
      if (unread) {
        ++several_.edges;
      } else {
        several_.at = at;
        refused = DecodeEdge({});
      }
      if (!refused) continue;
      const std::string name = unread ? "" : format().NameOf(0, at.edge);
      auto whole = several_.NoteRefused(*std::move(refused), at, lines.Name() + name);
      if (whole) return whole;
    }
    return std::nullopt;
  }

  // The edges of one row of the change.
  std::optional<Refused> DecodeRow(ChangedRow row) {
    if (!format().SelectRow(row)) return std::nullopt;
    decoder_.ReadBeside(place_.envelope);
    if (decoder_.filters_.where) {
      const RecordFilter::Verdict verdict = decoder_.JudgeRecord(place_);
      if (verdict == RecordFilter::Verdict::kFails) return decoder_.filters_.where->WhyRefused();
      if (verdict == RecordFilter::Verdict::kFiltered) return format().WhyUndecided(row, record_);
    }
    if (auto refused = format().WhyLacking(row)) return refused;
    const bool ends = row == ChangedRow::kBefore;
    if (decoder_.filters_.windows && !ends) decoder_.JudgeForWindows(place_);
    const auto operation = ends ? std::optional(Operation::kRemove) : std::nullopt;
    for (std::size_t edge = 0; edge < edges(); ++edge) {
      decoder_.Select(edge);
      auto refused = DecodeEdge(operation);
      if (!refused) continue;
      if (decoder_.has_several_) refused->detail = format().NameOf(0, edge) + refused->detail;
      return refused;
    }
    return std::nullopt;
  }

  // The selected edge.
  std::optional<Refused> DecodeEdge(std::optional<Operation> operation) {
    EdgeFields fields;
    if (operation) {
      fields.operation = *operation;
    } else if (auto refused = format().ReadOperation(fields)) {
      ++several_.edges;
      return refused;
    }
    if (fields.is_skipped) {
      NoteSkipped();
      return std::nullopt;
    }
    ++several_.edges;
    if (auto refused = decoder_.ReadKeysAndTime(place_, fields)) return refused;
    if (!operation) {
      auto invalid = format().ReadWeight(fields.weight);
      if (invalid && !decoder_.weights().Replace(fields.weight)) return invalid;
      if (invalid) ++several_.counts.replaced_weights;
    }
    EdgeLabels labels;
    if (auto refused = ReadLabels(labels)) return refused;
    Append(fields, labels);
    if (format().TimeIsDoubtful()) ++several_.counts.doubtful_times;
    if (batch_.events().size() - several_.first <= kMostEdgesOfARecord) return std::nullopt;
    return RefusedForEdges();
  }

  std::optional<Refused> ReadLabels(EdgeLabels& labels) {
    const auto& rule = decoder_.rule_;
    labels.type = rule->type_word;
    if (rule->type) {
      auto refused = format().ReadLabel(MappedField::kType, *rule->type, labels.type);
      if (refused) return refused;
      if (labels.type.size() > kMostTypeBytes) {
        return RefusedForType(format().Label(MappedField::kType), labels.type);
      }
    }
    return rule->id ? format().ReadLabel(MappedField::kId, *rule->id, labels.id) : std::nullopt;
  }

  void Append(const EdgeFields& fields, const EdgeLabels& labels) {
    const std::size_t first = batch_.events().size();
    const auto& rule = *decoder_.rule_;
    AppendEvent(fields, decoder_.keys_, record_, payload_, place_, first > several_.first, batch_);
    if (rule.both_directions && HasWayBack(fields, decoder_.keys_)) AppendWayBack(batch_);
    if (!labels.type.empty()) {
      batch_.NoteType(first, StoreText(labels.type, record_, payload_, batch_));
    }
    if (!labels.id.empty()) {
      const auto edge = static_cast<std::uint64_t>(&rule - decoder_.rules_.data());
      batch_.NoteId(first, EdgeIdOf(labels.id, decoder_.number_ << 32 | edge));
    }
    if (several_.at) batch_.NotePlace(first, *several_.at);
    if (!decoder_.filters_.windows) return;
    const FilterBits of_type = decoder_.filters_.windows->PassesOf(labels.type);
    batch_.NotePasses(first, decoder_.passes_ & of_type,
                      labels.type.empty() ? kPassesAll : of_type);
  }

  // An edge or a line of the record is left out.
  void NoteSkipped() {
    EventTime time = place_.time;
    if (decoder_.time_from_field_ && format().ReadTime(time)) return;
    several_.skipped = std::max(several_.skipped, std::optional(time));
  }

  // What becomes of the record, after all its edges.
  std::optional<Refused> Finish(std::optional<Refused> whole, std::size_t elements) {
    decoder_.Select(0);
    const bool none = batch_.events().size() == several_.first;
    if (whole || none) batch_.DropAfter(several_.first, text_bytes_);
    if (whole) return whole;
    decoder_.CountReplacedWeights(several_.counts.replaced_weights);
    decoder_.CountDoubtfulTimes(several_.counts.doubtful_times);
    if (!several_.refused.empty()) return std::move(several_).WhyRefused();
    if (!none) return std::nullopt;
    if (several_.skipped) {
      AppendFiltered(*several_.skipped, place_, batch_);
    } else if (elements == 0) {
      decoder_.TakeFiltered(place_, batch_);
    }
    return std::nullopt;
  }

  EdgeDecoder<Format>& decoder_;
  const std::string_view record_;
  const RecordPlace& place_;
  EventBatch& batch_;
  std::optional<std::vector<EdgePlace>> wanted_{};  // of a record that is sent again
  std::size_t text_bytes_ = 0;                      // of the batch, before the record
  TextRef payload_{};
  SeveralEdges several_{};
};

}  // namespace sash
