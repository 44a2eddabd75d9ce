#include "connectors/codec/csv_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "connectors/codec/csv_columns.h"
#include "connectors/codec/csv_layout.h"
#include "connectors/codec/csv_row.h"
#include "connectors/codec/edge_decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/not_utf8.h"
#include "connectors/codec/null_words.h"
#include "connectors/codec/number_text.h"
#include "connectors/codec/time_reader.h"

namespace sash {
namespace {

class CsvDecoder final : public EdgeDecoder<CsvDecoder>, public LineJudge {
 public:
  // `header`: the names of all columns; empty when columns are numbered.
  // `asked`: the position of each field that filters ask for; not used for fields of the envelope.
  CsvDecoder(const FormatSpec& format, const CsvMapping& mapping, TimeReader time,
             MappedColumns columns, std::vector<std::string> header, RecordFilters filters,
             std::vector<std::size_t> asked, std::unique_ptr<EnvelopeReader> envelope,
             bool tombstones_have_fields)
      : EdgeDecoder(format, {EdgeRule(mapping)}, false, std::move(filters), std::move(envelope),
                    tombstones_have_fields),
        time_(std::move(time)),
        time_rest_(mapping.time_rest),
        layout_(mapping, std::move(columns), std::move(header)),
        asked_(std::move(asked)),
        multiline_(mapping.multiline),
        nulls_(format.nulls),
        row_(mapping.delimiter, mapping.quotes) {}

  LineJudge* line_judge() override { return multiline_ ? nullptr : this; }

  bool MayHoldLineBreak(std::size_t field) const override { return !layout_.IsMapped(field); }
  bool IsRow(std::string_view line) override {
    if (layout_.IsComment(line)) return false;
    if (line.size() > kMaxRecordBytes || !simdjson::validate_utf8(line.data(), line.size())) {
      return false;
    }
    if (row_.Split(line)) row_.SplitPlain(line);
    constexpr RecordEnvelope kOfFiles{.topic = "replay"};
    ReadBeside(&kOfFiles);
    EdgeFields fields;
    return !layout_.CheckSize(row_.fields()) && !layout_.IsHeader(row_.fields()) &&
           !ReadOperation(fields) && !ReadKeysAndTime(RecordPlace{}, fields) &&
           (!ReadWeight(fields.weight) || weights().Replace(fields.weight));
  }
  bool DecidesByOneLine() const override { return keys_ == KeyKind::kInteger || time_from_field_; }

  std::string TimeAsWritten() override {
    if (!time_from_field_) return "";
    return time_rest_.more.empty() ? std::string(Value(MappedField::kTime)) : joined_time_;
  }

 private:
  friend EdgeDecoder;
  friend EdgesOfRecord<CsvDecoder>;

  std::optional<Refused> ReadRecord(std::string_view record, const RecordPlace&) {
    if (layout_.IsComment(record)) return layout_.RefusedForComment();
    if (auto refused = Split(record)) return layout_.WithHint(*std::move(refused), record);
    if (auto refused = layout_.CheckSize(row_.fields())) {
      return layout_.WithHint(*std::move(refused), record);
    }
    if (!layout_.IsHeader(row_.fields())) return std::nullopt;
    return Refused{RefusalReason::kInvalidSyntax, "the row is the header again, not an edge"};
  }
  std::optional<Refused> ReadTombstoneKey(std::string_view key, const RecordPlace&) {
    return Split(key);
  }
  std::optional<Refused> ReadNoKey(const RecordPlace&) {
    static_cast<void>(row_.Split({}));  // forgets the earlier record
    return std::nullopt;
  }
  void TakeEnvelope(std::span<const EnvelopeReader::Found> found) {
    beside_.fill({});
    for (const EnvelopeReader::Found& each : found) beside_[each.number] = each.element.text;
  }
  FilterValue FieldOf(std::size_t number, const FilterField&) const {
    const std::size_t position = asked_[number];
    if (position >= row_.fields().size()) return FilterValue::Null();
    const std::string_view text = row_.fields()[position];
    return text.empty() || nulls_.Holds(text) ? FilterValue::Null() : FilterValue::Text(text);
  }
  void NoteAccepted() { layout_.NoteAccepted(row_.fields()); }
  // A row gives one edge, or the same edge in both directions.
  static std::optional<Refused> CountElements(std::size_t&) { return std::nullopt; }
  static void SelectElement(std::size_t) {}
  static void SelectEdge(std::size_t) {}
  static std::string NameOf(std::size_t, std::size_t) { return ""; }

