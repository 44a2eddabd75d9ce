// Table: rows under a header, in columns aligned by displayed width, not by bytes.
//
// Thread safety: none.
// Invariants:
// (1) Cells hold printable text (printable.h).
// (2) No line ends in spaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sash {

enum class Align : std::uint8_t { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kLeft;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell for each column.
  void Add(std::vector<std::string> row);

  bool empty() const { return rows_.empty(); }

  // The header and each row, as lines without line ends.
  std::vector<std::string> Lines() const;
  std::string Text() const;

 private:
  std::string Line(const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Names and values, one pair a line.
std::string FieldsText(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace sash
