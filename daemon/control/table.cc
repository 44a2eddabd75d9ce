#include "daemon/control/table.h"

#include <algorithm>
#include <utility>

#include "daemon/control/printable.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kGap = 2;

}  // namespace

void Table::Add(std::vector<std::string> row) {
  SASH_CHECK(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

std::string Table::Line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string space(widths[i] - WidthOf(cells[i]), ' ');
    if (i > 0) line.append(kGap, ' ');
    line += columns_[i].align == Align::kRight ? space + cells[i] : cells[i] + space;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::vector<std::string> Table::Lines() const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(WidthOf(column.title));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], WidthOf(row[i]));
  }
  std::vector<std::string> lines = {Line(titles, widths)};
  for (const auto& row : rows_) lines.push_back(Line(row, widths));
  return lines;
}

std::string Table::Text() const {
  std::string text;
  for (const std::string& line : Lines()) text += line + "\n";
  return text;
}

std::string FieldsText(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::size_t width = 0;
  for (const auto& [name, value] : fields) width = std::max(width, WidthOf(name));
  std::string text;
  for (const auto& [name, value] : fields) {
    text += name + std::string(width - WidthOf(name) + kGap, ' ') + value + "\n";
  }
  return text;
}

}  // namespace sash
