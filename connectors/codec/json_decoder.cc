#include "connectors/codec/json_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "connectors/codec/avro/avro_records.h"
#include "connectors/codec/debezium_reader.h"
#include "connectors/codec/edge_decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_frames.h"
#include "connectors/codec/json_plan.h"
#include "connectors/codec/json_scanner.h"
#include "connectors/codec/json_unwrapper.h"
#include "connectors/codec/null_words.h"
#include "connectors/codec/number_text.h"
#include "connectors/codec/scan_json.h"
#include "connectors/codec/schema_frame.h"
#include "connectors/codec/time_reader.h"

namespace sash {
namespace {

using Kind = JsonElement::Kind;

std::optional<std::int64_t> IntegerOf(const JsonElement& element) {
  if (element.kind != Kind::kInteger) return std::nullopt;
  if (element.is_short) return element.integer;
  const Result<std::int64_t> parsed = ParseInteger(element.text);
  if (!parsed.ok()) return std::nullopt;
  return parsed.value();
}

bool IsNumber(const JsonElement& element) {
  return element.kind == Kind::kInteger || element.kind == Kind::kReal;
}

// Whether a number fits neither a 64-bit integer, signed or unsigned, nor a double.
bool IsWide(const JsonElement& number) {
  if (number.kind == Kind::kReal) return !ParseReal(number.text).ok();
  const char* const end = number.text.data() + number.text.size();
  std::uint64_t value = 0;
  return !IntegerOf(number) && std::from_chars(number.text.data(), end, value).ec != std::errc();
}

std::string_view TypeName(const JsonElement& element) {
  if (IsNumber(element) && IsWide(element)) return "a number";
  switch (element.kind) {
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
    case Kind::kInteger:
      return "an integer";
    case Kind::kReal:
      return "a number with a fraction or an exponent";
    case Kind::kString:
      return "a string";
    case Kind::kBoolean:
      return "a boolean";
    case Kind::kBytes:
      return "bytes that are not UTF-8";
  }
  return "something else";
}

// The time that an integer counts, by its format.
Result<EventTime> TimeOf(std::int64_t integer, JsonElement::Count counts) {
  switch (counts) {
    case JsonElement::Count::kDays:
      return TimeFromSteps(integer, {.step = std::chrono::hours(24), .base = {}});
    case JsonElement::Count::kMicroseconds:
      return TimeFromInteger(integer, TimeUnit::kMicroseconds);
    case JsonElement::Count::kNanoseconds:
      return TimeFromInteger(integer, TimeUnit::kNanoseconds);
    default:
      return TimeFromInteger(integer, TimeUnit::kMilliseconds);
  }
}

JsonScanner ScannerOf(JsonPlan& plan) {
  if (!plan.array) return JsonScanner(std::move(plan.of_record));
  return JsonScanner(std::move(plan.of_record), std::move(plan.each));
}

class JsonDecoder final : public EdgeDecoder<JsonDecoder> {
 public:
  JsonDecoder(const FormatSpec& format, std::vector<EdgeRule> rules, TimeReader time, JsonPlan plan,
              RecordFilters filters, std::unique_ptr<EnvelopeReader> envelope,
              std::unique_ptr<JsonUnwrapper> unwrapper, std::unique_ptr<DebeziumReader> changes,
              std::unique_ptr<AvroRecords> avro, std::unique_ptr<JsonFrames> frames)
      : EdgeDecoder(format, std::move(rules), plan.array.has_value() || plan.has_lines,
                    std::move(filters), std::move(envelope), plan.tombstones_have_fields),
        time_(std::move(time)),
        edges_(std::move(plan.edges)),
        edge_(edges_.data()),
        array_(plan.array),
        first_asked_(plan.first_asked),
        nulls_(format.nulls),
        unwrapper_(std::move(unwrapper)),
        changes_(std::move(changes)),
        has_lines_(plan.has_lines),
        is_one_content_(changes_ == nullptr && !has_lines_),
        avro_(std::move(avro)),
        frames_(std::move(frames)),
        scanner_(ScannerOf(plan)) {}

