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
#include "daemon/infer/sample_envelope.h"
#include "daemon/infer/unread_sample.h"

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
                                .label = field.pointer,
                                .pointer = field.pointer});
      }
      std::vector<SampledValue>& values = table.fields[at->second].values;
      values.resize(table.records - 1);
      values.push_back(field.value);
    }
  }
  for (SampledField& field : table.fields) field.values.resize(table.records);
}

// Whether each column can be given by its name. The first and the last may have none.
bool AreUnique(const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    return name.empty() || std::ranges::count(names, name) == 1;
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
    if (by_name && dialect.names[i].empty()) {
      field.name = "index";  // not a side of an edge, so its reference is not used
      continue;
    }
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

// Where two columns have the same name, the one before each says more: From Bank, Account. If they
// are beside each other, the first is the source: Person.id, Person.id. To pandas the second of
// equal names is Account.1.
void NameTwins(SampleTable& table) {
  std::vector<std::string> names;
  for (const SampledField& field : table.fields) {
    const std::size_t end = field.name.size() - std::min<std::size_t>(2, field.name.size());
    const std::string first = field.name.substr(0, end);
    const bool is_second = field.name.ends_with(".1") && std::ranges::count(names, first) > 0;
    names.push_back(is_second ? first : field.name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || std::ranges::count(names, names[i]) < 2) continue;
    if (i > 0 && names[i] == names[i - 1]) {
      table.fields[i - 1].name = names[i] + " 1";
      table.fields[i].name = names[i] + " 2";
    } else if (i > 0) {
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
  if (auto why = WhyNotLines(text, origin)) {
    shape.trouble = *std::move(why);
    return shape;
  }
  if (text[begin] == '[') {
    shape.trouble = WhyArray(text, origin);
    return shape;
  }
  if (text[begin] == '{') {
    ReadJson(text, shape);
    if (shape.table.records > shape.unreadable) {
      shape.reasons.push_back("JSON, because the lines are JSON objects.");
      TakeOffEnvelope(shape);
      return shape;
    }
    shape.trouble = WhyNotObjects(origin, shape.unreadable, shape.unreadable + shape.table.records);
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
  if (shape.table.records == 0) shape.trouble = "it holds no record after its header";
  return shape;
}

}  // namespace sash
