// Claims about files of records: rows do not depend on how the bytes are cut into blocks; none is lost
// or invented; a row of CSV that is one can be written again from its fields.
#include <string>
#include <vector>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/row_splitter.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

struct KeptRow {
  std::string text;
  std::uint64_t line = 0;
  bool too_large = false;
  bool several_lines = false;
  friend bool operator==(const KeptRow&, const KeptRow&) = default;
};

// In blocks of so many bytes.
std::vector<KeptRow> Split(std::string_view file, std::size_t block, RowSyntax syntax,
                           char delimiter) {
  RowSplitter splitter(syntax, delimiter);
  std::vector<KeptRow> rows;
  const auto take_all = [&] {
    while (const std::optional<Row> row = splitter.Next()) {
      rows.push_back({std::string(row->text), row->line, row->too_large, row->several_lines});
    }
  };
  for (std::size_t at = 0; at < file.size(); at += block) {
    splitter.Feed(file.substr(at, block));
    take_all();
  }
  splitter.Finish();
  take_all();
  return rows;
}

// With every row that has several lines cut down to its first.
std::vector<KeptRow> SplitAndCut(std::string_view file, char delimiter) {
  RowSplitter splitter(RowSyntax::kCsv, delimiter);
  splitter.Feed(file);
  splitter.Finish();
  std::vector<KeptRow> rows;
  while (std::optional<Row> row = splitter.Next()) {
    if (row->several_lines) row = splitter.CutToFirstLine();
    SASH_CHECK(row->text.find('\n') == std::string_view::npos);
    rows.push_back({std::string(row->text), row->line, row->too_large, false});
  }
  return rows;
}

void CheckOrder(const std::vector<KeptRow>& rows, std::string_view file) {
  std::uint64_t lines = 1;
  for (const char c : file) lines += c == '\n' ? 1 : 0;
  std::uint64_t before = 0;
  std::size_t begin = 0;
  for (const KeptRow& row : rows) {
    SASH_CHECK(row.line > before && row.line <= lines);
    before = row.line;
    const std::size_t found = file.find(row.text, begin);
    SASH_CHECK(found != std::string_view::npos);
    begin = found + row.text.size();
  }
}

void CheckFields(std::string_view text, char delimiter) {
  CsvRow row(delimiter);
  if (const auto why = row.Split(text)) {
    SASH_CHECK(!why->empty());
    return;
  }
  SASH_CHECK(!row.fields().empty());
  const std::vector<std::string> fields(row.fields().begin(), row.fields().end());
  std::string written;
  for (const std::string& field : fields) {
    if (!written.empty()) written += delimiter;
    written += '"';
    for (const char c : field) written += c == '"' ? "\"\"" : std::string(1, c);
    written += '"';
  }
  written += "\r\n";
  CsvRow again(delimiter);  // fields point into what was written
  SASH_CHECK(!again.Split(written));
  SASH_CHECK(std::vector<std::string>(again.fields().begin(), again.fields().end()) == fields);
}

}  // namespace

void SplitRows(std::string_view input) {
  Choices choices(input);
  const RowSyntax syntax = choices.Below(2) == 0 ? RowSyntax::kCsv : RowSyntax::kLines;
  constexpr char kDelimiters[] = {',', ';', '\t', 'a'};
  const char delimiter = kDelimiters[choices.Below(std::size(kDelimiters))];
  const std::size_t block = 1 + choices.Below(31);
  const std::string_view file = choices.rest();

  const std::vector<KeptRow> whole = Split(file, file.size() + 1, syntax, delimiter);
  SASH_CHECK(whole == Split(file, block, syntax, delimiter));
  CheckOrder(whole, file);
  CheckOrder(SplitAndCut(file, delimiter), file);
  for (const KeptRow& row : whole) {
    SASH_CHECK(syntax == RowSyntax::kCsv || !row.several_lines);
    CheckFields(row.text, delimiter);
  }
  CheckFields(file, delimiter);
}

}  // namespace sash::fuzz
