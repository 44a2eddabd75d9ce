#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

constexpr std::string_view kPointerText = "a JSON pointer such as /from";
constexpr std::string_view kColumnText = "a column: its name, or its number from 1";

void ReadPointer(const Section& json, std::string_view key, std::optional<std::string>& pointer) {
  json.Read(key, pointer, kPointerText, ParseJsonPointer);
}

JsonMapping ReadJson(const Section& json) {
  JsonMapping mapping;
  json.Require("source", mapping.source, kPointerText, ParseJsonPointer);
  json.Require("target", mapping.target, kPointerText, ParseJsonPointer);
  ReadPointer(json, "weight", mapping.weight);
  ReadPointer(json, "time", mapping.time);
  ReadPointer(json, "operation", mapping.operation);
  return mapping;
}

// Digits without quotes are a number; everything else is a name.
Result<CsvColumn> ParseColumn(std::string_view text, bool quoted) {
  if (text.empty()) return Wrong(fmt::format("must not be empty; give {}", kColumnText));
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (quoted || digits.empty() ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return CsvColumn(std::string(text));
  }
  const Result<std::int64_t> number = IntegerBetween{1, 1'000'000}(text);
  if (!number) {
    return Wrong(fmt::format("{}; columns are numbered from 1 (in quotes it is a name)",
                             number.error().message));
  }
  return CsvColumn(static_cast<std::uint32_t>(number.value()));
}

bool ReadColumn(const Section& csv, std::string_view key, CsvColumn& column) {
  if (!csv.Has(key)) return false;
  const Place place = csv.At(key);
  return ReadAt(
      place, column, kColumnText,
      [&](std::string_view text) { return ParseColumn(text, place.node->quoted); }, csv.errors());
}

Result<char> ParseDelimiter(std::string_view text) {
  if (text == "tab") return '\t';
  const bool one = text.size() == 1 && static_cast<unsigned char>(text.front()) < 0x80;
  if (!one || text == "\"" || text == "\r" || text == "\n") {
    return Wrong(
        fmt::format("`{}` cannot separate fields; give one ASCII character other than a "
                    "quote or a line break, such as \",\" or \";\", or the word tab",
                    text));
  }
  return text.front();
}

CsvMapping ReadCsv(const Section& csv) {
  CsvMapping mapping;
  // The first column that is read decides whether all are names or numbers.
  std::optional<std::pair<std::string, bool>> first;
  const auto read = [&](std::string_view key, CsvColumn& column) {
    if (!ReadColumn(csv, key, column)) return false;
    const bool number = column.index() == 0;
    if (!first) first.emplace(key, number);
    if (number != first->second) {
      csv.Fail(key, fmt::format("is a {} but `{}` is a {}; give all columns by name (the first row "
                                "is a header) or all by number (there is none)",
                                number ? "number" : "name", first->first,
                                first->second ? "number" : "name"));
    }
    return true;
  };
  for (const auto& [key, column] :
       {std::pair<std::string_view, CsvColumn*>("source", &mapping.source),
        {"target", &mapping.target}}) {
    if (!csv.Has(key)) csv.FailMissing(key, fmt::format("give {}", kColumnText));
    read(key, *column);
  }
  for (const auto& [key, target] :
       {std::pair<std::string_view, std::optional<CsvColumn>*>("weight", &mapping.weight),
        {"time", &mapping.time},
        {"operation", &mapping.operation}}) {
    CsvColumn column;
    if (read(key, column)) *target = column;
  }
  csv.Read("delimiter", mapping.delimiter, "one character, such as \",\"", ParseDelimiter);
  csv.Read("multiline", mapping.multiline);
  return mapping;
}

}  // namespace

ReadFormatResult ReadFormat(const Section& source) {
  ReadFormatResult result;
  FormatSpec& spec = result.spec;
  if (!source.Has("format")) {
    source.FailMissing("format",
                       "give json: {source: /from, target: /to} or csv: {source: 1, "
                       "target: 2}");
  } else {
    const Section format = source.Child("format", "source.format");
    const auto form = format.ExactlyOne(
        {"json", "csv"}, "json: {source: /from, target: /to} or csv: {source: 1, target: 2}");
    if (form == "json") {
      const Section json = format.Child("json", "source.format.json");
      result.maps_time = json.Has("time");
      spec.mapping = ReadJson(json);
    } else if (form == "csv") {
      const Section csv = format.Child("csv", "source.format.csv");
      result.maps_time = csv.Has("time");
      spec.mapping = ReadCsv(csv);
    }
    format.Choose("keys", spec.keys,
                  {{"string", KeyKind::kString}, {"integer", KeyKind::kInteger}});
    format.Choose("tombstone", spec.tombstone,
                  {{"ignore", TombstonePolicy::kIgnore},
                   {"remove", TombstonePolicy::kRemove},
                   {"dead_letter", TombstonePolicy::kDeadLetter}});
  }
  return result;
}

}  // namespace sash
