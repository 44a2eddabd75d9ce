#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "connectors/codec/envelope_field.h"
#include "daemon/config/label_field_forms.h"
#include "daemon/config/mapped_field_forms.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_field.h"
#include "daemon/config/time_forms.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

// The sections of the long forms of an edge's fields.
struct EdgeSections {
  std::string_view key;
  std::string_view weight;
  std::string_view time;
  std::string_view operation;
};
constexpr EdgeSections kOfJson = {"source.format.json.source", "source.format.json.weight",
                                  "source.format.json.time", "source.format.json.operation"};
constexpr EdgeSections kOfEdges = {"source.format.edges[].source", "source.format.edges[].weight",
                                   "source.format.edges[].time", "source.format.edges[].operation"};
constexpr std::string_view kEdges = "source.format.edges[]";
constexpr std::string_view kJsonRange =
    "a JSON pointer such as /from, a field such as $key, or a mapping";

// A JSON pointer from an element or from the record.
Result<std::string> ParseFieldPointer(std::string_view text) {
  std::string_view path = text;
  if (path.starts_with(kFromRecord)) path.remove_prefix(kFromRecord.size());
  Result<std::string> pointer = ParseJsonPointer(path);
  if (!pointer.ok()) return std::move(pointer).error();
  return std::string(text);
}

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
    return {
        R"(^((\$(key|record))?(/([^~]|~[01])*)?|\$(topic|partition|timestamp|header\.[\s\S]+))$)",
        kNothing, kNeed};
  }
  static std::vector<Shape> Shapes() { return {Item()}; }
  static bool IsField(const Place& place) {
    return place.node->text.starts_with('/') || place.node->text.starts_with('$');
  }
  static Result<std::string> ParseWord(const Place& /*place*/, std::string_view text) {
    return ParseTypeWord(text);
  }
  static Text Type() {
    return {R"(^((\$(key|record))?/([^~]|~[01])*|\$(key|record|topic|partition|timestamp|)"
            R"(header\.[\s\S]+)|(?![/$])[^\u0000-\u001f]{1,255})$)",
            kAnything, "a word, or a field such as /kind"};
  }

 private:
  static Result<std::string> ParseField(std::string_view text) {
    return IsEnvelopeText(text) ? ParseBeside(text) : ParseFieldPointer(text);
  }
};

TextForm OptionalPointer(std::string_view expected) {
  return {{R"(^(/([^~]|~[01])*)?$)", kNothing, PointerSyntax::kNeed}, expected, ParseJsonPointer};
}

// The keys of an edge. `sections`: of their long forms.
KeyRows<JsonMapping> RowsOfEdge(const EdgeSections& sections) {
  using Syntax = PointerSyntax;
  using Key = KeyRow<JsonMapping>;
  return {
      KeyFieldRow<Syntax>("source", sections.key, &JsonMapping::source, &JsonMapping::source_parts,
                          "Where the source vertex is: a field, or {from, join, prefix, ...}.",
                          kJsonRange),
      KeyFieldRow<Syntax>("target", sections.key, &JsonMapping::target, &JsonMapping::target_parts,
                          "Where the target vertex is, in the same forms.", kJsonRange),
      SetFieldRow<Syntax>("weight", sections.weight, &JsonMapping::weight,
                          &JsonMapping::weight_text, WeightSpellingRows(), CheckWeightSpelling,
                          "Where the weight is: a field, or {from, decimal, ...}. A weight is a "
                          "number, or text that is a number. Without it every edge weighs 1.",
                          kJsonRange),
      TimeFieldRow<Syntax, JsonMapping>(
          sections.time, "Where the event time is: a field, or {from, join, format, ...}.",
          kJsonRange),
      SetFieldRow<Syntax>("operation", sections.operation, &JsonMapping::operation,
                          &JsonMapping::operation_words, OperationWordsRows(), CheckOperationWords,
                          "Where add, remove or remove_vertex is: a field, or {from, add, remove, "
                          "...} with other words. Without it every event is an add.",
                          kJsonRange),
      Key("direction", &JsonMapping::both_directions, DirectionForm(), kDirectionAbout)
          .Default("forward"),
      TypeFieldRow<Syntax, JsonMapping>(
          sections.key,
          "The type of the edge, for windows[].types: a word such as paid, or where it is: a "
          "field, or {from, join, prefix, ...}. A text that begins with / or $ is a field. A type "
          "is a string or an integer of at most 255 bytes. If it is absent, the edge has none."),
      IdFieldRow<Syntax, JsonMapping>(sections.key, kIdAbout, kJsonRange),
  };
}

