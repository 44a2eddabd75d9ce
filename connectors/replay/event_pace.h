// EventPace: when an event of a replay is due, if events come as fast as they happened.
//
// Thread safety: belongs to one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "windows/base/clock.h"

namespace sash {

class EventPace {
 public:
  // The first event is due at `now`. An event that is earlier than the first one is due then, too.
  SteadyTime DueOf(EventTime time, SteadyTime now) {
    using std::chrono::microseconds;
    // The span of all event times overflows nanoseconds.
    constexpr std::chrono::years kForever(100);
    if (!first_) first_ = First{time, now};
    const auto after = std::min<microseconds>(
        std::chrono::floor<microseconds>(time) - std::chrono::floor<microseconds>(first_->event),
        kForever);
    return first_->due + std::max(after, microseconds(0));
  }

 private:
  struct First {
    EventTime event;
    SteadyTime due;
  };
  std::optional<First> first_;
};

}  // namespace sash
