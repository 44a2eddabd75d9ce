#include "connectors/codec/json_decoder.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "connectors/codec/avro/avro_records.h"
#include "connectors/codec/debezium_reader.h"
#include "connectors/codec/edge_decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_fields.h"
#include "connectors/codec/json_frames.h"
#include "connectors/codec/json_keys.h"
#include "connectors/codec/json_plan.h"
#include "connectors/codec/json_times.h"
#include "connectors/codec/json_unwrapper.h"
#include "connectors/codec/json_value.h"
#include "connectors/codec/number_text.h"
#include "connectors/codec/scan_json.h"
#include "connectors/codec/schema_frame.h"
#include "connectors/codec/time_reader.h"

namespace sash {
namespace {

using Kind = JsonElement::Kind;

class JsonDecoder final : public EdgeDecoder<JsonDecoder> {
 public:
  JsonDecoder(const FormatSpec& format, std::vector<EdgeRule> rules, TimeReader time, JsonPlan plan,
              RecordFilters filters, std::unique_ptr<EnvelopeReader> envelope,
              std::unique_ptr<JsonUnwrapper> unwrapper, std::unique_ptr<DebeziumReader> changes,
              std::unique_ptr<AvroRecords> avro, std::unique_ptr<JsonFrames> frames)
      : EdgeDecoder(format, std::move(rules), plan.array.has_value() || plan.has_lines,
                    std::move(filters), std::move(envelope), plan.tombstones_have_fields),
        fields_(plan, format.nulls),
        times_(std::move(time)),
        edge_keys_(format.keys,
                   envelope_texts() | (unwrapper == nullptr ? 0 : unwrapper->attributes())),
        unwrapper_(std::move(unwrapper)),
        changes_(std::move(changes)),
        has_lines_(plan.has_lines),
        is_one_content_(changes_ == nullptr && !has_lines_),
        avro_(std::move(avro)),
        frames_(std::move(frames)) {}

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
    changes_->LoadEvent(fields_.scanner());  // if there are no rows, it may have the time
    ReadBeside(place.envelope);
    return DecodeChange(record, place, batch);
  }

  EnvelopeNeeds needs() const override {
    EnvelopeNeeds needs = EdgeDecoder::needs();
    if (unwrapper_ != nullptr) needs |= unwrapper_->needs();
    return needs;
  }

  std::string TimeAsWritten() override {
    return time_from_field_ ? times_.AsWritten(fields_) : std::string();
  }

 private:
  friend EdgeDecoder;
  friend EdgesOfRecord<JsonDecoder>;

  std::optional<Refused> ReadRecord(std::string_view record, const RecordPlace& place) {
    if (avro_ != nullptr) return avro_->Read(record, "the record", fields_.scanner());
    if (frames_ != nullptr) {
      if (auto refused = frames_->TakeOff(record, "the record")) return refused;
    }
    if (unwrapper_ == nullptr) return Find(record);
    if (auto refused = RefusedForSize(record.size())) return refused;
    return unwrapper_->Read(record, place.envelope, fields_.scanner());
  }
  std::optional<Refused> ReadTombstoneKey(std::string_view key, const RecordPlace& place) {
    if (avro_ != nullptr) return avro_->Read(key, "the key of the record", fields_.scanner());
    if (frames_ != nullptr) {
      if (auto refused = frames_->TakeOff(key, "the key of the record")) return refused;
    }
    if (unwrapper_ == nullptr) return Find(key);
    if (auto refused = RefusedForSize(key.size())) return refused;
    return unwrapper_->ReadKey(key, place.envelope, fields_.scanner());
  }
  std::optional<Refused> ReadNoKey(const RecordPlace& place) {
    fields_.scanner().Forget();
    if (unwrapper_ == nullptr) return std::nullopt;
    return unwrapper_->PutHeaders(place.envelope, fields_.scanner());
  }
  void TakeEnvelope(std::span<const EnvelopeReader::Found> found) {
    for (const EnvelopeReader::Found& each : found)
      fields_.scanner().Put(each.number, each.element);
  }
  void NoteAccepted() {}

