// StuckReplay: detects a replay that waits for memory and will never go on.
//
// A live stream may always recover: views are released, clocks move windows. A replay moves its
// windows only by reading, so when nothing is under way that could give memory back, it waits for
// ever.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "windows/base/clock.h"

namespace sash {

// The state of the process.
struct ReplayStanding {
  bool held = false;  // the source has more records and waits for memory
  bool queue_empty = false;
  bool jobs_busy = false;    // a run is under way or waits
  std::uint64_t events = 0;  // accepted
  std::uint64_t slices = 0;  // closed
  std::uint64_t runs = 0;    // finished
  std::uint64_t rounds = 0;  // of the engine; not counted while it works on one
  std::uint64_t used_bytes = 0;
};

class StuckReplay {
 public:
  static constexpr std::chrono::seconds kPatience{5};
  static constexpr std::uint64_t kRoundsOfCalm = 20;  // rounds of the engine, idle meanwhile

  // Whether nothing at all has happened for kPatience. Call it a few times a second.
  bool Observe(const ReplayStanding& standing, SteadyTime now);

 private:
  struct Calm {
    ReplayStanding begun;
    SteadyTime since;
  };
  std::optional<Calm> calm_;
};

}  // namespace sash
