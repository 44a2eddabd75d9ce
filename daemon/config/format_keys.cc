#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/envelope_field.h"
#include "connectors/codec/envelope_uses.h"
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

// Fields beside the value that the records of files do not have.
void CheckInFiles(const Section& format, const Section& mapping, const FormatSpec& spec) {
  for (const EnvelopeUse& use : EnvelopeUsesOf(spec)) {
    if (use.field.is_in_files()) continue;
    const Section& section = use.key == "where" ? format : mapping;
    section.Fail(use.key,
                 fmt::format("reads {}, which a replay does not have: the records of a file have "
                             "no key, headers or Kafka timestamp; give a field of the value",
                             use.text));
  }
}

// ReadFormat() reads the mapping, because exactly one kind must be present.
template <typename Mapping, typename Context>
KeyRow<FormatSpec> MappingRow(std::string_view name, std::string_view section,
                              const KeyRows<Mapping, Context>& rows, std::string_view about) {
  return {{name, {SectionShape{section}}, about},
          nullptr,
          [name, &rows](YamlPrinter& out, int depth, const FormatSpec& format) {
            const auto* mapping = std::get_if<Mapping>(&format.mapping);
            if (mapping == nullptr) return;
            out.Line(depth, name);
            PrintRows(out, depth + 1, rows, *mapping);
          },
          [&rows](const FormatSpec& a, const FormatSpec& b) {
            const auto* left = std::get_if<Mapping>(&a.mapping);
            const auto* right = std::get_if<Mapping>(&b.mapping);
            if (left == nullptr || right == nullptr) return left == right;
            return SameRows(rows, *left, *right);
          }};
}

}  // namespace

Result<std::string> ParseBeside(std::string_view text) {
  const Result<EnvelopeField> field = ParseEnvelopeField(text);
  if (!field.ok()) return Wrong(field.error().message);
  return std::string(text);
}

const KeyRows<FormatSpec>& FormatRows() {
  using Key = KeyRow<FormatSpec>;
  static const KeyRows<FormatSpec> rows = {
      MappingRow("json", "source.format.json", JsonRows(),
                 "Fields of a JSON object, as JSON pointers (RFC 6901): \"\" or /a/b, with ~0 for "
                 "~ and ~1 for /."),
      MappingRow(
          "csv", "source.format.csv", CsvRows(),
          "Instead of json: columns of CSV (RFC 4180), all by name (the first row is the header) "
          "or all by number (from 1; there is no header). A number in quotes is a name."),
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
  };
  return rows;
}

std::vector<SectionSpec> FormatSections() {
  std::vector<SectionSpec> sections = {SectionFrom("source.format", FormatRows(), {"json", "csv"})};
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
      {"json", "csv"}, "json: {source: /from, target: /to} or csv: {source: 1, target: 2}");
  std::optional<Section> mapping;
  if (form == "json") {
    mapping = format.Child("json", "source.format.json");
    result.says_how = ReadJsonMapping(*mapping, spec);
  } else if (form == "csv") {
    mapping = format.Child("csv", "source.format.csv");
    result.says_how = ReadCsvMapping(*mapping, spec);
  }
  if (mapping) result.maps_time = mapping->Has("time");
  ReadRows(format, FormatRows(), spec);
  const Result<std::optional<RecordFilter>> filter = RecordFilter::Make(spec);
  if (form && !filter.ok()) format.Fail("where", filter.error().message);
  if (mapping && spec.keys == KeyKind::kInteger) {
    std::visit(
        [&](const auto& read) {
          CheckKeySpelling(*mapping, "source", read.source_parts);
          CheckKeySpelling(*mapping, "target", read.target_parts);
        },
        spec.mapping);
  }
  if (mapping && result.says_how) {
    const Status unit = CheckTimestampUnit(spec);
    if (!unit.ok()) mapping->Fail("time", unit.error().message);
  }
  if (mapping && replay) CheckInFiles(format, *mapping, spec);
  return result;
}

}  // namespace sash
