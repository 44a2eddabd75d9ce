#include "daemon/infer/sample_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/number_text.h"
#include "daemon/config/yaml_printer.h"
#include "daemon/infer/json_fields.h"

namespace sash {
namespace {

void ReadJson(std::string_view text, SampleShape& shape) {
  SampleTable& table = shape.table;
  table.is_json = true;
  std::unordered_map<std::string, std::size_t> place_of;
  RowSplitter rows(RowSyntax::kLines);
  rows.Feed(text);
  rows.Finish();
  while (table.records + shape.unreadable < kMostSampleRecords) {
    const std::optional<Row> row = rows.Next();
    if (!row) break;
    const auto fields = ReadJsonFields(row->text);
    if (!fields) {
      ++shape.unreadable;
      continue;
    }
    ++table.records;
    for (const JsonField& field : *fields) {
      if (!place_of.contains(field.pointer) && table.fields.size() == kMostSampleFields) continue;
      const auto [at, is_new] = place_of.emplace(field.pointer, table.fields.size());
      if (is_new) {
        table.fields.push_back({.name = field.pointer,
                                .reference = YamlWord(field.pointer),
                                .values = {},
                                .label = field.pointer});
      }
      std::vector<SampledValue>& values = table.fields[at->second].values;
      values.resize(table.records - 1);
      values.push_back(field.value);
    }
  }
  for (SampledField& field : table.fields) field.values.resize(table.records);
}

// The places of names that occur once; such a column can be given by its name.
bool AreUnique(const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    return !name.empty() && std::ranges::count(names, name) == 1;
  });
}

FormatSpec FormatOf(const CsvDialect& dialect) {
  CsvMapping mapping;
  mapping.delimiter = dialect.delimiter;
  mapping.quotes = dialect.quotes;
  mapping.comment = dialect.comment;
  mapping.skip_rows = dialect.skip_rows;
  FormatSpec format;
  format.mapping = std::move(mapping);
  return format;
}

void ReadCsv(std::string_view text, SampleShape& shape) {
  CsvDialect& dialect = shape.dialect;
  SampleTable& table = shape.table;
  if (dialect.has_header && !AreUnique(dialect.names)) {
    dialect.reasons.push_back(
        "Two columns have the same name, so columns are given by number, and the header is "
        "skipped (skip_rows).");
    RowSplitter rows = RowsOf(FormatOf(dialect), text);
    if (const std::optional<Row> header = rows.Next()) {
      const auto breaks = std::ranges::count(header->text, '\n');
      dialect.skip_rows = header->line + static_cast<std::uint64_t>(breaks);
    }
    dialect.has_header = false;
  }
  const bool by_name = dialect.has_header;
  for (std::size_t i = 0; i < dialect.columns; ++i) {
    SampledField& field = table.fields.emplace_back();
    field.label = fmt::format("column {}", i + 1);
    field.reference = by_name ? YamlWord(dialect.names[i]) : std::to_string(i + 1);
    if (dialect.names.empty()) continue;
    field.name = dialect.names[i];
    field.label = by_name ? field.name : fmt::format("{} (column {})", field.name, i + 1);
  }
  RowSplitter rows = RowsOf(FormatOf(dialect), text);
  if (dialect.has_header) static_cast<void>(rows.Next());
  CsvRow split(dialect.delimiter, dialect.quotes);
  while (table.records + shape.unreadable < kMostSampleRecords) {
    const std::optional<Row> row = rows.Next();
    if (!row) break;
    if (row->too_large || split.Split(row->text) || split.fields().size() != dialect.columns) {
      ++shape.unreadable;
      continue;
    }
    ++table.records;
    for (std::size_t i = 0; i < dialect.columns; ++i) {
      table.fields[i].values.push_back({SampledKind::kText, std::string(split.fields()[i])});
    }
  }
}

