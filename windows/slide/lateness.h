// Lateness: a histogram of how late the late events were.
//
// Thread safety: Note() belongs to the engine thread. Any thread may read the counts; each number
// is consistent by itself.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "windows/base/clock.h"

namespace sash {

struct Lateness {
  // Upper bounds of the buckets, in seconds: from delays that a larger disorder would accept to
  // delays that no disorder would. The last bucket has no bound.
  static constexpr std::array<double, 16> kBounds = {
      1, 2, 5, 10, 30, 60, 120, 300, 900, 3600, 10800, 21600, 43200, 86400, 172800, 604800};

  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> buckets{};  // not cumulative
  std::atomic<double> seconds = 0;                                       // the sum of all delays

  // Counts in double, because the distance of two times may not fit a Duration.
  void Note(EventTime reached, EventTime time) {
    constexpr double kNanosecondsASecond = 1e9;
    const double noted = (static_cast<double>(reached.time_since_epoch().count()) -
                          static_cast<double>(time.time_since_epoch().count())) /
                         kNanosecondsASecond;
    const auto bucket =
        static_cast<std::size_t>(std::ranges::lower_bound(kBounds, noted) - kBounds.begin());
    // Only the engine thread writes, so no locked instruction is needed.
    constexpr auto kAlone = std::memory_order_relaxed;
    buckets[bucket].store(buckets[bucket].load(kAlone) + 1, kAlone);
    seconds.store(seconds.load(kAlone) + noted, kAlone);
  }
};

}  // namespace sash
