#include "connectors/codec/csv_row.h"

#include <algorithm>

#include "connectors/codec/byte_word.h"
#include "connectors/codec/format_spec.h"

namespace sash {
namespace {

constexpr std::string_view kBlankCharacters = " \t";

}  // namespace

std::optional<std::string> CsvRow::Split(std::string_view row) {
  if (row.ends_with('\n')) row.remove_suffix(row.ends_with("\r\n") ? 2 : 1);
  fields_.clear();
  undoubled_.clear();
  if (delimiter_ == kBlanks) return SplitAtBlanks(row);
  if (!quotes_) return SplitUnquoted(row);
  std::size_t at = 0;
  for (;;) {
    const bool quoted = at < row.size() && row[at] == '"';
    auto why = quoted ? TakeQuoted(row, at) : TakePlain(row, at);
    if (why) return why;
    if (at == row.size()) return std::nullopt;
    ++at;  // the delimiter
  }
}

void CsvRow::SplitPlain(std::string_view row) {
  fields_.clear();
  for (;;) {
    const std::size_t end = row.find(delimiter_);
    fields_.push_back(row.substr(0, end));
    if (end == std::string_view::npos) return;
    row.remove_prefix(end + 1);
  }
}

std::optional<std::string> CsvRow::SplitUnquoted(std::string_view row) {
  SplitPlain(row);
  if (row.find_first_of("\r\n") == std::string_view::npos) return std::nullopt;
  return "there is a line break in the row";
}

std::string CsvRow::LineBreakIn(std::string_view row) const {
  const bool is_line_feed = row.find('\n') != std::string_view::npos;
  return "there is a line break outside quotes in field " + FieldNumber() +
         (is_line_feed ? "" : ", a CR alone: lines must end in LF or CRLF (`tr '\\r' '\\n'`)");
}

std::optional<std::string> CsvRow::SplitAtBlanks(std::string_view row) {
  std::size_t at = 0;
  while ((at = row.find_first_not_of(kBlankCharacters, at)) != std::string_view::npos) {
    if (quotes_ && row[at] == '"') {
      if (auto why = TakeQuoted(row, at)) return why;
      continue;
    }
    const std::size_t end = std::min(row.find_first_of(kBlankCharacters, at), row.size());
    const std::string_view field = row.substr(at, end - at);
    if (field.find_first_of("\r\n") != std::string_view::npos) {
      return LineBreakIn(row);
    }
    if (quotes_ && field.find('"') != std::string_view::npos) {
      return "there is a quote inside the unquoted field " + FieldNumber();
    }
    fields_.push_back(field);
    at = end;
  }
  return std::nullopt;
}

bool CsvRow::Separates(char c) const {
  return delimiter_ == kBlanks ? kBlankCharacters.find(c) != std::string_view::npos
                               : c == delimiter_;
}

std::optional<std::string> CsvRow::TakeQuoted(std::string_view row, std::size_t& at) {
  const std::size_t begin = ++at;
  bool doubled = false;
  for (;; at += 2) {
    at = row.find('"', at);
    if (at == std::string_view::npos) {
      return "the quoted field " + FieldNumber() + " does not end";
    }
    if (at + 1 == row.size() || row[at + 1] != '"') break;
    doubled = true;
  }
  std::string_view field = row.substr(begin, at - begin);
  ++at;
  if (at < row.size() && !Separates(row[at])) {
    return "text follows the closing quote of field " + FieldNumber();
  }
  if (doubled) {
    undoubled_.reserve(row.size());
    const std::size_t stored = undoubled_.size();
    for (std::size_t i = 0; i < field.size(); ++i) {
      undoubled_.push_back(field[i]);
      if (field[i] == '"') ++i;
    }
    field = std::string_view(undoubled_).substr(stored);
  }
  fields_.push_back(field);
  return std::nullopt;
}

std::optional<std::string> CsvRow::TakePlain(std::string_view row, std::size_t& at) {
  const std::size_t begin = at;
  for (; row.size() - at >= kBytesOfWord; at += kBytesOfWord) {
    const ByteWord word = LoadWord(row.data() + at);
    const ByteWord stops = (MarkByte(word, delimiter_) | MarkByte(word, '"') |
                            MarkByte(word, '\n') | MarkByte(word, '\r')) &
                           kHighBits;
    if (stops == 0) continue;
    at += FirstMark(stops);
    break;
  }
  for (; at < row.size() && row[at] != delimiter_; ++at) {
    if (row[at] == '"') return "there is a quote inside the unquoted field " + FieldNumber();
    if (row[at] == '\n' || row[at] == '\r') {
      return LineBreakIn(row);
    }
  }
  fields_.push_back(row.substr(begin, at - begin));
  return std::nullopt;
}

}  // namespace sash