  std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                EventBatch& batch) override {
    if (is_one_content_) return EdgeDecoder::Decode(record, place, batch);
    if (has_lines_) return DecodeLines(record, place, batch);
    if (auto refused = RefusedForSize(record.size())) return refused;
    std::string_view content = record;
    if (frames_ != nullptr) {
      if (auto refused = frames_->TakeOff(content, "the record")) return refused;
    }
    if (auto refused = changes_->Read(content)) return refused;
    if (changes_->change() == DebeziumReader::Change::kTruncate) CountTruncation();
    changes_->LoadEvent(scanner_);  // if there are no rows, it may have the time
    ReadBeside(place.envelope);
    return DecodeChange(record, place, batch);
  }

  EnvelopeNeeds needs() const override {
    EnvelopeNeeds needs = EdgeDecoder::needs();
    if (unwrapper_ != nullptr) needs |= unwrapper_->needs();
    return needs;
  }

  std::string TimeAsWritten() override {
    if (!time_from_field_) return "";
    if (edge_->time_parts > 1) return joined_time_;
    const JsonElement* const element = Element(MappedField::kTime);
    if (element == nullptr) return "";
    const bool is_string = element->kind == Kind::kString;
    return std::string(is_string ? TextOf(MappedField::kTime, *element) : element->text);
  }

 private:
  friend EdgeDecoder;
  friend EdgesOfRecord<JsonDecoder>;

  std::optional<Refused> ReadRecord(std::string_view record, const RecordPlace& place) {
    if (avro_ != nullptr) return avro_->Read(record, "the record", scanner_);
    if (frames_ != nullptr) {
      if (auto refused = frames_->TakeOff(record, "the record")) return refused;
    }
    if (unwrapper_ == nullptr) return Find(record);
    if (auto refused = RefusedForSize(record.size())) return refused;
    return unwrapper_->Read(record, place.envelope, scanner_);
  }
  std::optional<Refused> ReadTombstoneKey(std::string_view key, const RecordPlace& place) {
    if (avro_ != nullptr) return avro_->Read(key, "the key of the record", scanner_);
    if (frames_ != nullptr) {
      if (auto refused = frames_->TakeOff(key, "the key of the record")) return refused;
    }
    if (unwrapper_ == nullptr) return Find(key);
    if (auto refused = RefusedForSize(key.size())) return refused;
    return unwrapper_->ReadKey(key, place.envelope, scanner_);
  }
  std::optional<Refused> ReadNoKey(const RecordPlace& place) {
    scanner_.Forget();
    if (unwrapper_ == nullptr) return std::nullopt;
    return unwrapper_->PutHeaders(place.envelope, scanner_);
  }
  void TakeEnvelope(std::span<const EnvelopeReader::Found> found) {
    for (const EnvelopeReader::Found& each : found) scanner_.Put(each.number, each.element);
  }
  void NoteAccepted() {}

  bool SelectRow(ChangedRow row) { return changes_->Load(row, scanner_); }
  std::optional<Refused> WhyLacking(ChangedRow row) const { return changes_->WhyLacking(row); }
  std::optional<Refused> WhyUndecided(ChangedRow row, std::string_view record) const {
    return changes_->WhyUndecided(row, record.substr(frames_ == nullptr ? 0 : kFrameBytes));
  }

  std::optional<Refused> CountElements(std::size_t& count) {
    if (!array_) return std::nullopt;
    const JsonElement* const found = scanner_.Find(JsonScanner::kEach);
    if (found == nullptr) {
      return Refused{RefusalReason::kMissingField,
                     fmt::format("each {} is missing or null", ArrayName())};
    }
    if (found->kind != Kind::kArray) {
      return Refused{RefusalReason::kWrongType, fmt::format("each {} is {}; it must be an array",
                                                            ArrayName(), TypeName(*found))};
    }
    if (scanner_.has_too_many_elements()) return RefusedForEdges();
    count = scanner_.elements();
    return std::nullopt;
  }
  void SelectElement(std::size_t element) {
    if (array_) scanner_.SelectElement(element);
  }
  void SelectEdge(std::size_t edge) { edge_ = &edges_[edge]; }
  std::string NameOf(std::size_t element, std::size_t edge) const {
    std::string name;
    if (array_) name = fmt::format("element {}/{}", *array_, element);
    if (edges_.size() > 1) name += fmt::format("{}edges[{}]", name.empty() ? "" : ", ", edge);
    return name.empty() ? name : name + ": ";
  }
  std::string ArrayName() const { return array_->empty() ? "\"\"" : *array_; }

