// The state of an alert, for the API and for metrics.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/alerts/alert_spec.h"
#include "windows/base/clock.h"

namespace sash {

enum class AlertState : std::uint8_t {
  kWaiting,  // for the first result since the start
  kQuiet,    // the condition holds for nothing
  kPending,  // it holds, but not for enough results yet
  kFiring,   // it holds, for enough results
  kPaused,
};

constexpr std::string_view NameOf(AlertState state) {
  switch (state) {
    case AlertState::kWaiting:
      return "waiting";
    case AlertState::kQuiet:
      return "quiet";
    case AlertState::kPending:
      return "pending";
    case AlertState::kFiring:
      return "firing";
    case AlertState::kPaused:
      break;
  }
  return "paused";
}

struct AlertStatus {
  AlertSpec spec{};
  AlertState state = AlertState::kWaiting;
  std::string summary{};         // why it is in this state: a sentence
  std::uint64_t results = 0;     // seen since the start
  std::uint64_t fired = 0;       // since the start, like the next ones
  std::uint64_t suppressed = 0;  // by at_most
  std::uint64_t left_out = 0;    // beyond AlertTrack::kMostFired of one result
  std::uint64_t failures = 0;    // rows for which the filter has no value
  std::string last_failure{};
  std::size_t holding = 0;  // subjects for which the condition holds
  std::optional<EventTime> newest_end{};
  std::optional<EventTime> last_fired{};  // window end of the newest alert
  std::vector<std::string> last{};        // the newest alerts, as JSON
};

}  // namespace sash
