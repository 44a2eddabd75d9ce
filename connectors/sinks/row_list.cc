#include "connectors/sinks/row_list.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_json.h"

namespace sash {
namespace {

using RowJson = nlohmann::ordered_json;

void AddField(std::string_view text, std::string& to) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    to += text;
    return;
  }
  to += '"';
  for (const char c : text) {
    if (c == '"') to += '"';
    to += c;
  }
  to += '"';
}

void AddCell(const RowJson& value, std::string& to) {
  if (value.is_null()) return;
  if (value.is_string()) {
    AddField(value.get_ref<const std::string&>(), to);
  } else {
    AddField(value.dump(-1, ' ', false, RowJson::error_handler_t::replace), to);
  }
}

struct ListsInTurn {
  struct Part {
    std::string root;  // JSON; empty: rows have no root
    std::size_t end = 0;
    JsonPieces::WriteRow write;
  };
  std::vector<Part> parts;

  void Write(std::size_t row, JsonText& to) const {
    const auto part = std::ranges::upper_bound(parts, row, {}, &Part::end);
    const std::size_t begin = part == parts.begin() ? 0 : (part - 1)->end;
    if (part->root.empty()) {
      part->write(row - begin, to);
      return;
    }
    JsonText text;
    part->write(row - begin, text);
    to.Raw("{\"root\":" + part->root + "," + text.text().substr(1));
  }
};

}  // namespace

std::string RowText(const RowList& list, std::size_t i) {
  JsonText row;
  list.write(i, row);
  return std::move(row).Take();
}

std::string RowLines(const RowList& list, RowFormat format) {
  std::string lines;
  if (format == RowFormat::kCsv) AddCsvHeader(list.columns, lines);
  for (std::size_t i = 0; i < list.rows; ++i) {
    const std::string row = RowText(list, i);
    if (format == RowFormat::kCsv) {
      AddCsvRow(row, list.columns, lines);
    } else {
      lines += row + '\n';
    }
  }
  return lines;
}

void AddCsvHeader(const std::vector<std::string>& columns, std::string& to) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) to += ',';
    AddField(columns[i], to);
  }
  to += "\r\n";
}

void AddCsvRow(std::string_view row, const std::vector<std::string>& columns, std::string& to) {
  const RowJson json = RowJson::parse(row);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) to += ',';
    if (const auto cell = json.find(columns[i]); cell != json.end()) AddCell(*cell, to);
  }
  to += "\r\n";
}

JoinedRows JoinedRowsOf(const ResultTable& table, const RowSupply& supply, ListColumns columns) {
  auto lists = std::make_shared<ListsInTurn>();
  JoinedRows joined;
  std::size_t listed = 0;
  for (const ResultList& list : table.lists) {
    SuppliedRows rows = RowsOfList(list, supply);
    joined.wanted += rows.wanted;
    joined.available += rows.available;
    listed += rows.listed;
    const bool has_root = !table.parts.empty() && list.root != nullptr;
    lists->parts.push_back({.root = has_root ? KeyJson(*list.root) : std::string(),
                            .end = listed,
                            .write = std::move(rows.write)});
  }
  joined.list = {.columns = ColumnsOfList(table.lists.front(), columns),
                 .rows = std::min(listed, supply.listing.most_rows),
                 .write = [lists](std::size_t i, JsonText& to) { lists->Write(i, to); }};
  if (!lists->parts.front().root.empty()) {
    joined.list.columns.insert(joined.list.columns.begin(), "root");
  }
  return joined;
}

}  // namespace sash
