// StallWatchdog: notices partitions that should deliver records and do not.
//
// librdkafka can lose a partition silently (it stays paused for ever, or a fetch never returns).
// The watchdog only names suspects. The caller (PlaceRepair) asks for the partition's end, and
// repositions it when there is something to read.
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

  // The places of the partitions that have been expected to deliver for longer than the patience,
  // and whose position did not move meanwhile. Each is named once per patience.
  std::vector<std::size_t> Suspects(std::span<const Partition> partitions, SteadyTime now);

  // Forgets all positions, because the places mean other partitions from now on.
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
