#include "connectors/codec/time_reader.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/number_text.h"

namespace sash {
namespace {

Error TimeError(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Duration StepOf(const FormatSpec& format) {
  switch (format.time_unit) {
    case TimeUnit::kSeconds:
      return std::chrono::seconds(1);
    case TimeUnit::kMilliseconds:
      return std::chrono::milliseconds(1);
    case TimeUnit::kMicroseconds:
      return std::chrono::microseconds(1);
    case TimeUnit::kNanoseconds:
      return std::chrono::nanoseconds(1);
    default:
      return format.time_step;
  }
}

}  // namespace

TimeReader::TimeReader(const FormatSpec& format)
    : unit_(format.time_unit), reads_numbers_(CountsIn(unit_) || unit_ == TimeUnit::kStep) {
  const bool has_base = format.time_base != EventTime();
  if (unit_ == TimeUnit::kStep || (reads_numbers_ && has_base)) {
    steps_ = TimeSteps{StepOf(format), format.time_base};
  }
}

Result<TimeReader> TimeReader::Make(const FormatSpec& format) {
  TimeReader reader(format);
  if (format.time_unit == TimeUnit::kFormat) {
    Result<TimePlan> plan = TimePlan::Compile(format.time_format);
    if (!plan.ok()) return std::move(plan).error().Within("the time format");
    reader.plan_ = std::move(plan).value();
  }
  if (!format.time_zone.empty() && !reader.reads_numbers_) {
    Result<ZoneTable> zone = ZoneTable::Load(format.time_zone);
    if (!zone.ok()) {
      return std::move(zone).error().Within(fmt::format("the zone {}", format.time_zone));
    }
    reader.zone_ = std::move(zone).value();
  }
  if (reader.plan_ && !reader.plan_->has_offset() && !reader.zone_) {
    return TimeError(kFormatNeedsZone);
  }
  return reader;
}

Result<EventTime> TimeReader::FromText(std::string_view text) {
  switch (unit_) {
    case TimeUnit::kRfc3339: {
      Result<EventTime> time = ParseRfc3339(text);
      if (time.ok()) return time;
      const auto looser = SplitIso8601(text);
      if (!looser || WhyInvalid(*looser) != nullptr) return time;
      return TimeError(time.error().message + (looser->offset
                                                   ? " (unit: iso8601 reads it)"
                                                   : " (unit: iso8601 with zone reads it)"));
    }
    case TimeUnit::kIso8601:
      return FromIso8601(text);
    case TimeUnit::kFormat:
      return FromFormat(text);
    default:
      return FromNumberText(text);
  }
}

Result<EventTime> TimeReader::FromNumberText(std::string_view text) const {
  Result<EventTime> time =
      steps_ ? ParseDecimalSteps(text, *steps_) : ParseDecimalTime(text, unit_);
  if (time.ok()) return time;
  if (!SpellingOf(text)) {
    return TimeError("is not a decimal number (for a date: unit: rfc3339 or iso8601, or a format)");
  }
  if (text.find_first_of("eE") == std::string_view::npos) return time;
  const Result<double> real = ParseReal(text);
  return real.ok() ? FromReal(real.value()) : TimeError(real.error().message);
}

Result<EventTime> TimeReader::FromIso8601(std::string_view text) {
  const auto time = SplitIso8601(text);
  if (!time) {
    return TimeError(
        "is not ISO 8601, as in 2026-01-31T08:15:00.250Z or 2026-01-31 09:15:00+0100 (for a date "
        "alone, give its format, as in \"%Y-%m-%d\")");
  }
  if (const char* const why = WhyInvalid(*time)) return TimeError(why);
  if (!time->offset && !zone_) {
    return TimeError("has no offset from UTC; give source.time.zone");
  }
  return At(*time);
}

Result<EventTime> TimeReader::FromFormat(std::string_view text) {
  CalendarTime time;
  if (const char* const why = plan_->Read(text, time)) {
    return TimeError(
        fmt::format("{} (format {}, as in {})", why, plan_->format(), plan_->example()));
  }
  return At(time);
}

Result<EventTime> TimeReader::At(const CalendarTime& time) {
  doubtful_ = false;
  if (time.offset) return TimeFromCalendar(time, *time.offset);
  const ZoneTable::Offset offset = zone_->At(LocalSeconds(time));
  doubtful_ = offset.doubtful;
  return TimeFromCalendar(time, offset.from_utc);
}

}  // namespace sash