  FilterValue FieldOf(std::size_t number, const FilterField&) {
    number += first_asked_;
    const JsonElement* const element = scanner_.Find(number);
    if (element == nullptr) return FilterValue::Null();
    switch (element->kind) {
      case Kind::kString: {
        std::string_view text = element->text;
        if (element->has_escapes) {
          std::string& unescaped = unescaped_[number];
          JsonScanner::Unescape(text, unescaped);
          text = unescaped;
        }
        return nulls_.Holds(text) ? FilterValue::Null() : FilterValue::Text(text);
      }
      case Kind::kInteger:
      case Kind::kReal:
        if (nulls_.Holds(element->text)) return FilterValue::Null();
        if (element->kind == Kind::kReal || !element->is_short) {
          return FilterValue::Numeral(element->text);
        }
        return FilterValue::Integer(element->integer);
      case Kind::kBoolean:
        return FilterValue::Bool(element->is_true);
      case Kind::kObject:
        return FilterValue::Of(FilterValue::Kind::kObject);
      case Kind::kArray:
      case Kind::kBytes:
        break;
    }
    return FilterValue::Of(FilterValue::Kind::kArray);
  }

  // Scans the record; afterwards Element() returns its elements.
  std::optional<Refused> Find(std::string_view record) {
    if (auto refused = RefusedForSize(record.size())) return refused;
    return ScanJson(record, "the record", scanner_);
  }

  std::size_t NumberOf(MappedField field) const {
    return edge_->numbers[static_cast<std::size_t>(field)];
  }
  const JsonElement* Found(MappedField field) const {
    const std::size_t number = NumberOf(field);
    return number == kUnmapped ? nullptr : scanner_.Find(number);
  }
  // Null also when its text is among the nulls.
  [[gnu::always_inline]] const JsonElement* Element(MappedField field) {
    const JsonElement* const element = Found(field);
    return nulls_.empty() || element == nullptr || !IsNull(field, *element) ? element : nullptr;
  }
  [[gnu::noinline]] bool IsNull(MappedField field, const JsonElement& element) {
    if (element.kind == Kind::kString) return nulls_.Holds(TextOf(field, element));
    return IsNumber(element) && nulls_.Holds(element.text);
  }

  // The text of a string, with its escapes decoded.
  std::string_view TextOf(MappedField field, const JsonElement& string) {
    if (!string.has_escapes) return string.text;
    std::string& unescaped = unescaped_[NumberOf(field)];
    JsonScanner::Unescape(string.text, unescaped);
    return unescaped;
  }

  const std::string& Label(MappedField field) const {
    return edge_->labels[static_cast<std::size_t>(field)];
  }
  [[gnu::cold]] Refused Missing(MappedField field) {
    const JsonElement* const element = Found(field);
    if (element != nullptr && IsNull(field, *element)) {
      const std::string_view text =
          element->kind == Kind::kString ? TextOf(field, *element) : element->text;
      return {RefusalReason::kMissingField,
              fmt::format("{}: {} {}", Label(field), Excerpt(text), NullWords::kWhy)};
    }
    return {RefusalReason::kMissingField, fmt::format("{} is missing or null", Label(field))};
  }
  [[gnu::cold]] Refused WrongType(MappedField field, const JsonElement& element,
                                  std::string_view right) const {
    return {RefusalReason::kWrongType,
            fmt::format("{} is {}; {}", Label(field), TypeName(element), right)};
  }

  [[gnu::always_inline]] std::optional<Refused> ReadKey(MappedField field, DecodedKey& key) {
    KeyBuilder& builder = BuilderOf(field);
    if (!builder.is_plain()) return BuildKey(field, builder, key);
    const JsonElement* element = Element(field);
    if (element == nullptr) return Missing(field);
    if (keys_ == KeyKind::kInteger) return ReadIntegerKey(field, *element, key);
    return ReadKeyText(field, *element, key.text);
  }

