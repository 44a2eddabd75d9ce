// TimePlan: a time format, as for strptime, compiled once and then run on every record.
//
//   %Y 4 digits; %y 2 digits (69 to 99 are 1969 to 1999)   %m %d %H %I %M %S 2 digits, or 1 if no
//   digit follows in the format                            %e as %d, also after a blank
//   %j 3 digits: the day of the year                       %b %B %h %a %A English names
//   %p AM or PM                                            %f digits after the decimal point
//   %z Z, ±hh, ±hhmm or ±hh:mm                             %F %T %R %D %r as in strftime
//   %% a percent sign                                      a blank, %n, %t: one or more blanks
//
// %S also takes a fraction after a point or comma, unless the format goes on with that character.
// Names may be in upper or lower case, short or long. All other characters stand for themselves.
//
// Thread safety: immutable. Read() does not allocate.
//
// Invariants
//   (1) A plan gives a whole date: year, and month and day or the day of the year. It reads no part
//       twice.
//   (2) Read() accepts the whole text or nothing. A weekday must be that of the date.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/calendar_time.h"
#include "windows/base/result.h"

namespace sash {

class TimePlan {
 public:
  // The message of an error names the character, from 1, and the remedy.
  static Result<TimePlan> Compile(std::string_view format);

  bool has_offset() const { return has_offset_; }
  const std::string& format() const { return format_; }
  // A text that fits.
  const std::string& example() const { return example_; }

  // Null when `text` fits; then `time` is a valid date and time of day, with its offset if the
  // format has one. Otherwise why it does not: "does not fit", or what is wrong with the date.
  const char* Read(std::string_view text, CalendarTime& time) const;

  static constexpr const char* kDoesNotFit = "does not fit";

 private:
  friend class TimePlanCompiler;

  enum class Part : std::uint8_t {
    kYear,
    kShortYear,
    kMonth,
    kDay,
    kPaddedDay,
    kDayOfYear,
    kHour,
    kHalfDayHour,
    kHalf,
    kMinute,
    kSecond,
    kFraction,
    kMonthName,
    kWeekday,
    kOffset,
    kLiteral,
    kBlanks
  };
  struct Step {
    Part part = Part::kLiteral;
    char literal = 0;       // of kSecond: the literal after it, if there is one
    bool exact = false;     // of a number: a digit follows, so all its digits must be there
    bool fraction = false;  // of kSecond: a fraction may follow
  };
  struct Scratch;
  static bool ReadStep(const Step& step, TextPieces& pieces, Scratch& found);

  std::string format_;
  std::string example_;
  std::vector<Step> steps_;
  bool has_offset_ = false;
};

}  // namespace sash
