#include <utility>

#include "connectors/codec/envelope_field.h"
#include "daemon/config/mapped_field_forms.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_field.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

constexpr std::string_view kJsonKey = "source.format.json.source";
constexpr std::string_view kJsonWeight = "source.format.json.weight";
constexpr std::string_view kJsonTime = "source.format.json.time";
constexpr std::string_view kJsonOperation = "source.format.json.operation";
constexpr std::string_view kJsonRange =
    "a JSON pointer such as /from, a field such as $key, or a mapping";

struct PointerSyntax {
  using Field = std::string;
  using Context = NoContext;
  static constexpr std::string_view kNeed = "a JSON pointer such as /from";

  static bool Read(const Place& place, std::string_view /*key*/, NoContext& /*context*/,
                   std::string& pointer, ErrorList& errors) {
    return ReadAt(place, pointer, kNeed, ParseField, errors);
  }
  static std::string ToYaml(const std::string& pointer) { return Quote(pointer); }
  static Text Item() {
    return {R"(^((\$key)?(/([^~]|~[01])*)?|\$(topic|partition|timestamp|header\.[\s\S]+))$)",
            kNothing, kNeed};
  }
  static std::vector<Shape> Shapes() { return {Item()}; }

 private:
  static Result<std::string> ParseField(std::string_view text) {
    return IsEnvelopeText(text) ? ParseBeside(text) : ParseJsonPointer(text);
  }
};

}  // namespace

const KeyRows<JsonMapping>& JsonRows() {
  using Syntax = PointerSyntax;
  static const KeyRows<JsonMapping> rows = {
      KeyFieldRow<Syntax>("source", kJsonKey, &JsonMapping::source, &JsonMapping::source_parts,
                          "Where the source vertex is: a field, or {from, join, prefix, ...}.",
                          kJsonRange),
      KeyFieldRow<Syntax>("target", kJsonKey, &JsonMapping::target, &JsonMapping::target_parts,
                          "Where the target vertex is, in the same forms.", kJsonRange),
      SetFieldRow<Syntax>("weight", kJsonWeight, &JsonMapping::weight, &JsonMapping::weight_text,
                          WeightSpellingRows(), CheckWeightSpelling,
                          "Where the weight is: a field, or {from, decimal, ...}. A weight is a "
                          "number, or text that is a number. Without it every edge weighs 1.",
                          kJsonRange),
      TimeFieldRow<Syntax, JsonMapping>(
          kJsonTime, "Where the event time is: a field, or {from, join, format, ...}.", kJsonRange),
      SetFieldRow<Syntax>("operation", kJsonOperation, &JsonMapping::operation,
                          &JsonMapping::operation_words, OperationWordsRows(), CheckOperationWords,
                          "Where add, remove or remove_vertex is: a field, or {from, add, remove, "
                          "...} with other words. Without it every event is an add.",
                          kJsonRange),
      KeyRow<JsonMapping>("text_at", &JsonMapping::text_at,
                          TextForm{{R"(^(/([^~]|~[01])*)?$)", kNothing, PointerSyntax::kNeed},
                                   "the JSON pointer of a string, such as /message",
                                   ParseJsonPointer},
                          "Where the record, or its content with `unwrap`, has a string that holds "
                          "JSON. Other pointers are then relative to what the string holds.")
          .Default("none")
          .Range("a JSON pointer"),
      KeyRow<JsonMapping>(
          "unwrap", &JsonMapping::unwrap,
          OneOf<Unwrap>{{"none", Unwrap::kNone},
                        {"connect", Unwrap::kConnect},
                        {"cloudevents", Unwrap::kCloudEvents}},
          "The envelope of the records; pointers are relative to what is in it. connect: {schema, "
          "payload} of Kafka Connect's JsonConverter. cloudevents: data or data_base64 of a "
          "structured event, and the value of a binary one; $header.ce_NAME is the attribute NAME "
          "of both."),
  };
  return rows;
}

bool ReadJsonMapping(const Section& json, FormatSpec& format) {
  NoContext context;
  auto& mapping = format.mapping.emplace<JsonMapping>();
  ReadRows(json, JsonRows(), mapping);
  return ReadLongTimeOf<PointerSyntax>(json, kJsonTime, context, format, mapping);
}

std::vector<SectionSpec> JsonSections() {
  std::vector<SectionSpec> sections = MappedFieldSections(
      kJsonKey, kJsonWeight, kJsonOperation, PointerSyntax::Shapes(), PointerSyntax::Item());
  sections.insert(sections.begin(), SectionFrom("source.format.json", JsonRows()));
  sections.push_back(LongTimeSection(kJsonTime, PointerSyntax::Shapes(), PointerSyntax::Item()));
  return sections;
}

}  // namespace sash