  [[gnu::noinline]] std::optional<Refused> BuildKey(MappedField whole, KeyBuilder& builder,
                                                    DecodedKey& key) {
    builder.Begin();
    for (std::size_t part = 0; part < builder.parts(); ++part) {
      const MappedField field = PartOf(whole, part);
      const JsonElement* element = Element(field);
      if (element == nullptr) return Missing(field);
      std::string_view text;
      if (auto refused = ReadKeyText(field, *element, text)) return refused;
      if (!builder.Add(text)) {
        return Refused{RefusalReason::kEmptyKey, fmt::format("{} has only blanks", Label(field))};
      }
    }
    key.text = builder.key();
    if (keys_ == KeyKind::kString) return std::nullopt;
    return ReadIntegerText(whole, key.text, key);
  }

  std::optional<Refused> ReadIntegerText(MappedField field, std::string_view text,
                                         DecodedKey& key) const {
    const Result<std::int64_t> integer = ParseInteger(text);
    if (!integer.ok()) {
      return Refused{
          RefusalReason::kInvalidKey,
          fmt::format("{}: {} {}", Label(field), Excerpt(text), integer.error().message)};
    }
    key.integer = integer.value();
    return std::nullopt;
  }

  [[gnu::noinline]] std::optional<Refused> ReadLabel(MappedField whole, KeyBuilder& builder,
                                                     std::string_view& label) {
    builder.Begin();
    for (std::size_t part = 0; part < builder.parts(); ++part) {
      const MappedField field = PartOf(whole, part);
      const JsonElement* const element = Element(field);
      if (element == nullptr) return std::nullopt;
      std::string_view text = element->text == "-0" ? "0" : element->text;
      if (element->kind == Kind::kString) {
        text = TextOf(field, *element);
      } else if (element->kind != Kind::kInteger &&
                 (element->kind != Kind::kReal || whole != MappedField::kId)) {
        return WrongType(field, *element,
                         whole == MappedField::kId ? "ids are strings or numbers"
                                                   : "types are strings or integers");
      }
      if (builder.is_plain()) {
        label = text;
        return std::nullopt;
      }
      if (!builder.Add(text)) return std::nullopt;
    }
    label = builder.key();
    return std::nullopt;
  }

  // An integer is the same key as its text.
  std::optional<Refused> ReadKeyText(MappedField field, const JsonElement& element,
                                     std::string_view& text) {
    if (element.kind == Kind::kInteger) {
      text = element.text == "-0" ? "0" : element.text;
      return std::nullopt;
    }
    if (element.kind != Kind::kString) {
      return WrongType(field, element, "keys must be strings or integers");
    }
    text = TextOf(field, element);
    if (!text.empty()) return std::nullopt;
    return Refused{RefusalReason::kEmptyKey, fmt::format("{} is empty", Label(field))};
  }

  [[gnu::noinline]] std::optional<Refused> ReadIntegerKey(MappedField field,
                                                          const JsonElement& element,
                                                          DecodedKey& key) const {
    if (!IsNumber(element)) {
      const FieldSet texts =
          envelope_texts() | (unwrapper_ == nullptr ? 0 : unwrapper_->attributes());
      const bool is_text = (texts >> NumberOf(field) & 1) != 0;
      if (is_text) return ReadIntegerText(field, element.text, key);
      return WrongType(field, element, "with keys: integer, keys must be JSON integers");
    }
    const std::optional<std::int64_t> integer = IntegerOf(element);
    if (!integer) {
      return Refused{RefusalReason::kInvalidKey,
                     fmt::format("{} is not a 64-bit integer", Label(field))};
    }
    key.integer = *integer;
    return std::nullopt;
  }

