// StallWatchdog: notices partitions that should deliver and do not.
//
// librdkafka can lose a partition silently (left paused for ever, a fetch that never comes back).
// The watchdog only names suspects; whoever asks looks at the partition's end and repositions it
// when there is something to read.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

class StallWatchdog {
 public:
  struct Partition {
    std::int64_t position = 0;
    bool expected = false;  // assigned, not paused by us, and its broker can be reached
  };

  explicit StallWatchdog(Duration patience) : patience_(patience) {}

  // The places of those that were expected for longer than the patience, and whose position did not
  // move meanwhile. Each is named once per patience.
  std::vector<std::size_t> Suspects(std::span<const Partition> partitions, SteadyTime now);

  // The places are other partitions' from now on.
  void Forget() { watches_.clear(); }

 private:
  struct Watch {
    std::int64_t position = -1;
    SteadyTime since;
  };
  const Duration patience_;
  std::vector<Watch> watches_;
};

}  // namespace sash
