// RowSplitter: finds the records of a file that arrives in blocks.
//
// Records are lines, or rows of CSV, whose quoted fields may hold line breaks. A line ends with LF
// or CRLF; the last one need not end. Blank lines are no records, nor is a byte order mark at the
// start. What is in a row is not looked at: a broken one is handed out like the others, and
// refused by the decoder.
//
// Thread safety: owned by one thread.
//
// Invariants
//   (1) The rows do not depend on how the bytes are cut into blocks.
//   (2) A row with broken quotes, or one that is never closed, is its first line alone: the next
//       row begins on the line after it. So a stray quote costs one row, not the rest of the file.
//   (3) No more than one row of kMaxRecordBytes and the block are held. A line longer than that is
//       one row, too_large, of which only the beginning is shown.
//   (4) With a LineJudge, a row of several lines has line breaks only in fields that may hold them,
//       and no rows inside (line_judge.h). Any other one is cut to its first line, as in (2), at
//       the line break that decides it: the splitter does not wait for the closing quote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/codec/line_judge.h"

namespace sash {

enum class RowSyntax : std::uint8_t { kLines, kCsv };

// Why a row was cut to its first line, on which a quoted field does not end.
enum class RowCut : std::uint8_t {
  kNone,        // it was not cut, or it would be broken without a judge too
  kLineBreak,   // the field holds a line break and must not
  kRowsInside,  // following lines are rows by themselves
};

struct Row {
  std::string_view text;   // without its line break; valid until the next call of the splitter
  std::uint64_t line = 1;  // on which it begins, from 1
  bool too_large = false;
  bool several_lines = false;
  RowCut cut = RowCut::kNone;
};

class RowSplitter {
 public:
  explicit RowSplitter(RowSyntax syntax, char delimiter = ',')
      : syntax_(syntax), delimiter_(delimiter) {}

  // Takes effect with the next row. Null (the default): any quoted field may hold line breaks. The
  // judge must outlive the last call of Next().
  void set_line_judge(LineJudge* judge) { judge_ = judge; }

  void Feed(std::string_view block);
  void Finish() { finished_ = true; }  // no more blocks follow

  // The next row, or nothing until more is fed; after Finish(), nothing when all are handed out.
  std::optional<Row> Next();

  // Cuts the row that was handed out last, which has several lines, down to the first of them; the
  // next row begins on the line after it. For a row that is none in spite of its quotes: two stray
  // quotes make a quoted field of the good rows between them. Not after Feed().
  Row CutToFirstLine();

 private:
  enum class State : std::uint8_t {
    kFieldStart,
    kPlain,
    kQuoted,
    kQuoteInQuoted,     // the closing quote, or the first of a doubled one
    kReturnAfterQuote,  // a carriage return after the closing quote
    kBroken,            // quotes are wrong on the row's first line: the row is that line
  };
  enum class Found : std::uint8_t { kEnd, kBroken, kNothing };

  bool SkipByteOrderMark();
  bool SkipOverlongLine();
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
  std::string buffer_;
  std::size_t begin_ = 0;            // of the row in buffer_
  std::size_t scan_ = 0;             // everything before it is accounted for in state_
  std::size_t first_break_ = kNone;  // the end of the row's first line, when it goes on after it
  std::size_t line_begin_ = 0;       // of the line at scan_, when it is not the row's first
  std::size_t field_ = 0;            // the field at scan_, from 0
  std::size_t row_lines_ = 0;        // lines after the first that are rows by themselves
  std::size_t other_lines_ = 0;      // lines, the first too, that are not
  bool first_is_row_ = false;        // but for its quote
  RowCut cut_ = RowCut::kNone;
  LineJudge* judge_ = nullptr;
  std::size_t last_begin_ = 0;      // of the row handed out last
  std::size_t last_break_ = kNone;  // its first_break_, when it has several lines
  std::uint64_t last_line_ = 1;
  State state_ = State::kFieldStart;
  std::uint64_t line_ = 1;
  bool at_start_ = true;
  bool overlong_ = false;  // the rest of a line that was handed out is still to be skipped
  bool finished_ = false;
};

}  // namespace sash