const KeyRows<JsonMapping>& EdgeRows() {
  static const KeyRows<JsonMapping> rows = RowsOfEdge(kOfEdges);
  return rows;
}

// The keys of `json` that are not those of an edge.
const KeyRows<JsonMapping>& ContentRows() {
  using Key = KeyRow<JsonMapping>;
  static const KeyRows<JsonMapping> rows = {
      Key("text_at", &JsonMapping::text_at,
          OptionalPointer("the JSON pointer of a string, such as /message"),
          "Where the record, or its content with `unwrap`, has a string that holds JSON. Other "
          "pointers are then relative to what the string holds.")
          .Default("none")
          .Range("a JSON pointer"),
      Key("unwrap", &JsonMapping::unwrap,
          OneOf<Unwrap>{{"none", Unwrap::kNone},
                        {"connect", Unwrap::kConnect},
                        {"cloudevents", Unwrap::kCloudEvents},
                        {"debezium", Unwrap::kDebezium}},
          "The envelope of the records; pointers are relative to what is in it. connect: {schema, "
          "payload} of Kafka Connect's JsonConverter. cloudevents: data or data_base64 of a "
          "structured event, and the value of a binary one; $header.ce_NAME is the attribute NAME "
          "of both. debezium: the rows before and after a change, whose edges are removed and "
          "added; fields that begin with $record are those of the event, such as "
          "$record/source/ts_ms."),
      Key("each", &JsonMapping::each,
          OptionalPointer("the JSON pointer of an array, such as /items"),
          "The array whose elements give edges, \"\" if the record is the array. Then fields begin "
          "at an element (/product), or, after $record, at the record ($record/user). A record "
          "without the array is refused; an empty one gives no edge.")
          .Default("none")
          .Range("a JSON pointer"),
      Key("lines", &JsonMapping::lines, Flag(),
          "Whether each line of a record is a record of its own, as when a shipper of logs sends "
          "many at once. Blank lines are skipped. Only with source.kafka: the rows of a file are "
          "lines already."),
  };
  return rows;
}

KeyRows<JsonMapping> MakeJsonRows() {
  KeyRows<JsonMapping> rows = RowsOfEdge(kOfJson);
  for (KeyRow<JsonMapping>& row : rows) {
    if (row.key.presence == kRequired) row.key.presence = Presence::kUnlessElsewhere;  // `edges`
  }
  rows.insert(rows.end(), ContentRows().begin(), ContentRows().end());
  return rows;
}

// How times are written must be the same for all edges.
bool SameTimeText(const FormatSpec& a, const FormatSpec& b) {
  return SameRows(TimeTextRows(), a, b);
}

// An edge of `edges`. `says`: the place of the edge that says how times are written, if any.
void ReadEdge(const Section& section, FormatSpec& format, std::optional<std::string>& says,
              JsonMapping& edge) {
  NoContext context;
  ReadRows(section, EdgeRows(), edge);
  FormatSpec own;
  if (!ReadLongTimeOf<PointerSyntax>(section, kOfEdges.time, context, own, edge)) return;
  if (!says) {
    TakeTimeText(own, format);
    says = section.path();
  } else if (!SameTimeText(own, format)) {
    section.Fail("time", fmt::format("is written otherwise than that of {}; all times of a format "
                                     "are written in one way",
                                     *says));
  }
}

}  // namespace

