// TimePolicy: how the engine handles a stream's time (configuration: source.time).
//
// Thread safety: a plain value.
#pragma once

#include <chrono>
#include <cstdint>

#include "windows/base/clock.h"

namespace sash {

enum class LatePolicy : std::uint8_t { kDrop, kDeadLetter, kNextSlice };
enum class SilencePolicy : std::uint8_t { kHold, kClock };

struct TimePolicy {
  Duration disorder = std::chrono::seconds(2);  // how far events of a partition may be out of order
  Duration idle_after =
      std::chrono::seconds(10);  // silence after which a caught-up partition is idle
  SilencePolicy on_silence = SilencePolicy::kHold;
  // Events further ahead of the wall clock are refused; in a replay, events further ahead of the
  // events around them.
  Duration ahead_limit = std::chrono::minutes(1);
  bool auto_ahead_limit = true;  // ahead_limit is derived from the windows, not configured
  bool check_ahead = true;       // compare events with the wall clock
  LatePolicy late = LatePolicy::kDeadLetter;
  Duration max_drift = std::chrono::minutes(1);  // partitions further ahead than this are paused
  // An edge whose id an edge had at most this long before is a duplicate; 0: no edge is one.
  Duration dedupe_within{};
};

}  // namespace sash
