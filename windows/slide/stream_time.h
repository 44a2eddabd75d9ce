// StreamTime: the moment of the engine's current round, and the positions of the axes that have no
// watermark.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "windows/base/clock.h"
#include "windows/ingest/axis_position.h"
#include "windows/ingest/time_policy.h"
#include "windows/slide/round_outline.h"

namespace sash {

struct StreamTime {
  explicit StreamTime(const Moment& at)
      : now(at.steady), wall(at.wall), processing_time(ToPosition(at.wall)) {}

  void Begin(const Moment& at, const TimePolicy& policy) {
    now = at.steady;
    wall = at.wall;
    processing_time = std::max(processing_time, ToPosition(wall));
    latest = policy.check_ahead ? wall + policy.ahead_limit : EventTime::max();
  }

  SteadyTime now;
  EventTime wall;
  Position processing_time = 0;  // `wall`, but it never goes back
  EventTime latest;              // later events are ahead of the clock
  std::uint64_t numbered = 0;    // the number of events, for windows by events
  bool ended = false;            // the source has ended
};

}  // namespace sash