  std::optional<Refused> Split(std::string_view record) {
    if (auto refused = RefusedForSize(record.size())) return refused;
    if (!simdjson::validate_utf8(record.data(), record.size())) {
      return NotUtf8("the row", record);
    }
    if (auto why = row_.Split(record)) {
      return Refused{RefusalReason::kInvalidSyntax, *std::move(why)};
    }
    return std::nullopt;
  }

  // The text of a field. Empty when the column is not mapped, or missing in a tombstone's key or
  // beside the row.
  std::string_view Text(MappedField field) const {
    const auto number = static_cast<std::size_t>(field);
    const auto& column = layout_.column(field);
    if (!column) return {};
    if (column->position >= row_.fields().size()) return beside_[number];
    return row_.fields()[column->position];
  }
  // The text of a field, as Text(); empty also when it is among the nulls.
  [[gnu::always_inline]] std::string_view Value(MappedField field) const {
    const std::string_view text = Text(field);
    return nulls_.Holds(text) ? std::string_view() : text;
  }
  const std::string& Label(MappedField field) const { return layout_.column(field)->label; }
  Refused Wrong(RefusalReason reason, MappedField field, std::string_view why) const {
    return {reason, fmt::format("{}: {} {}", Label(field), Excerpt(Text(field)), why)};
  }

  // Why the field has no Value().
  Refused Absent(MappedField field, RefusalReason when_empty) const {
    const auto position = layout_.column(field)->position;
    if (position == kBeside && Text(field).data() == nullptr) {
      return {RefusalReason::kMissingField,
              fmt::format("{} is missing or null{}", Label(field), kWhenAbsent)};
    }
    if (position >= row_.fields().size() && position != kBeside) {
      return {RefusalReason::kMissingField, fmt::format("there is no {}", Label(field))};
    }
    if (Text(field).empty()) {
      return {when_empty, fmt::format("{} is empty{}", Label(field), kWhenAbsent)};
    }
    return Wrong(RefusalReason::kMissingField, field, NullWords::kWhy);
  }

  [[gnu::always_inline]] std::optional<Refused> ReadKey(MappedField field, DecodedKey& key) {
    KeyBuilder& builder = BuilderOf(field);
    if (!builder.is_plain()) {
      if (auto refused = BuildKey(field, builder)) return refused;
      key.text = builder.key();
    } else {
      key.text = Value(field);
      if (key.text.empty()) return Absent(field, RefusalReason::kEmptyKey);
    }
    if (keys_ == KeyKind::kString) return std::nullopt;
    const Result<std::int64_t> parsed = ParseInteger(key.text);
    if (!parsed.ok()) {
      return Wrong(RefusalReason::kInvalidKey, field,
                   parsed.error().message + std::string(kWhenNoInteger));
    }
    key.integer = parsed.value();
    return std::nullopt;
  }

  [[gnu::noinline]] std::optional<Refused> BuildKey(MappedField whole, KeyBuilder& builder) const {
    builder.Begin();
    for (std::size_t part = 0; part < builder.parts(); ++part) {
      const MappedField field = PartOf(whole, part);
      const std::string_view text = Value(field);
      if (text.empty()) return Absent(field, RefusalReason::kEmptyKey);
      if (!builder.Add(text)) return Wrong(RefusalReason::kEmptyKey, field, "has only blanks");
    }
    return std::nullopt;
  }

  std::optional<Refused> ReadLabel(MappedField whole, KeyBuilder& builder,
                                   std::string_view& label) const {
    builder.Begin();
    for (std::size_t part = 0; part < builder.parts(); ++part) {
      const std::string_view text = Value(PartOf(whole, part));
      if (text.empty() || !builder.Add(text)) return std::nullopt;
    }
    label = builder.is_plain() ? Value(whole) : builder.key();
    return std::nullopt;
  }

