// PipelineStanding: whether the windows can move, as the watchdog of the service manager asks.
#pragma once

#include <cstdint>

namespace sash {

struct PipelineStanding {
  std::uint64_t rounds = 0;  // of the engine: batches and ticks that were finished
  bool jobs_busy = false;    // a run is under way or waits: the engine may rightly wait for it
};

}  // namespace sash
