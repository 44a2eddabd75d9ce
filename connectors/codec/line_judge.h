// LineJudge: distinguishes a row that spans several lines from a row with a stray quote.
//
// RFC 4180 allows line breaks in a quoted field. So one stray quote turns all rows up to the next
// quote into one field. The splitter asks a judge at each line break inside quotes, and cuts the
// row when
//   - the field must not contain a line break; or
//   - the mapping checks more than text (DecidesByOneLine), and a line between the first and the
//     last is a row by itself, or the first and the last line both are; or
//   - the mapping accepts any text, and all lines are rows by themselves, or the first four are.
// A prose field is therefore kept whole even if one of its lines has as many delimiters as a row.
//
// Thread safety: owned by one thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace sash {

class LineJudge {
 public:
  // If the mapping accepts any text: this number of rows after the first line decides for a cut.
  static constexpr std::size_t kDecisiveLines = 3;

  virtual ~LineJudge() = default;

  // Whether field `field`, counted from 0, may contain a line break.
  virtual bool MayHoldLineBreak(std::size_t field) const = 0;

  // Whether `line` alone would be an edge event. In a line with broken quotes, quotes are ordinary
  // characters.
  virtual bool IsRow(std::string_view line) = 0;

  // Whether IsRow checks times or integers, a check that prose almost never passes.
  virtual bool DecidesByOneLine() const = 0;
};

}  // namespace sash
