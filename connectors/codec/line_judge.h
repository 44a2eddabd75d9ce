// LineJudge: tells a row that goes on over several lines from a quote that is astray.
//
// By RFC 4180 a quoted field may hold line breaks. So one stray quote turns all rows up to the next
// quote into a field. The splitter asks a judge at each line break inside quotes, and cuts the row
// when
//   - the field may not hold a line break; or
//   - the mapping checks more than text (DecidesByOneLine), and a line between the first and the
//     last is a row by itself, or the first and the last line both are; or
//   - the mapping accepts any text, and all lines are rows by themselves, or the first four are.
// A prose field with a line that happens to hold as many delimiters as a row therefore stays whole.
//
// Thread safety: owned by one thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace sash {

class LineJudge {
 public:
  // After the first line: so many rows end the doubt when the mapping accepts any text.
  static constexpr std::size_t kDecisiveLines = 3;

  virtual ~LineJudge() = default;

  // Whether field `field`, counted from 0, may hold a line break.
  virtual bool MayHoldLineBreak(std::size_t field) const = 0;

  // Whether `line` alone would be an edge event. Broken quotes count as ordinary characters.
  virtual bool IsRow(std::string_view line) = 0;

  // Whether IsRow checks times or integers, which prose hardly ever passes.
  virtual bool DecidesByOneLine() const = 0;
};

}  // namespace sash