  std::optional<Refused> ReadOperation(EdgeFields& fields) {
    const JsonElement* element = Element(MappedField::kOperation);
    if (element == nullptr) return std::nullopt;
    const bool is_word = element->kind == Kind::kString ||
                         (element->kind == Kind::kInteger && operations().has_own_words());
    if (!is_word) {
      return WrongType(MappedField::kOperation, *element, "operations are strings");
    }
    const std::string_view text =
        element->kind == Kind::kString ? TextOf(MappedField::kOperation, *element) : element->text;
    fields.is_skipped = operations().Skips(text);
    if (fields.is_skipped) return std::nullopt;
    const auto parsed = operations().Read(text);
    if (!parsed) {
      return Refused{RefusalReason::kUnknownOperation,
                     fmt::format("{} is {}; {}", Label(MappedField::kOperation), Excerpt(text),
                                 operations().Expected())};
    }
    fields.operation = *parsed;
    return std::nullopt;
  }

  std::optional<Refused> ReadWeight(Weight& weight) {
    const JsonElement* element = Element(MappedField::kWeight);
    if (element == nullptr) return std::nullopt;
    if (element->kind == Kind::kString) {
      const std::string_view text = TextOf(MappedField::kWeight, *element);
      return text.empty() ? std::nullopt : TakeWeight(weights().Read(text), text, weight);
    }
    if (!IsNumber(*element)) {
      return WrongType(MappedField::kWeight, *element, "weights are numbers, also as text");
    }
    if (const auto integer = IntegerOf(*element)) {
      weight = Weight::Integer(*integer);
      return std::nullopt;
    }
    return TakeWeight(ParseWeight(element->text), element->text, weight);
  }
  std::optional<Refused> TakeWeight(const Result<Weight>& parsed, std::string_view text,
                                    Weight& weight) const {
    if (!parsed.ok()) {
      return Refused{RefusalReason::kInvalidWeight,
                     fmt::format("{}: {} {}", Label(MappedField::kWeight), Excerpt(text),
                                 parsed.error().message)};
    }
    weight = parsed.value();
    return std::nullopt;
  }

  std::optional<Refused> ReadTime(EventTime& time) {
    if (edge_->time_parts > 1) return ReadJoinedTime(time);
    const JsonElement* element = Element(MappedField::kTime);
    if (element == nullptr) return Missing(MappedField::kTime);
    const bool is_plain = element->kind == Kind::kInteger && element->is_short &&
                          element->counts == JsonElement::Count::kNothing;
    if (is_plain && time_.reads_numbers()) {
      return TakeTime(time_.FromInteger(element->integer), element->integer, time);
    }
    return ReadTimeOf(*element, time);
  }
  [[gnu::noinline]] std::optional<Refused> ReadTimeOf(const JsonElement& element, EventTime& time) {
    if (element.kind == Kind::kString)
      return ReadTimeText(TextOf(MappedField::kTime, element), time);
    if (element.counts != JsonElement::Count::kNothing) {
      return TakeTime(TimeOf(element.integer, element.counts), element.integer, time);
    }
    if (!time_.reads_numbers()) {
      if (time_.reads_digits() && element.kind == Kind::kInteger) {
        return ReadTimeText(element.text, time);
      }
      return WrongType(MappedField::kTime, element,
                       "its times are strings (for numbers: unit: s, ms, us or ns)");
    }
    if (!IsNumber(element)) {
      return WrongType(MappedField::kTime, element, "times are numbers or strings");
    }
    if (const auto integer = IntegerOf(element)) {
      return TakeTime(time_.FromInteger(*integer), *integer, time);
    }
    const Result<double> real = ParseReal(element.text);
    if (element.kind == Kind::kInteger || !real.ok()) {
      return Refused{RefusalReason::kInvalidTime,
                     fmt::format("{} does not fit a 64-bit integer", Label(MappedField::kTime))};
    }
    return TakeTime(time_.FromReal(real.value()), real.value(), time);
  }

  std::optional<Refused> ReadJoinedTime(EventTime& time) {
    joined_time_.clear();
    for (std::size_t part = 0; part < edge_->time_parts; ++part) {
      const MappedField field = PartOf(MappedField::kTime, part);
      const JsonElement* element = Element(field);
      if (element == nullptr) return Missing(field);
      if (element->kind != Kind::kString && element->kind != Kind::kInteger) {
        return WrongType(field, *element, "joined fields are strings or integers");
      }
      const std::string_view text =
          element->kind == Kind::kString ? TextOf(field, *element) : element->text;
      if (text.empty()) return Missing(field);
      if (part > 0) joined_time_ += edge_->time_separator;
      joined_time_ += text;
    }
    return ReadTimeText(joined_time_, time);
  }

