#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/envelope_field.h"
#include "connectors/codec/envelope_uses.h"
#include "connectors/codec/json_plan.h"
#include "connectors/codec/mapping_rules.h"
#include "connectors/codec/record_filter.h"
#include "daemon/config/key_row.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/word_list_form.h"

namespace sash {
namespace {

constexpr std::string_view kWhereText = "a filter such as double(/amount) > 1000.0";

// Parts, a prefix or a case make a key a text.
template <typename Parts>
void CheckKeySpelling(const Section& mapping, std::string_view name, const Parts& parts) {
  std::string_view what;
  if (!parts.rest.more.empty()) what = "joins fields";
  if (parts.text.letters != LetterCase::kAsWritten) what = "has a case";
  if (!parts.text.prefix.empty()) what = "has a prefix";
  if (what.empty()) return;
  mapping.Fail(name,
               fmt::format("{}, which makes the key a text, but `keys: integer` is set; leave "
                           "out one of them",
                           what));
}

template <typename Mapping>
void CheckKeySpelling(const Section& edge, const Mapping& mapping) {
  CheckKeySpelling(edge, "source", mapping.source_parts);
  CheckKeySpelling(edge, "target", mapping.target_parts);
}

void CheckKeySpellings(const std::vector<Section>& edges, const FormatSpec& spec) {
  std::size_t edge = 0;
  spec.ForEachEdge([&](const auto& mapping) {
    if (edge < edges.size()) CheckKeySpelling(edges[edge++], mapping);
  });
}

// Fields beside the value that the records of files do not have.
void CheckInFiles(const Section& format, const std::vector<Section>& edges,
                  const FormatSpec& spec) {
  for (const EnvelopeUse& use : EnvelopeUsesOf(spec)) {
    if (use.field.is_in_files() || use.edge >= edges.size()) continue;
    const Section& section = use.key == "where" ? format : edges[use.edge];
    section.Fail(use.key,
                 fmt::format("reads {}, which a replay does not have: the records of a file have "
                             "no key, headers or Kafka timestamp; give a field of the value",
                             use.text));
  }
}

// ReadFormat() reads the mappings, because exactly one kind must be present.
KeyRow<FormatSpec> ColumnsRow(std::string_view name, std::string_view section,
                              std::string_view about) {
  return {{name, {SectionShape{section}}, about},
          nullptr,
          [name](YamlPrinter& out, int depth, const FormatSpec& format) {
            const auto* csv = std::get_if<CsvMapping>(&format.mapping);
            if (csv == nullptr) return;
            out.Line(depth, name);
            PrintRows(out, depth + 1, CsvRows(), *csv);
          },
          [](const FormatSpec& a, const FormatSpec& b) {
            const auto* left = std::get_if<CsvMapping>(&a.mapping);
            const auto* right = std::get_if<CsvMapping>(&b.mapping);
            if (left == nullptr || right == nullptr) return left == right;
            return SameRows(CsvRows(), *left, *right);
          }};
}

// One of the two formats with pointers.
KeyRow<FormatSpec> PointersRow(std::string_view name, std::string_view section,
                               const KeyRows<JsonMapping>& rows, bool is_avro,
                               std::string_view about) {
  const auto mapping_of = [is_avro](const FormatSpec& format) -> const JsonMapping* {
    const auto* mapping = std::get_if<JsonMapping>(&format.mapping);
    return mapping != nullptr && mapping->avro.has_value() == is_avro ? mapping : nullptr;
  };
  return {{name, {SectionShape{section}}, about},
          nullptr,
          [=, &rows](YamlPrinter& out, int depth, const FormatSpec& format) {
            const JsonMapping* mapping = mapping_of(format);
            if (mapping == nullptr) return;
            if (!is_avro) return PrintJsonMapping(out, depth, *mapping);
            out.Line(depth, name);
            PrintRows(out, depth + 1, rows, *mapping);
          },
          [=, &rows](const FormatSpec& a, const FormatSpec& b) {
            const JsonMapping* left = mapping_of(a);
            const JsonMapping* right = mapping_of(b);
            if (left == nullptr || right == nullptr) return left == right;
            return SameRows(rows, *left, *right);
          }};
}

// ReadJsonMapping() reads it.
KeyRow<FormatSpec> EdgesRow() {
  return {{.name = "edges",
           .shapes = {Items{SectionShape{"source.format.edges[]"}, true}},
           .about = "With json: the edges that a record, or each element of `each`, gives, in this "
                    "order. Each has the keys of json, which json then does not have. Times are "
                    "written in one way in all of them. An edge that cannot be read is refused, "
                    "and the others count. A record gives at most 65,536 edges."},
          nullptr,
          [](YamlPrinter& out, int depth, const FormatSpec& format) {
            const auto* json = std::get_if<JsonMapping>(&format.mapping);
            if (json != nullptr) PrintEdges(out, depth, *json);
          },
          [](const FormatSpec& a, const FormatSpec& b) {
            const auto* left = std::get_if<JsonMapping>(&a.mapping);
            const auto* right = std::get_if<JsonMapping>(&b.mapping);
            return left == nullptr || right == nullptr || SameMoreEdges(*left, *right);
          }};
}

// What only the whole mapping shows: fields that lead into the elements of `each`, or too many.
void CheckPlan(const Section& format, const FormatSpec& spec,
               const std::optional<RecordFilter>& filter) {
  const auto* json = std::get_if<JsonMapping>(&spec.mapping);
  if (json == nullptr) return;
  std::vector<FilterField> asked;
  if (filter) asked = filter->fields();
  const Result<JsonPlan> plan = JsonPlan::Of(spec, *json, asked, asked.size());
  if (!plan.ok()) format.Fail(json->avro ? "avro" : "json", plan.error().message);
}

}  // namespace

// A file has neither records in Avro nor frames.
void CheckSchemas(const Section& format, std::string_view form, bool replay) {
  if (replay && form == "avro") {
    format.Fail("avro",
                "is only for source.kafka; a replay reads json or csv, and no files of Avro");
  }
  if (!format.Has("registry")) return;
  if (replay) {
    format.Fail("registry", "is only for source.kafka: the records of a file name no schemas");
  } else if (form == "csv") {
    format.Fail("registry", "is only for avro and json; leave it out for csv");
  }
}

Result<std::string> ParseBeside(std::string_view text) {
  const Result<EnvelopeField> field = ParseEnvelopeField(text);
  if (!field.ok()) return Wrong(field.error().message);
  return std::string(text);
}

const KeyRows<FormatSpec>& FormatRows() {
  using Key = KeyRow<FormatSpec>;
  static const KeyRows<FormatSpec> rows = {
      PointersRow("json", "source.format.json", JsonRows(), false,
                  "Fields of a JSON object, as JSON pointers (RFC 6901): \"\" or /a/b, with ~0 for "
                  "~ and ~1 for /."),
      PointersRow("avro", "source.format.avro", AvroRows(), true,
                  "Instead of json: fields of a record in Avro, named as in its JSON. Only with "
                  "source.kafka."),
      ColumnsRow(
          "csv", "source.format.csv",
          "Instead of json: columns of CSV (RFC 4180), all by name (the first row is the header) "
          "or all by number (from 1; there is no header). A number in quotes is a name."),
      EdgesRow(),
      Key("keys", &FormatSpec::keys,
          OneOf<KeyKind>{{"string", KeyKind::kString}, {"integer", KeyKind::kInteger}},
          "Whether vertex keys are text or 64-bit integers."),
      Key("where", &FormatSpec::where,
          TextForm{{"", Text::Bare::kTruth, kWhereText}, kWhereText, ParseNonEmpty},
          "Which records become edges: a filter over the fields of the record "
          "(connectors/codec/filter/README.md). The other records are counted, and move the time "
          "of their partition. A record for which the filter has no value is refused.")
          .Default("none")
          .Range("a filter"),
      Key("tombstone", &FormatSpec::tombstone,
          OneOf<TombstonePolicy>{{"ignore", TombstonePolicy::kIgnore},
                                 {"remove", TombstonePolicy::kRemove},
                                 {"dead_letter", TombstonePolicy::kDeadLetter}},
          "What happens with a record without a value. ignore: it is only counted; remove: it "
          "removes the edge that its key names; dead_letter: it goes to dead letters."),
      Key("nulls", &FormatSpec::nulls, WordListForm{},
          "Texts of mapped fields that mean `no value`, byte by byte. Then the weight is 1, the "
          "operation add, and a record whose time or needed key is absent is refused. An empty key "
          "is always refused.")
          .Default("[]")
          .Range("any texts, each once"),
      Key("registry", &FormatSpec::registry,
          Nested<RegistrySpec>{"source.format.registry", RegistryRows()},
          "The Schema Registry in which the schemas of the records are, with Confluent's API. Each "
          "record begins with byte 0 and the number of its schema. For `avro`, and for `json` that "
          "a serializer of JSON Schema wrote. Only with source.kafka."),
  };
  return rows;
}

std::vector<SectionSpec> FormatSections() {
  std::vector<SectionSpec> sections = {
      SectionFrom("source.format", FormatRows(), {"json", "avro", "csv"}), AvroSection(),
      RegistrySection()};
  for (const auto& more : {JsonSections(), CsvSections()}) {
    sections.insert(sections.end(), more.begin(), more.end());
  }
  return sections;
}

ReadFormatResult ReadFormat(const Section& source, bool replay) {
  ReadFormatResult result;
  FormatSpec& spec = result.spec;
  if (!source.Has("format")) {
    source.FailMissing("format",
                       "give json: {source: /from, target: /to} or csv: {source: 1, "
                       "target: 2}");
    return result;
  }
  const Section format = source.Child("format", "source.format");
  const auto form = format.ExactlyOne(
      {"json", "avro", "csv"}, "json: {source: /from, target: /to} or csv: {source: 1, target: 2}");
  const ReadEdges edges = ReadMapped(format, form, FormatRows(), replay, spec);
  if (!edges.sections.empty()) result.maps_time = edges.maps_time;
  result.says_how = edges.says_how;
  if (form) CheckSchemas(format, *form, replay);
  return result;
}

ReadEdges ReadMapped(const Section& format, std::optional<std::string_view> form,
                     const KeyRows<FormatSpec>& rows, bool replay, FormatSpec& spec) {
  ReadEdges edges;
  if (form == "json") {
    edges = ReadJsonMapping(format.Child("json", "source.format.json"), format, spec);
  } else if (form == "avro") {
    edges = ReadAvroMapping(format.Child("avro", "source.format.avro"), format, spec);
  } else if (form == "csv") {
    edges = ReadCsvMapping(format.Child("csv", "source.format.csv"), format, spec);
  }
  ReadRows(format, rows, spec);
  const Result<std::optional<RecordFilter>> filter = RecordFilter::Make(spec);
  if (form && !filter.ok()) format.Fail("where", filter.error().message);
  if (form && filter.ok()) CheckPlan(format, spec, filter.value());
  if (spec.keys == KeyKind::kInteger) CheckKeySpellings(edges.sections, spec);
  if (!edges.sections.empty() && edges.says_how) {
    const Status unit = CheckTimestampUnit(spec);
    if (!unit.ok()) edges.sections.front().Fail("time", unit.error().message);
  }
  if (replay) CheckInFiles(format, edges.sections, spec);
  const auto* json = std::get_if<JsonMapping>(&spec.mapping);
  if (replay && json != nullptr && json->lines) {
    format.Child("json", "source.format.json")
        .Fail("lines",
              "is only for source.kafka: each row of a file is a record already; leave it "
              "out");
  }
  for (const MappingFault& fault : MappingFaults(spec)) {
    const bool is_of_edge = fault.key == "operation" || fault.key == "time" || fault.key == "id";
    if (is_of_edge && fault.edge >= edges.sections.size()) continue;
    const Section& section = fault.key == "tombstone" ? format
                             : is_of_edge             ? edges.sections[fault.edge]
                                                      : format.Child("json", "source.format.json");
    section.Fail(fault.key, fault.message);
  }
  return edges;
}

}  // namespace sash
