#include "connectors/codec/row_splitter.h"

#include <algorithm>

#include "connectors/codec/decoder.h"
#include "windows/base/check.h"
#include "windows/base/utf8.h"

namespace sash {

void RowSplitter::Feed(std::string_view block) {
  buffer_.erase(0, begin_);
  last_break_ = kNone;
  scan_ -= begin_;
  if (first_break_ != kNone) {
    first_break_ -= begin_;
    line_begin_ -= begin_;
  }
  begin_ = 0;
  buffer_.append(block);
}

std::optional<Row> RowSplitter::Next() {
  if (at_start_ && !SkipByteOrderMark()) return std::nullopt;
  for (;;) {
    if (!SkipUnreadLines()) return std::nullopt;
    if (!comment_.empty() && scan_ == begin_) {
      const std::optional<bool> is_comment = BeginsLikeComment();
      if (!is_comment) return std::nullopt;
      lines_to_skip_ = *is_comment ? 1 : 0;
      if (*is_comment) continue;
    }
    const std::optional<Row> row = TakeRow();
    if (!row || row->too_large || !IsBlank(row->text)) return row;
  }
}

// False while it is not yet known whether there is one.
bool RowSplitter::SkipByteOrderMark() {
  const std::string_view head = std::string_view(buffer_).substr(0, kByteOrderMark.size());
  if (head.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(head) && !finished_) {
    return false;
  }
  at_start_ = false;
  if (head == kByteOrderMark) begin_ = scan_ = kByteOrderMark.size();
  return true;
}

// False when it needs more blocks: the end of a line has not come yet.
bool RowSplitter::SkipUnreadLines() {
  if (overlong_) {
    if (!SkipLine()) return false;
    overlong_ = false;
  }
  for (; lines_to_skip_ > 0; --lines_to_skip_, ++line_) {
    if (!SkipLine()) return false;
  }
  return true;
}

// Skips the line at begin_, or its part in the buffer, which is then empty; returns whether the
// line has ended.
bool RowSplitter::SkipLine() {
  const std::size_t end = buffer_.find('\n', begin_);
  begin_ = scan_ = end == kNone ? buffer_.size() : end + 1;
  return end != kNone;
}

// Nothing while the bytes at begin_ are too few to tell.
std::optional<bool> RowSplitter::BeginsLikeComment() const {
  const std::string_view head = std::string_view(buffer_).substr(begin_, comment_.size());
  if (head.size() == comment_.size()) return head == comment_;
  if (!finished_ && std::string_view(comment_).starts_with(head)) return std::nullopt;
  return false;
}

std::optional<Row> RowSplitter::TakeRow() {
  // kMaxRecordBytes, the carriage return and the line feed, which are not part of the row.
  const std::size_t limit = std::min(buffer_.size(), begin_ + kMaxRecordBytes + 2);
  switch (syntax_ == RowSyntax::kCsv ? FindRowEnd(limit) : FindLineEnd(limit)) {
    case Found::kEnd:
      return Take(scan_, scan_ + 1);
    case Found::kBroken:
      return TakeFirstLine();
    case Found::kNothing:
      break;
  }
  if (limit - begin_ > kMaxRecordBytes + 1) return TakeOverlong();
  if (!finished_ || begin_ == buffer_.size()) return std::nullopt;
  const bool open = state_ == State::kQuoted && first_break_ != kNone;
  if (open || EndRow(buffer_.size()) == Found::kBroken) return TakeFirstLine();
  return Take(buffer_.size(), buffer_.size());
}

RowSplitter::Found RowSplitter::FindLineEnd(std::size_t limit) {
  scan_ = std::min(std::string_view(buffer_).substr(0, limit).find('\n', scan_), limit);
  return scan_ == limit ? Found::kNothing : Found::kEnd;
}

RowSplitter::Found RowSplitter::FindRowEnd(std::size_t limit) {
  if (scan_ == begin_) {  // nearly every row is one line without quotes
    const std::string_view line = std::string_view(buffer_).substr(begin_, limit - begin_);
    const std::size_t end = line.find('\n');
    if (end != kNone && line.substr(0, end).find('"') == kNone) {
      scan_ = begin_ + end;
      return Found::kEnd;
    }
  }
  for (; scan_ < limit; ++scan_) {
    const Found found = Step(buffer_[scan_]);
    if (found != Found::kNothing) return found;
  }
  return Found::kNothing;
}

RowSplitter::Found RowSplitter::Step(char c) {
  const auto broken = [&] {
    if (first_break_ != kNone) return Found::kBroken;
    state_ = State::kBroken;
    return Found::kNothing;
  };
  if (state_ == State::kQuoted) {
    if (c == '"') state_ = State::kQuoteInQuoted;
    return c == '\n' ? EndLine() : Found::kNothing;
  }
  if (c == '\n') return EndRow(scan_);
  if (c == delimiter_) ++field_;
  switch (state_) {
    case State::kFieldStart:
      if (c != delimiter_) state_ = c == '"' ? State::kQuoted : State::kPlain;
      break;
    case State::kPlain:
      if (c == '"') return broken();
      if (c == delimiter_) state_ = State::kFieldStart;
      break;
    case State::kQuoteInQuoted:
      if (c != '"' && c != delimiter_ && c != '\r') return broken();
      state_ = c == '"'          ? State::kQuoted
               : c == delimiter_ ? State::kFieldStart
                                 : State::kReturnAfterQuote;
      break;
    case State::kReturnAfterQuote:
      return broken();
    case State::kQuoted:
    case State::kBroken:
      break;
  }
  return Found::kNothing;
}

// Called at a line break inside quotes.
RowSplitter::Found RowSplitter::EndLine() {
  const bool first = first_break_ == kNone;
  const std::size_t begin = first ? begin_ : line_begin_;
  if (first) first_break_ = scan_;
  line_begin_ = scan_ + 1;
  if (judge_ == nullptr) return Found::kNothing;
  if (!judge_->MayHoldLineBreak(field_)) {
    cut_ = RowCut::kLineBreak;
    return Found::kBroken;
  }
  const bool is_row = IsRow(begin, scan_);
  if (first) first_is_row_ = is_row;
  if (!is_row) ++other_lines_;
  if (first || !is_row) return Found::kNothing;
  ++row_lines_;
  const bool decided =
      judge_->DecidesByOneLine() || (other_lines_ == 0 && row_lines_ == LineJudge::kDecisiveLines);
  if (!decided) return Found::kNothing;
  cut_ = RowCut::kRowsInside;
  return Found::kBroken;
}

// Called at a line break outside quotes, and at the end of the file.
RowSplitter::Found RowSplitter::EndRow(std::size_t end) {
  if (first_break_ == kNone || judge_ == nullptr) return Found::kEnd;
  if (!first_is_row_ || (other_lines_ > 0 && !judge_->DecidesByOneLine())) return Found::kEnd;
  if (!IsRow(line_begin_, end)) return Found::kEnd;
  cut_ = RowCut::kRowsInside;
  return Found::kBroken;
}

bool RowSplitter::IsRow(std::size_t begin, std::size_t end) {
  std::string_view line = std::string_view(buffer_).substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return judge_->IsRow(line);
}

Row RowSplitter::TakeFirstLine() { return Take(first_break_, first_break_ + 1); }

Row RowSplitter::TakeOverlong() {
  if (first_break_ != kNone) return TakeFirstLine();
  overlong_ = true;
  Row row = Take(begin_ + kMaxRecordBytes, begin_ + kMaxRecordBytes);
  row.too_large = true;
  return row;
}

// Hands out the bytes from begin_ to `end`; the next row begins at `next`.
Row RowSplitter::Take(std::size_t end, std::size_t next) {
  std::string_view text = std::string_view(buffer_).substr(begin_, end - begin_);
  if (!overlong_ && text.ends_with('\r')) text.remove_suffix(1);
  const bool too_large = text.size() > kMaxRecordBytes;
  if (too_large && first_break_ != kNone && end != first_break_) return TakeFirstLine();
  const bool several_lines = first_break_ != kNone && end > first_break_;
  const Row row{text.substr(0, kMaxRecordBytes), line_, too_large, several_lines, cut_};
  last_begin_ = begin_;
  last_break_ = several_lines ? first_break_ : kNone;
  last_line_ = line_;
  line_ += 1;
  if (several_lines) line_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  begin_ = scan_ = next;
  first_break_ = kNone;
  field_ = row_lines_ = other_lines_ = 0;
  first_is_row_ = false;
  cut_ = RowCut::kNone;
  state_ = State::kFieldStart;
  return row;
}

Row RowSplitter::CutToFirstLine() {
  SASH_CHECK(last_break_ != kNone);
  begin_ = last_begin_;
  line_ = last_line_;
  return Take(last_break_, last_break_ + 1);
}

bool RowSplitter::IsBlank(std::string_view text) const {
  if (syntax_ != RowSyntax::kLines) return text.empty();
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace sash
