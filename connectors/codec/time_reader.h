// TimeReader: reads event times in the way that source.time names.
//
// Thread safety: belongs to one thread. It does not allocate, except for the message of an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/time_plan.h"
#include "connectors/codec/time_text.h"
#include "connectors/codec/zone_table.h"
#include "windows/base/result.h"

namespace sash {

// What is wrong with a format that needs a zone and has none.
inline constexpr const char* kFormatNeedsZone =
    "the time format has no %z, so zone must say which zone the times are in, such as UTC";

class TimeReader {
 public:
  // Fails for a wrong format or zone.
  static Result<TimeReader> Make(const FormatSpec& format);

  // Whether times are numbers, or text that is a number. If not, FromInteger() and FromReal() must
  // not be called.
  bool reads_numbers() const { return reads_numbers_; }
  // Whether an integer is read as the text of a date (20260131).
  bool reads_digits() const { return unit_ == TimeUnit::kFormat; }

  Result<EventTime> FromInteger(std::int64_t value) const {
    return steps_ ? TimeFromSteps(value, *steps_) : TimeFromInteger(value, unit_);
  }
  Result<EventTime> FromReal(double value) const {
    return steps_ ? TimeFromRealSteps(value, *steps_) : TimeFromReal(value, unit_);
  }
  // The message of an error says what is expected, without repeating the text.
  Result<EventTime> FromText(std::string_view text);

  // Whether the last text was a local time that its zone skips or repeats (zone_table.h).
  bool doubtful() const { return doubtful_; }

 private:
  explicit TimeReader(const FormatSpec& format);

  Result<EventTime> FromNumberText(std::string_view text) const;
  Result<EventTime> FromIso8601(std::string_view text);
  Result<EventTime> FromFormat(std::string_view text);
  Result<EventTime> At(const CalendarTime& time);

  TimeUnit unit_;
  bool reads_numbers_ = true;
  bool doubtful_ = false;
  std::optional<TimeSteps> steps_;  // numbers that are not just s, ms, us or ns since 1970
  std::optional<TimePlan> plan_;
  std::optional<ZoneTable> zone_;
};

}  // namespace sash
