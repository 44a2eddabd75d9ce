#include "connectors/codec/csv_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/delimiter_guess.h"
#include "connectors/codec/edge_decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/envelope_field.h"
#include "connectors/codec/null_words.h"
#include "connectors/codec/number_text.h"
#include "connectors/codec/time_reader.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

// The position of fields that are beside the row. No row has so many fields.
constexpr std::size_t kBeside = std::numeric_limits<std::size_t>::max();

struct MappedColumn {
  std::size_t position = 0;  // from 0, or kBeside
  std::string label;         // for messages
};
using MappedColumns = std::array<std::optional<MappedColumn>, kMappedFields>;

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
        columns_(std::move(columns)),
        needed_(Needed(columns_)),
        asked_(std::move(asked)),
        multiline_(mapping.multiline),
        delimiter_(mapping.delimiter),
        quotes_(mapping.quotes),
        comment_(mapping.comment),
        nulls_(format.nulls),
        header_(std::move(header)),
        row_(mapping.delimiter, mapping.quotes) {
    if (!header_.empty()) row_size_ = header_.size();
    if (!header_.empty()) named_ = NamedColumn();
  }

  LineJudge* line_judge() override { return multiline_ ? nullptr : this; }

  bool MayHoldLineBreak(std::size_t field) const override {
    return std::ranges::none_of(
        columns_, [field](const auto& column) { return column && column->position == field; });
  }
  bool IsRow(std::string_view line) override {
    if (IsComment(line)) return false;
    if (line.size() > kMaxRecordBytes || !simdjson::validate_utf8(line.data(), line.size())) {
      return false;
    }
    if (row_.Split(line)) row_.SplitPlain(line);
    constexpr RecordEnvelope kOfFiles{.topic = "replay"};
    ReadBeside(&kOfFiles);
    EdgeFields fields;
    return !CheckRowSize() && !IsHeader() && !ReadOperation(fields) &&
           !ReadKeysAndTime(RecordPlace{}, fields) &&
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
    if (IsComment(record)) {
      return Refused{RefusalReason::kInvalidSyntax,
                     fmt::format("the record begins with {}, like a comment "
                                 "(source.format.csv.comment), so it is not an edge",
                                 Excerpt(comment_))};
    }
    if (auto refused = Split(record)) return WithHint(*std::move(refused), record);
    if (auto refused = CheckRowSize()) return WithHint(*std::move(refused), record);
    if (!IsHeader()) return std::nullopt;
    return Refused{RefusalReason::kInvalidSyntax, "the row is the header again, not an edge"};
  }
  std::optional<Refused> ReadTombstoneKey(std::string_view key, const RecordPlace&) {
    return Split(key);
  }
  std::optional<Refused> ReadNoKey(const RecordPlace&) {
    static_cast<void>(row_.Split({}));  // no field of the record before
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
  void NoteAccepted() { row_size_ = row_.fields().size(); }
  // A row gives one edge, or the same edge in both directions.
  static std::optional<Refused> CountElements(std::size_t&) { return std::nullopt; }
  static void SelectElement(std::size_t) {}
  static void SelectEdge(std::size_t) {}
  static std::string NameOf(std::size_t, std::size_t) { return ""; }

  std::optional<Refused> Split(std::string_view record) {
    if (auto refused = RefusedForSize(record.size())) return refused;
    if (!simdjson::validate_utf8(record.data(), record.size())) {
      return Refused{RefusalReason::kInvalidUtf8, "the row is not UTF-8"};
    }
    if (auto why = row_.Split(record)) {
      return Refused{RefusalReason::kInvalidSyntax, *std::move(why)};
    }
    return std::nullopt;
  }

  std::optional<Refused> CheckRowSize() const {
    const std::size_t size = row_.fields().size();
    if (row_size_ && size != *row_size_) {
      return Refused{RefusalReason::kInvalidSyntax,
                     fmt::format("the row has {} fields where {} are expected", size, *row_size_)};
    }
    if (size >= needed_) return std::nullopt;
    for (const auto& column : columns_) {
      if (column && column->position >= size && column->position != kBeside) {
        return Refused{
            RefusalReason::kInvalidSyntax,
            fmt::format("the row has {} fields, so there is no {}", size, column->label)};
      }
    }
    return std::nullopt;
  }

  // Adds the delimiter with which a row would have the right number of fields, if there is one.
  Refused WithHint(Refused refused, std::string_view record) const {
    if (refused.reason != RefusalReason::kInvalidSyntax) return refused;
    const auto fits = [&](const auto& fields, char other) {
      if (row_size_) return fields.size() == *row_size_;
      const bool is_blank = other == ' ' || other == kBlanks;
      return is_blank ? fields.size() == needed_ : fields.size() >= needed_;  // prose has blanks
    };
    refused.detail += DelimiterHint(record, delimiter_, quotes_, fits);
    return refused;
  }

  // The number of fields that a row must have for the mapped ones.
  static std::size_t Needed(const MappedColumns& columns) {
    std::size_t needed = 0;
    for (const auto& column : columns) {
      if (column && column->position != kBeside) needed = std::max(needed, column->position + 1);
    }
    return needed;
  }

  bool IsComment(std::string_view record) const {
    return !comment_.empty() && record.starts_with(comment_);
  }

  // Whether the row repeats the header, as in concatenated files. Each of those files may begin
  // with a byte order mark.
  bool IsHeader() const {
    if (header_.empty() || row_.fields()[named_] != header_[named_]) return false;
    std::vector<std::string_view> fields = row_.fields();
    if (fields[0].starts_with(kByteOrderMark)) fields[0].remove_prefix(kByteOrderMark.size());
    return std::ranges::equal(fields, header_);
  }
  // A mapped column: that of the target, if it is one. Others may hold the same in many rows.
  std::size_t NamedColumn() const {
    std::size_t named = columns_[static_cast<std::size_t>(MappedField::kTarget)]->position;
    for (const auto& column : columns_) {
      if (named == kBeside && column) named = column->position;
    }
    return named;
  }

  // Empty when the column is not mapped, or missing in a tombstone's key or beside the row.
  std::string_view Text(MappedField field) const {
    const auto number = static_cast<std::size_t>(field);
    const auto& column = columns_[number];
    if (!column) return {};
    if (column->position >= row_.fields().size()) return beside_[number];
    return row_.fields()[column->position];
  }
  // Empty also when the text is among the nulls.
  [[gnu::always_inline]] std::string_view Value(MappedField field) const {
    const std::string_view text = Text(field);
    return nulls_.Holds(text) ? std::string_view() : text;
  }
  const std::string& Label(MappedField field) const {
    return columns_[static_cast<std::size_t>(field)]->label;
  }
  Refused Wrong(RefusalReason reason, MappedField field, std::string_view why) const {
    return {reason, fmt::format("{}: {} {}", Label(field), Excerpt(Text(field)), why)};
  }

  // Why the field has no Value().
  Refused Absent(MappedField field, RefusalReason when_empty) const {
    const auto position = columns_[static_cast<std::size_t>(field)]->position;
    if (position == kBeside && Text(field).data() == nullptr) {
      return {RefusalReason::kMissingField, fmt::format("{} is missing or null", Label(field))};
    }
    if (position >= row_.fields().size() && position != kBeside) {
      return {RefusalReason::kMissingField, fmt::format("there is no {}", Label(field))};
    }
    if (Text(field).empty()) return {when_empty, fmt::format("{} is empty", Label(field))};
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
    if (!parsed.ok()) return Wrong(RefusalReason::kInvalidKey, field, parsed.error().message);
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
    if (!columns_[static_cast<std::size_t>(MappedField::kOperation)]) return std::nullopt;
    const std::string_view text = Value(MappedField::kOperation);
    fields.is_skipped = operations().Skips(text);
    if (fields.is_skipped) return std::nullopt;
    const auto parsed = operations().Read(text);
    if (!parsed) {
      return Wrong(RefusalReason::kUnknownOperation, MappedField::kOperation,
                   operations().has_own_words() ? "is none of its words; " + operations().Expected()
                                                : "is not add, remove or remove_vertex");
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
  const MappedColumns columns_;
  const std::size_t needed_;
  const std::vector<std::size_t> asked_;
  const bool multiline_;
  const char delimiter_;
  const bool quotes_;
  const std::string comment_;
  const NullWords nulls_;
  const std::vector<std::string> header_;
  std::size_t named_ = 0;  // with a header: the position of a mapped column
  CsvRow row_;
  std::optional<std::size_t> row_size_;  // the number of fields per row, once it is known
  std::array<std::string_view, kMappedFields> beside_{};  // the fields of the envelope
};

Error Invalid(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

std::string Listed(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  return list;
}

// Finds the columns of a mapping; named columns are looked up in the header.
class ColumnFinder {
 public:
  ColumnFinder(const CsvMapping& mapping, std::string_view header)
      : mapping_(mapping), header_(mapping.delimiter, mapping.quotes), text_(header) {}

  Status Add(MappedField field, const CsvColumn& column) {
    if (const auto* beside = std::get_if<EnvelopeName>(&column)) return AddBeside(field, *beside);
    if (const auto* number = std::get_if<std::uint32_t>(&column)) {
      has_numbers_ = true;
      if (*number == 0) return Invalid("columns are numbered from 1");
      columns_[static_cast<std::size_t>(field)] = {
          *number - 1, fmt::format("{} (column {})", Name(field), *number)};
    } else if (auto found = Find(std::get<std::string>(column)); found.ok()) {
      has_names_ = true;
      columns_[static_cast<std::size_t>(field)] = {
          found.value(),
          fmt::format("{} (column \"{}\")", Name(field), std::get<std::string>(column))};
    } else {
      return std::move(found).error();
    }
    if (has_numbers_ && has_names_) return Invalid("columns must all be names or all be numbers");
    return Ok{};
  }

  // The fields beside the row.
  std::vector<EnvelopeReader::Asked> beside() && { return std::move(beside_); }

  // The position of each field that filters ask for, which need not be a column.
  Result<std::vector<std::size_t>> PositionsOf(const std::vector<FilterField>& fields) {
    std::vector<std::size_t> positions;
    for (const FilterField& field : fields) {
      positions.push_back(field.number == 0 ? 0 : field.number - std::size_t{1});
      if (field.from != FilterField::From::kColumnName) continue;
      Result<std::size_t> found = Find(field.name);
      if (!found.ok()) return std::move(found).error();
      positions.back() = found.value();
    }
    return positions;
  }

  // The names of all columns; empty when columns are numbered.
  std::vector<std::string> header() const {
    if (!has_names_) return {};
    return {header_.fields().begin(), header_.fields().end()};
  }
  MappedColumns columns() && { return std::move(columns_); }

 private:
  Status AddBeside(MappedField field, const EnvelopeName& name) {
    Result<EnvelopeField> from = ParseEnvelopeField(name.text);
    if (!from.ok()) return std::move(from).error().Within(Name(field));
    if (from.value().pointer) {
      return Invalid(
          fmt::format("{}: `{}` is a field of JSON, which is not read beside rows of "
                      "CSV; give $key, or json in place of csv",
                      Name(field), name.text));
    }
    columns_[static_cast<std::size_t>(field)] = {kBeside,
                                                 fmt::format("{} {}", Name(field), name.text)};
    beside_.push_back(
        {static_cast<std::size_t>(field), std::string(Name(field)), std::move(from).value()});
    return Ok{};
  }

  Result<std::size_t> Find(const std::string& name) {
    if (text_.empty()) return Invalid(fmt::format("column \"{}\": there is no header row", name));
    if (!simdjson::validate_utf8(text_.data(), text_.size())) {
      return Invalid("the header row is not UTF-8");
    }
    if (const auto why = header_.Split(text_)) {
      return Invalid(fmt::format("the header row is broken: {}{}", *why, Hint()));
    }
    const auto& names = header_.fields();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      return Invalid(fmt::format("column \"{}\" is not in the header, which has: {}{}", name,
                                 Listed(names), Hint()));
    }
    if (std::find(found + 1, names.end(), name) != names.end()) {
      return Invalid(fmt::format("column \"{}\" is in the header twice: {}", name, Listed(names)));
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  // Suggests the delimiter with which the header has every mapped column.
  std::string Hint() const {
    const auto fits = [this](const auto& names, char) {
      const auto is_there = [&names](const CsvColumn& column) {
        if (std::holds_alternative<EnvelopeName>(column)) return true;
        const auto* const name = std::get_if<std::string>(&column);
        return name != nullptr && std::ranges::find(names, *name) != names.end();
      };
      const auto may_be_used = [&](const auto& column) { return !column || is_there(*column); };
      return is_there(mapping_.source) && is_there(mapping_.target) &&
             may_be_used(mapping_.weight) && may_be_used(mapping_.time) &&
             may_be_used(mapping_.operation) && may_be_used(mapping_.type) &&
             may_be_used(mapping_.id) && std::ranges::all_of(mapping_.time_rest.more, is_there) &&
             std::ranges::all_of(mapping_.source_parts.rest.more, is_there) &&
             std::ranges::all_of(mapping_.target_parts.rest.more, is_there) &&
             std::ranges::all_of(mapping_.type_parts.rest.more, is_there) &&
             std::ranges::all_of(mapping_.id_parts.rest.more, is_there);
    };
    return DelimiterHint(text_, mapping_.delimiter, mapping_.quotes, fits);
  }

  const CsvMapping& mapping_;
  CsvRow header_;
  const std::string_view text_;
  MappedColumns columns_;
  std::vector<EnvelopeReader::Asked> beside_;
  bool has_names_ = false;
  bool has_numbers_ = false;
};

}  // namespace

Result<std::unique_ptr<Decoder>> MakeCsvDecoder(const FormatSpec& format, const CsvMapping& mapping,
                                                std::string_view header, TimeReader time) {
  if (std::string_view("\"\r\n").find(mapping.delimiter) != std::string_view::npos) {
    return Invalid("the delimiter can be neither a quote nor a line break");
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
