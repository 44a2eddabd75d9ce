#include "daemon/infer/csv_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/delimiter_guess.h"
#include "connectors/codec/number_text.h"
#include "connectors/replay/file_records.h"
#include "daemon/infer/csv_header.h"

namespace sash {
namespace {

constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kMostPreamble = 20;  // lines before a header that are not rows
constexpr double kRegular = 0.9;

struct Line {
  std::string_view text;
  std::uint64_t number = 1;
};

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  for (std::uint64_t number = 1; !text.empty() && number <= kMostLines; ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) lines.push_back({line, number});
  }
  return lines;
}

// The number of fields that most rows have, and the share of these rows.
struct Regularity {
  std::size_t columns = 0;
  double share = 0;
};

std::size_t FieldsIn(std::string_view line, char delimiter, bool quotes) {
  CsvRow row(delimiter, quotes);
  return row.Split(line) ? 0 : row.fields().size();
}

Regularity RegularityOf(const std::vector<Line>& lines, char delimiter, bool quotes) {
  std::map<std::size_t, std::size_t> rows_of;
  for (const Line& line : lines) ++rows_of[FieldsIn(line.text, delimiter, quotes)];
  Regularity found;
  for (const auto& [columns, rows] : rows_of) {
    const double share = static_cast<double>(rows) / static_cast<double>(lines.size());
    if (columns >= 2 && share >= found.share) found = {columns, share};
  }
  return found;
}

bool HasQuotedField(const std::vector<Line>& lines, char delimiter) {
  CsvRow row(delimiter, false);
  return std::ranges::any_of(lines, [&](const Line& line) {
    if (row.Split(line.text)) return false;
    return std::ranges::any_of(row.fields(), [](std::string_view field) {
      return field.size() >= 2 && field.starts_with('"') && field.ends_with('"');
    });
  });
}

// Comments are at the beginning of the text, and not all of it.
std::vector<std::string_view> TakeComments(std::vector<Line>& lines, CsvDialect& dialect) {
  std::vector<std::string_view> comments;
  for (const std::string_view mark : {"#", "%", "//"}) {
    const auto is_comment = [mark](const Line& line) { return line.text.starts_with(mark); };
    if (lines.empty() || !is_comment(lines.front())) continue;
    if (std::ranges::all_of(lines, is_comment)) return {};
    for (const Line& line : lines) {
      if (is_comment(line)) comments.push_back(line.text);
    }
    std::erase_if(lines, is_comment);
    dialect.comment = mark;
  }
  return comments;
}

// Rows of numbers between blanks and tabs, as KONECT writes some.
bool AreNumbersBetweenBlanks(const std::vector<Line>& lines, std::size_t columns) {
  CsvRow row(kBlanks, true);
  std::size_t rows = 0;
  for (const Line& line : lines) {
    if (row.Split(line.text) || row.fields().size() != columns) continue;
    if (!std::ranges::all_of(row.fields(),
                             [](auto each) { return SpellingOf(each).has_value(); })) {
      return false;
    }
    ++rows;
  }
  return rows > 0;
}

// MovieLens: fields are separated by two colons, so every other field of one colon is empty.
bool HaveTwoColons(const std::vector<Line>& lines) {
  return std::ranges::all_of(
      lines, [](const Line& line) { return line.text.find("::") != std::string_view::npos; });
}

void ChooseDelimiter(const std::vector<Line>& lines, CsvDialect& dialect) {
  if (HaveTwoColons(lines)) {
    const Regularity found = RegularityOf(lines, ':', true);
    if (found.share >= kRegular) {
      dialect.delimiter = ':';
      dialect.columns = found.columns;
      dialect.share = found.share;
      dialect.reasons.push_back(
          "Fields are separated by two colons, so every other field of `delimiter: \":\"` is "
          "empty.");
      return;
    }
  }
  // A comma may be part of a number, and blanks of a text; tabs, semicolons and bars hardly ever.
  for (const char delimiter : {'\t', ';', '|', ',', kBlanks}) {
    const Regularity with = RegularityOf(lines, delimiter, true);
    const Regularity without = delimiter == kBlanks ? with : RegularityOf(lines, delimiter, false);
    const bool quotes = delimiter == '\t' ? HasQuotedField(lines, '\t') && with.share >= kRegular
                                          : with.share >= without.share || with.share >= kRegular;
    const Regularity& found = quotes || delimiter == kBlanks ? with : without;
    if (found.share <= dialect.share) continue;
    dialect.delimiter = delimiter;
    dialect.quotes = quotes || delimiter == kBlanks;
    dialect.columns = found.columns;
    dialect.share = found.share;
    if (found.share >= kRegular) break;
  }
  const Regularity blanks = RegularityOf(lines, kBlanks, true);
  if (dialect.delimiter == '\t' && blanks.share >= kRegular && blanks.columns > dialect.columns &&
      AreNumbersBetweenBlanks(lines, blanks.columns)) {
    dialect.delimiter = kBlanks;
    dialect.quotes = true;
    dialect.columns = blanks.columns;
    dialect.share = blanks.share;
  }
}

