// Claims about files of records: rows do not depend on how the bytes are cut into blocks; no line
// is lost or invented; a valid row of CSV can be written again from its fields; with a judge no
// edge has a line break in a key, and no accepted row hides a row that has a time.
#include <algorithm>
#include <string>
#include <vector>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/decoder.h"
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

// Splits the file in blocks of this size.
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

// Truncates every row of several lines to its first line.
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

FormatSpec Judged(char delimiter, bool has_time) {
  FormatSpec format;
  CsvMapping csv{.source = 1u, .target = 3u, .weight = {}, .time = {}, .operation = {}};
  csv.delimiter = delimiter;
  if (has_time) csv.time = 2u;
  format.mapping = csv;
  format.time_origin = has_time ? TimeOrigin::kField : TimeOrigin::kClock;
  format.time_unit = TimeUnit::kSeconds;
  return format;
}

// No inner line of an accepted row is a row by itself.
void CheckLinesWithin(std::string_view row, LineJudge& judge) {
  for (std::size_t begin = row.find('\n') + 1, end;
       (end = row.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    std::string_view line = row.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    SASH_CHECK(!judge.IsRow(line));
  }
}

// Like the source of files: rows refused for their syntax are cut.
std::vector<KeptRow> Judge(std::string_view file, std::size_t block, const FormatSpec& format) {
  const auto made = MakeDecoder(format);
  SASH_CHECK(made.ok());
  Decoder& decoder = *made.value();
  LineJudge& judge = *decoder.line_judge();
  RowSplitter splitter(RowSyntax::kCsv, std::get<CsvMapping>(format.mapping).delimiter);
  splitter.set_line_judge(&judge);
  std::vector<KeptRow> rows;
  const auto take_all = [&] {
    while (std::optional<Row> row = splitter.Next()) {
      EventBatch batch;
      const auto refused = decoder.Decode(row->text, {}, batch);
      SASH_CHECK(refused || row->cut == RowCut::kNone);
      SASH_CHECK(row->cut == RowCut::kNone || !row->several_lines);
      if (!refused) {
        const EdgeEvent& event = batch.events().front();
        for (const KeyRef key : {event.source, event.target}) {
          SASH_CHECK(batch.Text(key.text()).find('\n') == std::string_view::npos);
        }
        if (row->several_lines && judge.DecidesByOneLine()) CheckLinesWithin(row->text, judge);
      } else if (row->several_lines && refused->reason == RefusalReason::kInvalidSyntax) {
        row = splitter.CutToFirstLine();
      }
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

// Every line is part of one row, or blank. Rows that are too large are not checked.
void CheckEveryLine(const std::vector<KeptRow>& rows, std::string_view file) {
  if (file.starts_with("\xEF\xBB\xBF")) file.remove_prefix(3);
  auto row = rows.begin();
  std::uint64_t next = 1;  // the line after the rows so far
  for (std::uint64_t line = 1; !file.empty(); ++line) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    if (row != rows.end() && row->line == line) {
      SASH_CHECK(next <= line);
      next = line + 1 + static_cast<std::uint64_t>(std::ranges::count(row->text, '\n'));
      ++row;
    }
    if (line >= next) {
      SASH_CHECK(file.substr(0, end).find_first_not_of(" \t\r") == std::string_view::npos);
    }
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  SASH_CHECK(row == rows.end());
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
  CsvRow again(delimiter);  // fields point into the text written
  SASH_CHECK(!again.Split(written));
  SASH_CHECK(std::vector<std::string>(again.fields().begin(), again.fields().end()) == fields);
}

}  // namespace

void SplitRows(std::string_view input) {
  Choices choices(input);
  const std::size_t kind = choices.Below(4);  // 2 and 3: with a judge
  const RowSyntax syntax = kind == 1 ? RowSyntax::kLines : RowSyntax::kCsv;
  constexpr char kDelimiters[] = {',', ';', '\t', 'a'};
  const char delimiter = kDelimiters[choices.Below(std::size(kDelimiters))];
  const std::size_t block = 1 + choices.Below(31);
  const std::string_view file = choices.rest();

  if (kind >= 2) {
    const FormatSpec format = Judged(delimiter, kind == 2);
    const std::vector<KeptRow> judged = Judge(file, file.size() + 1, format);
    SASH_CHECK(judged == Judge(file, block, format));
    CheckOrder(judged, file);
    CheckEveryLine(judged, file);
    return;
  }
  const std::vector<KeptRow> whole = Split(file, file.size() + 1, syntax, delimiter);
  SASH_CHECK(whole == Split(file, block, syntax, delimiter));
  CheckOrder(whole, file);
  if (file.size() <= kMaxRecordBytes) CheckEveryLine(whole, file);
  CheckOrder(SplitAndCut(file, delimiter), file);
  for (const KeptRow& row : whole) {
    SASH_CHECK(syntax == RowSyntax::kCsv || !row.several_lines);
    CheckFields(row.text, delimiter);
  }
  CheckFields(file, delimiter);
}

}  // namespace sash::fuzz
