#include "daemon/http/axis_text.h"

#include <fmt/format.h>

#include <chrono>

#include "connectors/sinks/time_text.h"
#include "windows/ingest/axis_position.h"

namespace sash {

std::string_view AxisName(WindowAxis axis) {
  switch (axis) {
    case WindowAxis::kEventTime:
      return "event_time";
    case WindowAxis::kProcessingTime:
      return "processing_time";
    case WindowAxis::kEvents:
      break;
  }
  return "events";
}

std::string PlaceText(WindowAxis axis, Position position) {
  if (axis == WindowAxis::kEvents) return fmt::format("event {}", position);
  return TimeText(ToTime(position));
}

std::string AboutText(Duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  constexpr double kMinute = 60;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  if (seconds < 2 * kMinute) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.3g} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.3g} h", seconds / kHour);
  return fmt::format("{:.6g} days", seconds / kDay);
}

}  // namespace sash