  std::optional<Refused> ReadOperation(EdgeFields& fields) const {
    if (!layout_.column(MappedField::kOperation)) return std::nullopt;
    const std::string_view text = Value(MappedField::kOperation);
    fields.is_skipped = operations().Skips(text);
    if (fields.is_skipped) return std::nullopt;
    const auto parsed = operations().Read(text);
    if (!parsed) {
      return Wrong(RefusalReason::kUnknownOperation, MappedField::kOperation,
                   "is not an operation; " + operations().Expected());
    }
    fields.operation = *parsed;
    return std::nullopt;
  }

  std::optional<Refused> ReadWeight(Weight& weight) {
    const std::string_view text = Value(MappedField::kWeight);
    if (text.empty()) return std::nullopt;
    const Result<Weight> parsed = weights().Read(text);
    if (!parsed.ok()) {
      return Wrong(RefusalReason::kInvalidWeight, MappedField::kWeight, parsed.error().message);
    }
    weight = parsed.value();
    return std::nullopt;
  }

  std::optional<Refused> ReadTime(EventTime& time) {
    std::string_view text = Value(MappedField::kTime);
    if (text.empty()) return Absent(MappedField::kTime, RefusalReason::kMissingField);
    if (!time_rest_.more.empty()) {
      if (auto refused = JoinTime()) return refused;
      text = joined_time_;
    }
    const Result<EventTime> parsed = time_.FromText(text);
    if (!parsed.ok()) {
      std::string label = Label(MappedField::kTime);
      for (std::size_t i = 1; i <= time_rest_.more.size(); ++i)
        label += " + " + Label(PartOf(MappedField::kTime, i));
      return Refused{RefusalReason::kInvalidTime,
                     fmt::format("{}: {} {}", label, Excerpt(text), parsed.error().message)};
    }
    time = parsed.value();
    return std::nullopt;
  }
  std::optional<Refused> JoinTime() {
    joined_time_ = Text(MappedField::kTime);
    for (std::size_t i = 1; i <= time_rest_.more.size(); ++i) {
      const MappedField field = PartOf(MappedField::kTime, i);
      const std::string_view part = Value(field);
      if (part.empty()) return Absent(field, RefusalReason::kMissingField);
      joined_time_ += time_rest_.separator;
      joined_time_ += part;
    }
    return std::nullopt;
  }
  bool TimeIsDoubtful() const { return time_.doubtful(); }

  TimeReader time_;
  const JoinedFields<CsvColumn> time_rest_;
  std::string joined_time_;
  CsvLayout layout_;
  const std::vector<std::size_t> asked_;
  const bool multiline_;
  const NullWords nulls_;
  CsvRow row_;
  std::array<std::string_view, kMappedFields> beside_{};  // the fields of the envelope
};

}  // namespace

Result<std::unique_ptr<Decoder>> MakeCsvDecoder(const FormatSpec& format, const CsvMapping& mapping,
                                                std::string_view header, TimeReader time) {
  if (std::string_view("\"\r\n").find(mapping.delimiter) != std::string_view::npos) {
    return Error{ErrorCode::kInvalidArgument,
                 "the delimiter can be neither a quote nor a line break"};
  }
  ColumnFinder finder(mapping, header);
  Status added = Ok{};
  bool tombstones_have_fields = false;
  ForEachField(mapping, [&](MappedField field, const CsvColumn& column) {
    if (!added.ok()) return;
    added = finder.Add(field, column);
    if (std::holds_alternative<EnvelopeName>(column)) return;
    tombstones_have_fields = tombstones_have_fields || IsInTombstones(field, format);
  });
  if (!added.ok()) return std::move(added).error();
  Result<RecordFilters> filters = RecordFilters::Make(format);
  if (!filters.ok()) return std::move(filters).error();
  Result<std::vector<std::size_t>> asked = finder.PositionsOf(filters.value().asked());
  if (!asked.ok()) return std::move(asked).error().Within("where");
  std::vector<std::string> names = finder.header();
  auto envelope = EnvelopeReader::Make(std::move(finder).beside());
  if (!envelope.ok()) return std::move(envelope).error();
  return std::unique_ptr<Decoder>(std::make_unique<CsvDecoder>(
      format, mapping, std::move(time), std::move(finder).columns(), std::move(names),
      std::move(filters).value(), std::move(asked).value(), std::move(envelope).value(),
      tombstones_have_fields));
}

}  // namespace sash