// Names that a comment gives: the #fields of Zeek, or the last comment of an edge list.
std::vector<std::string> NamesInComments(const std::vector<std::string_view>& comments,
                                         CsvDialect& dialect) {
  std::vector<std::string> names;
  for (const std::string_view comment : comments) {
    if (comment.starts_with("#fields\t")) {
      names = FieldsOf(comment.substr(comment.find('\t') + 1), dialect.delimiter, dialect.quotes);
    } else if (comment.starts_with("#unset_field\t") || comment.starts_with("#empty_field\t")) {
      dialect.nulls.emplace_back(comment.substr(comment.find('\t') + 1));
    }
  }
  if (names.empty() && !comments.empty()) {
    std::string_view last = comments.back();
    last.remove_prefix(std::min(last.size(), last.find_first_not_of("#%/ \t")));
    names = FieldsOf(last, dialect.delimiter, dialect.quotes);
    if (!AreNames(names)) names.clear();
  }
  if (names.size() != dialect.columns) names.clear();
  return names;
}

void FindHeader(std::vector<Line>& lines, const std::vector<std::string_view>& comments,
                CsvDialect& dialect) {
  const auto is_row = [&](const Line& line) {
    return FieldsIn(line.text, dialect.delimiter, dialect.quotes) == dialect.columns;
  };
  const auto first = std::ranges::find_if(lines, is_row);
  const auto preamble = static_cast<std::size_t>(first - lines.begin());
  if (preamble > 0 && preamble <= kMostPreamble && first != lines.end()) {
    dialect.skip_rows = first->number - 1;
    dialect.reasons.push_back(
        fmt::format("The first {} lines are not rows (skip_rows).", dialect.skip_rows));
    lines.erase(lines.begin(), first);
  }
  const bool is_matrix = !comments.empty() && comments.front().starts_with("%%MatrixMarket");
  if (is_matrix && !lines.empty()) {
    dialect.skip_rows = lines.front().number;
    dialect.reasons.push_back("It is a Matrix Market file: the line with the sizes is skipped.");
    lines.erase(lines.begin());
  }
  if (lines.empty()) return;
  dialect.names = NamesInComments(comments, dialect);
  std::vector<CsvFields> rows;
  for (const Line& line : lines) {
    rows.push_back(FieldsOf(line.text, dialect.delimiter, dialect.quotes));
  }
  const CsvFields top = std::move(rows.front());
  rows.erase(rows.begin());
  if (!dialect.names.empty()) {
    dialect.reasons.push_back("A comment names the columns, so they are given by number.");
  } else if (!is_matrix && IsHeader(top, rows)) {
    dialect.has_header = true;
    dialect.names = top;
    dialect.reasons.push_back("The first row names the columns.");
  } else {
    dialect.reasons.push_back("No row names the columns, so they are given by number.");
  }
}

void SayDelimiter(std::string_view rows, CsvDialect& dialect) {
  dialect.reasons.push_back(fmt::format("{:.0f} % of the {} have {} fields with `delimiter: {}`.",
                                        100 * dialect.share, rows, dialect.columns,
                                        DelimiterText(dialect.delimiter)));
}

}  // namespace

RowSplitter RowsOf(const FormatSpec& format, std::string_view text) {
  RowSplitter rows = SplitterOf(format);
  rows.Feed(text);
  rows.Finish();
  return rows;
}

CsvDialect FindRecordDialect(std::string_view text) {
  CsvDialect dialect;
  const std::vector<Line> lines = LinesOf(text);
  if (!lines.empty()) ChooseDelimiter(lines, dialect);
  if (dialect.columns == 0) return dialect;
  SayDelimiter("records", dialect);
  dialect.reasons.push_back("Records of a topic have no header, so columns are given by number.");
  return dialect;
}

CsvDialect FindDialect(std::string_view text) {
  CsvDialect dialect;
  std::vector<Line> lines = LinesOf(text);
  const std::vector<std::string_view> comments = TakeComments(lines, dialect);
  if (lines.empty()) return dialect;
  ChooseDelimiter(lines, dialect);
  if (dialect.columns == 0) return dialect;
  SayDelimiter("lines", dialect);
  if (!dialect.comment.empty()) {
    dialect.reasons.push_back(
        fmt::format("Lines that begin with {} are comments.", dialect.comment));
  }
  if (!dialect.quotes) dialect.reasons.push_back("No field is in quotes (`quote: none`).");
  FindHeader(lines, comments, dialect);
  return dialect;
}

}  // namespace sash