  std::optional<Refused> ReadTimeText(std::string_view text, EventTime& time) {
    if (text.empty()) return Missing(MappedField::kTime);
    const Result<EventTime> parsed = time_.FromText(text);
    return TakeTime(parsed, parsed.ok() ? std::string() : Excerpt(text), time);
  }
  bool TimeIsDoubtful() const { return time_.doubtful(); }

  template <typename Found>
  std::optional<Refused> TakeTime(const Result<EventTime>& parsed, const Found& found,
                                  EventTime& time) const {
    if (!parsed.ok()) {
      return Refused{RefusalReason::kInvalidTime,
                     fmt::format("{}: {} {}", edge_->time_label, found, parsed.error().message)};
    }
    time = parsed.value();
    return std::nullopt;
  }

  TimeReader time_;
  const std::vector<JsonEdge> edges_;
  const JsonEdge* edge_;  // the selected one
  const std::optional<std::string> array_;
  const std::size_t first_asked_;
  const NullWords nulls_;

  const std::unique_ptr<JsonUnwrapper> unwrapper_;  // null: the record is its content
  const std::unique_ptr<DebeziumReader> changes_;   // null: the record is not a change of a row
  const bool has_lines_;                            // of which each is a record
  const bool is_one_content_;                       // neither of these two
  const std::unique_ptr<AvroRecords> avro_;         // null: records are JSON
  const std::unique_ptr<JsonFrames> frames_;        // null: they have no frame
  JsonScanner scanner_;
  std::array<std::string, JsonScanner::kMostPointers> unescaped_;  // of strings with escapes
  std::string joined_time_;
};

}  // namespace

Result<std::unique_ptr<Decoder>> MakeJsonDecoder(const FormatSpec& format,
                                                 const JsonMapping& mapping, TimeReader time,
                                                 std::shared_ptr<SchemaSource> schemas) {
  Result<RecordFilters> filters = RecordFilters::Make(format);
  if (!filters.ok()) return std::move(filters).error();
  Result<JsonPlan> planned =
      JsonPlan::Of(format, mapping, filters.value().asked(), filters.value().first_of_windows());
  if (!planned.ok()) return std::move(planned).error();
  JsonPlan plan = std::move(planned).value();
  Result<std::unique_ptr<EnvelopeReader>> envelope = EnvelopeReader::Make(std::move(plan.beside));
  if (!envelope.ok()) return std::move(envelope).error();
  auto unwrapper =
      JsonUnwrapper::Make(mapping, plan.pointers, std::move(plan.attributes), plan.each);
  if (!unwrapper.ok()) return std::move(unwrapper).error();
  std::unique_ptr<DebeziumReader> changes;
  if (mapping.unwrap == Unwrap::kDebezium) {
    auto reader =
        DebeziumReader::Make(std::move(plan.of_rows), format.time_origin == TimeOrigin::kField);
    if (!reader.ok()) return std::move(reader).error();
    changes = std::move(reader).value();
  }
  std::unique_ptr<AvroRecords> avro;
  std::unique_ptr<JsonFrames> frames;
  if (mapping.avro && format.registry) {
    avro = AvroRecords::OfRegistry(std::move(schemas), plan.of_record);
  } else if (mapping.avro) {
    Result<std::unique_ptr<AvroRecords>> made =
        AvroRecords::OfSchema(*mapping.avro, plan.of_record);
    if (!made.ok()) return std::move(made).error();
    avro = std::move(made).value();
  } else if (format.registry) {
    frames = std::make_unique<JsonFrames>(std::move(schemas));
  }
  std::vector<EdgeRule> rules = {EdgeRule(mapping)};
  for (const JsonMapping& edge : mapping.more_edges) rules.emplace_back(edge);
  return std::unique_ptr<Decoder>(std::make_unique<JsonDecoder>(
      format, std::move(rules), std::move(time), std::move(plan), std::move(filters).value(),
      std::move(envelope).value(), std::move(unwrapper).value(), std::move(changes),
      std::move(avro), std::move(frames)));
}

}  // namespace sash
