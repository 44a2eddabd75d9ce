// PipelineStanding: whether the windows can move, for the watchdog of the service manager.
#pragma once

#include <cstdint>

namespace sash {

struct PipelineStanding {
  std::uint64_t rounds = 0;  // of the engine: batches and ticks that were finished
  bool jobs_busy = false;    // a run is in progress or waits, so the engine may be waiting for it
};

}  // namespace sash