// As a shell reads it.
std::string ShellWord(const std::string& text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) ||
           std::string_view("._-/").find(c) != std::string_view::npos;
  });
  if (is_plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string FileWord(const SampleOrigin& origin) {
  return origin.name == "-" ? std::string("FILE") : ShellWord(origin.name);
}

// Whether the first two lines are arrays of their own. Arrays of objects are not meant: a table
// has no column for an object.
bool AreArrayLines(std::string_view text) {
  for (int i = 0; i < 2; ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t end = line.find_last_not_of(" \t\r");
    const bool is_array =
        line.starts_with('[') && end != std::string_view::npos && line[end] == ']';
    if (!is_array || line.find('{') != std::string_view::npos) return false;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return true;
}

std::string WhyArray(const SampleOrigin& origin) {
  if (origin.is_topic()) {
    return "its first record begins with [, like a JSON array, from which fields cannot be "
           "told; write the mapping by hand: with source.format.json.each: \"\" each element of "
           "the array is an edge";
  }
  return fmt::format(
      "it begins with [, like a JSON array; here a record must be an object on a line of its own: "
      "run `jq -c '.[]' {0} > records.jsonl`, and infer that file",
      FileWord(origin));
}

std::string WhyNotObjects(const SampleOrigin& origin, const SampleShape& shape) {
  const std::size_t all = shape.unreadable + shape.table.records;
  if (origin.is_topic()) {
    return fmt::format(
        "its first record begins with {{, but {} of {} records are not JSON objects; is it the "
        "right topic?",
        shape.unreadable, all);
  }
  return fmt::format(
      "it begins with {{, but {} of {} lines are not JSON objects; a record must be an object on "
      "a line of its own: run `jq -c . {} > records.jsonl`, and infer that file",
      shape.unreadable, all, FileWord(origin));
}

// Where two columns have the same name, the one before each says more: From Bank, Account.
void NameTwins(SampleTable& table) {
  std::vector<std::string> names;
  for (const SampledField& field : table.fields) names.push_back(field.name);
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (!names[i].empty() && std::ranges::count(names, names[i]) > 1 && names[i] != names[i - 1]) {
      table.fields[i].name = names[i - 1] + " " + names[i];
    }
  }
}

}  // namespace

std::string YamlWord(std::string_view text) {
  constexpr std::array<std::string_view, 9> kReserved = {"true", "false", "yes", "no", "on",
                                                         "off",  "null",  "y",   "n"};
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/' || c == '.' || c == '-';
  };
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  const bool begins_plain = !text.empty() && (is_plain(text.front()) && text.front() != '.' &&
                                              text.front() != '-' && !IsDigit(text.front()));
  if (begins_plain && std::ranges::all_of(text, is_plain) &&
      std::ranges::find(kReserved, lower) == kReserved.end()) {
    return std::string(text);
  }
  return Quote(text);
}

SampleShape FindShape(std::string_view text, const SampleOrigin& origin) {
  SampleShape shape;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    shape.trouble = "it holds no record; is it the right file?";
    return shape;
  }
  if (text[begin] == '[') {
    shape.trouble = AreArrayLines(text) && !origin.is_topic()
                        ? fmt::format(
                              "its lines are JSON arrays; a record must be an object: run "
                              "`jq -r @csv {} > records.csv`, and infer that file",
                              FileWord(origin))
                        : WhyArray(origin);
    return shape;
  }
  if (text[begin] == '{') {
    ReadJson(text, shape);
    if (shape.table.records > shape.unreadable) {
      shape.reasons.push_back("JSON, because the lines are JSON objects.");
      return shape;
    }
    shape.trouble = WhyNotObjects(origin, shape);
    return shape;
  }
  shape.dialect = origin.is_topic() ? FindRecordDialect(text) : FindDialect(text);
  if (shape.dialect.columns == 0 || shape.dialect.share < 0.3) {
    shape.trouble =
        "its lines are neither JSON objects nor rows with the same number of fields, separated by "
        "a tab, a semicolon, a bar, a comma or blanks; convert it to JSON lines or CSV";
    return shape;
  }
  ReadCsv(text, shape);
  NameTwins(shape.table);
  shape.reasons.insert(shape.reasons.end(), shape.dialect.reasons.begin(),
                       shape.dialect.reasons.end());
  if (shape.table.records == 0) shape.trouble = "it holds no record behind its header";
  return shape;
}

}  // namespace sash
