#include "daemon/check/format_check.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/window_judge.h"

namespace sash {
namespace {

// The columns of a mapping that are given by name, by key.
std::vector<std::pair<std::string, std::string>> NamedColumns(const FormatSpec& format) {
  std::vector<std::pair<std::string, std::string>> named;
  const auto* csv = std::get_if<CsvMapping>(&format.mapping);
  if (csv == nullptr) return named;
  const auto add = [&](const char* key, const std::optional<CsvColumn>& column) {
    const auto* name = column ? std::get_if<std::string>(&*column) : nullptr;
    if (name != nullptr) named.emplace_back(key, *name);
  };
  add("source", csv->source);
  for (const CsvColumn& column : csv->source_parts.rest.more) add("source", column);
  add("target", csv->target);
  for (const CsvColumn& column : csv->target_parts.rest.more) add("target", column);
  add("weight", csv->weight);
  add("time", csv->time);
  for (const CsvColumn& column : csv->time_rest.more) add("time", column);
  add("operation", csv->operation);
  add("type", csv->type);
  for (const CsvColumn& column : csv->type_parts.rest.more) add("type", column);
  add("id", csv->id);
  for (const CsvColumn& column : csv->id_parts.rest.more) add("id", column);
  return named;
}

// The columns that filters name.
std::vector<std::string> AskedColumns(const FormatSpec& format) {
  std::vector<std::string> asked;
  for (const FormatSpec& mapping : format.mappings) {
    for (std::string& name : AskedColumns(mapping)) asked.push_back(std::move(name));
  }
  const Result<RecordFilters> filters = RecordFilters::Make(format);
  if (!filters.ok()) return asked;
  for (const FilterField& field : filters.value().asked()) {
    if (field.from == FilterField::From::kColumnName) asked.push_back(field.name);
  }
  return asked;
}

// A header with these columns, and those of filters. It stands in for the header of the real file,
// which is not opened.
std::string HeaderWith(const std::vector<std::pair<std::string, std::string>>& columns,
                       const FormatSpec& format) {
  std::set<std::string> names;
  for (const auto& [key, name] : columns) names.insert(name);
  if (names.empty()) return "";
  for (std::string& name : AskedColumns(format)) names.insert(std::move(name));
  const auto* const csv = std::get_if<CsvMapping>(&format.mapping);
  std::string header;
  if (csv == nullptr) return header;  // already reported: not all mappings are of rows
  for (const std::string& name : names) {
    if (!header.empty()) header += csv->delimiter == kBlanks ? ' ' : csv->delimiter;
    if (!csv->quotes) {
      header += name;
      continue;
    }
    header += '"';
    for (const char c : name) header += c == '"' ? std::string("\"\"") : std::string(1, c);
    header += '"';
  }
  return header;
}

}  // namespace

void AddFormat(ParsedConfig& parsed) {
  if (parsed.config.source.slices() != nullptr) return;  // nothing is decoded
  const FormatSpec& format = parsed.config.source.format;
  const bool has_several = !format.mappings.empty();
  std::vector<std::pair<std::string, std::string>> named;
  for (std::size_t i = 0; i < std::max<std::size_t>(format.mappings.size(), 1); ++i) {
    const std::string key =
        has_several ? "source.mappings[" + std::to_string(i) + "]" : "source.format";
    for (auto& [column, name] : NamedColumns(has_several ? format.mappings[i] : format)) {
      if (!parsed.config.source.is_replay()) {
        parsed.Fail(key + ".csv." + column,
                    "is a name (" + name +
                        "), but the records of a topic have no header row that would name columns; "
                        "give the number of the column, from 1");
      }
      named.emplace_back(column, std::move(name));
    }
  }
  if (!parsed.config.source.is_replay() && !named.empty()) return;
  const Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format, HeaderWith(named, format));
  if (decoder) return;
  parsed.Fail(has_several ? "source.mappings" : "source.format", decoder.error().message);
}

}  // namespace sash