const KeyRows<JsonMapping>& JsonRows() {
  static const KeyRows<JsonMapping> rows = MakeJsonRows();
  return rows;
}

KeyRows<JsonMapping> PointerRows() { return RowsOfEdge(kOfJson); }

ReadEdges ReadPointers(const Section& section, const KeyRows<JsonMapping>& rows,
                       FormatSpec& format) {
  NoContext context;
  auto& mapping = format.mapping.emplace<JsonMapping>();
  ReadRows(section, rows, mapping);
  const bool says_how =
      ReadLongTimeOf<PointerSyntax>(section, kOfJson.time, context, format, mapping);
  return {{section}, section.Has("time"), says_how};
}

ReadEdges ReadJsonMapping(const Section& json, const Section& around, FormatSpec& format) {
  if (!around.Has("edges")) return ReadPointers(json, JsonRows(), format);
  auto& mapping = format.mapping.emplace<JsonMapping>();
  ReadRows(json, ContentRows(), mapping);
  for (const auto& row : EdgeRows()) {
    if (!json.Has(row.key.name)) continue;
    json.Fail(row.key.name, "is a key of an edge, but `edges` is given; move it there");
  }
  ReadEdges read;
  std::optional<std::string> says;
  for (const Place& place : around.Items("edges", "a list of edges")) {
    const Section& section = read.sections.emplace_back(place, kEdges, around.errors());
    const bool is_first = read.sections.size() == 1;
    ReadEdge(section, format, says, is_first ? mapping : mapping.more_edges.emplace_back());
    if (is_first) read.maps_time = section.Has("time");
    if (section.Has("time") == read.maps_time) continue;
    section.Fail("time", read.maps_time ? "is required: the first edge has one"
                                        : "must be left out: the first edge has none");
  }
  const YamlNode::Kind kind = around.At("edges").node->kind;
  const bool is_list = kind == YamlNode::Kind::kList || kind == YamlNode::Kind::kEmpty;
  if (is_list && read.sections.empty()) {
    around.Fail("edges", "must have an edge, such as {source: /from, target: /to}");
  }
  read.says_how = says.has_value();
  return read;
}

void PrintJsonMapping(YamlPrinter& out, int depth, const JsonMapping& mapping) {
  if (mapping.more_edges.empty()) {
    out.Line(depth, "json");
    return PrintRows(out, depth + 1, JsonRows(), mapping);
  }
  out.Line(depth, "json");
  PrintRows(out, depth + 1, ContentRows(), mapping);
}

void PrintEdges(YamlPrinter& out, int depth, const JsonMapping& mapping) {
  if (mapping.more_edges.empty()) return;
  out.Line(depth, "edges");
  const auto print = [&](const JsonMapping& edge) {
    out.BeginItem();
    PrintRows(out, depth + 2, EdgeRows(), edge);
  };
  print(mapping);
  for (const JsonMapping& edge : mapping.more_edges) print(edge);
}

bool SameMoreEdges(const JsonMapping& a, const JsonMapping& b) {
  return std::ranges::equal(a.more_edges, b.more_edges,
                            [](const JsonMapping& left, const JsonMapping& right) {
                              return SameRows(EdgeRows(), left, right);
                            });
}

std::vector<SectionSpec> JsonSections() {
  std::vector<SectionSpec> sections = {SectionFrom("source.format.json", JsonRows()),
                                       SectionFrom(kEdges, EdgeRows())};
  for (const EdgeSections& of : {kOfJson, kOfEdges}) {
    for (SectionSpec& section : MappedFieldSections(
             of.key, of.weight, of.operation, PointerSyntax::Shapes(), PointerSyntax::Item())) {
      sections.push_back(std::move(section));
    }
    sections.push_back(LongTimeSection(of.time, PointerSyntax::Shapes(), PointerSyntax::Item()));
  }
  return sections;
}

}  // namespace sash
