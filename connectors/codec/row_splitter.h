// RowSplitter: finds the records of a file that arrives in blocks.
//
// Records are lines, or rows of CSV, whose quoted fields may contain line breaks. A line ends with
// LF or CRLF; the last line may end without. Blank lines and a byte order mark at the start are
// skipped, and on request the first lines and comments. The splitter does not check the content of
// a row: a broken row is handed out like the others, and the decoder refuses it.
//
// It has more members than other classes: at the end of a block they keep the place inside a row.
//
// Thread safety: owned by one thread.
//
// Invariants
//   (1) The rows do not depend on how the bytes are cut into blocks.
//   (2) A row with broken quotes, or without a closing quote, is its first line alone: the next
//       row begins on the line after it. So a stray quote costs one row, not the rest of the file.
//   (3) It buffers at most one row of kMaxRecordBytes and the block. A longer line is one row,
//       too_large, and only its beginning is in the row's text.
//   (4) With a LineJudge, a row of several lines has line breaks only in fields that may contain
//       them, and no rows inside (line_judge.h). Every other row is cut to its first line, as in
//       (2), at the line break that decides it: the splitter does not wait for the closing quote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/line_judge.h"

namespace sash {

enum class RowSyntax : std::uint8_t {
  kLines,         // lines; a line of blanks is blank
  kUnquotedRows,  // lines; only an empty line is blank
  kCsv,
};

// Why a row was cut to its first line. A quoted field does not end on that line.
enum class RowCut : std::uint8_t {
  kNone,        // it was not cut, or it would be broken without a judge too
  kLineBreak,   // the field contains a line break and must not
  kRowsInside,  // following lines are rows by themselves
};

struct Row {
  std::string_view text;   // without its line break; valid until the next call of the splitter
  std::uint64_t line = 1;  // the line on which it begins, from 1
  bool too_large = false;
  bool several_lines = false;
  RowCut cut = RowCut::kNone;
};

class RowSplitter {
 public:
  explicit RowSplitter(RowSyntax syntax, char delimiter = ',')
      : syntax_(syntax), delimiter_(delimiter) {}

  // Before Feed(): skips the first `count` lines, whatever they contain.
  void SkipLines(std::uint64_t count) { lines_to_skip_ = count; }
  // Before Feed(): a line that begins with `text` is skipped, unless it continues a row.
  void set_comment(std::string text) { comment_ = std::move(text); }

  // Takes effect with the next row. Null (the default): any quoted field may contain line breaks.
  // The judge must outlive the last call of Next().
  void set_line_judge(LineJudge* judge) { judge_ = judge; }

  void Feed(std::string_view block);
  void Finish() { finished_ = true; }  // there are no more blocks

  // The next row. No value when it needs more blocks, or, after Finish(), when there are no more
  // rows.
  std::optional<Row> Next();

  // Cuts the last row, which must have several lines, to its first line; the next row begins on
  // the line after it. For a row whose quotes are valid but which is not a row: two stray quotes
  // turn the good rows between them into a quoted field. Do not call it after Feed().
  Row CutToFirstLine();

 private:
  enum class State : std::uint8_t {
    kFieldStart,
    kPlain,
    kQuoted,
    kQuoteInQuoted,     // the closing quote, or the first of a doubled one
    kReturnAfterQuote,  // a carriage return after the closing quote
    kBroken,            // wrong quotes on the row's first line: the row is that line
  };
  enum class Found : std::uint8_t { kEnd, kBroken, kNothing };

  bool SkipByteOrderMark();
  bool SkipUnreadLines();
  bool SkipLine();
  std::optional<bool> BeginsLikeComment() const;
  std::optional<Row> TakeRow();
  Found FindLineEnd(std::size_t limit);
  Found FindRowEnd(std::size_t limit);
  Found Step(char c);
  Found EndLine();
  Found EndRow(std::size_t end);
  bool IsRow(std::size_t begin, std::size_t end);
  Row TakeFirstLine();
  Row TakeOverlong();
  Row Take(std::size_t end, std::size_t next);
  bool IsBlank(std::string_view text) const;

  static constexpr std::size_t kNone = std::string::npos;

  const RowSyntax syntax_;
  const char delimiter_;
  std::string comment_;              // empty: there are none
  std::uint64_t lines_to_skip_ = 0;  // from begin_
  std::string buffer_;
  std::size_t begin_ = 0;            // of the row in buffer_
  std::size_t scan_ = 0;             // state_ covers everything before it
  std::size_t first_break_ = kNone;  // the end of the row's first line, when there are more lines
  std::size_t line_begin_ = 0;       // of the line at scan_, when it is not the row's first line
  std::size_t field_ = 0;            // the field at scan_, from 0
  std::size_t row_lines_ = 0;        // lines after the first that are rows by themselves
  std::size_t other_lines_ = 0;      // lines, including the first, that are not
  bool first_is_row_ = false;        // the first line is a row, apart from its quote
  RowCut cut_ = RowCut::kNone;
  LineJudge* judge_ = nullptr;
  std::size_t last_begin_ = 0;      // of the last row that was handed out
  std::size_t last_break_ = kNone;  // its first_break_, when it has several lines
  std::uint64_t last_line_ = 1;
  State state_ = State::kFieldStart;
  std::uint64_t line_ = 1;
  bool at_start_ = true;
  bool overlong_ = false;  // the rest of the line of the last row must still be skipped
  bool finished_ = false;
};

}  // namespace sash