  bool SelectRow(ChangedRow row) { return changes_->Load(row, fields_.scanner()); }
  std::optional<Refused> WhyLacking(ChangedRow row) const { return changes_->WhyLacking(row); }
  std::optional<Refused> WhyUndecided(ChangedRow row, std::string_view record) const {
    return changes_->WhyUndecided(row, record.substr(frames_ == nullptr ? 0 : kFrameBytes));
  }

  // Scans the record; afterwards JsonFields has its elements.
  std::optional<Refused> Find(std::string_view record) {
    if (auto refused = RefusedForSize(record.size())) return refused;
    return ScanJson(record, "the record", fields_.scanner());
  }

  std::optional<Refused> CountElements(std::size_t& count) const {
    return fields_.CountElements(count);
  }
  void SelectElement(std::size_t element) { fields_.SelectElement(element); }
  void SelectEdge(std::size_t edge) { fields_.SelectEdge(edge); }
  std::string NameOf(std::size_t element, std::size_t edge) const {
    return fields_.NameOf(element, edge);
  }
  const std::string& Label(MappedField field) const { return fields_.Label(field); }
  FilterValue FieldOf(std::size_t number, const FilterField&) { return fields_.ValueOf(number); }

  [[gnu::always_inline]] std::optional<Refused> ReadKey(MappedField field, DecodedKey& key) {
    return edge_keys_.Read(field, BuilderOf(field), fields_, key);
  }
  std::optional<Refused> ReadLabel(MappedField field, KeyBuilder& builder,
                                   std::string_view& label) {
    return JsonKeys::ReadLabel(field, builder, fields_, label);
  }
  std::optional<Refused> ReadTime(EventTime& time) { return times_.Read(fields_, time); }
  bool TimeIsDoubtful() const { return times_.is_doubtful(); }

  std::optional<Refused> ReadOperation(EdgeFields& fields) {
    const JsonElement* element = fields_.Element(MappedField::kOperation);
    if (element == nullptr) return std::nullopt;
    const bool is_word = element->kind == Kind::kString ||
                         (element->kind == Kind::kInteger && operations().has_own_words());
    if (!is_word) {
      return fields_.WrongType(MappedField::kOperation, *element, "operations are strings");
    }
    const std::string_view text = element->kind == Kind::kString
                                      ? fields_.TextOf(MappedField::kOperation, *element)
                                      : element->text;
    fields.is_skipped = operations().Skips(text);
    if (fields.is_skipped) return std::nullopt;
    const auto parsed = operations().Read(text);
    if (!parsed) {
      return Refused{RefusalReason::kUnknownOperation,
                     fmt::format("{} is {}; {}", fields_.Label(MappedField::kOperation),
                                 Excerpt(text), operations().Expected())};
    }
    fields.operation = *parsed;
    return std::nullopt;
  }

  std::optional<Refused> ReadWeight(Weight& weight) {
    const JsonElement* element = fields_.Element(MappedField::kWeight);
    if (element == nullptr) return std::nullopt;
    if (element->kind == Kind::kString) {
      const std::string_view text = fields_.TextOf(MappedField::kWeight, *element);
      return text.empty() ? std::nullopt : TakeWeight(weights().Read(text), text, weight);
    }
    if (!IsNumber(*element)) {
      return fields_.WrongType(MappedField::kWeight, *element, "weights are numbers, also as text");
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
                     fmt::format("{}: {} {}", fields_.Label(MappedField::kWeight), Excerpt(text),
                                 parsed.error().message)};
    }
    weight = parsed.value();
    return std::nullopt;
  }

  JsonFields fields_;
  JsonTimes times_;
  JsonKeys edge_keys_;
  const std::unique_ptr<JsonUnwrapper> unwrapper_;  // null: the record is its content
  const std::unique_ptr<DebeziumReader> changes_;   // null: the record is not a change of a row
  const bool has_lines_;                            // each line is a record
  const bool is_one_content_;                       // neither of these two
  const std::unique_ptr<AvroRecords> avro_;         // null: records are JSON
  const std::unique_ptr<JsonFrames> frames_;        // null: they have no frame
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
