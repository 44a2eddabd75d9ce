#include "daemon/memory/stuck_replay.h"

namespace sash {

bool StuckReplay::Observe(const ReplayStanding& standing, SteadyTime now) {
  if (!standing.held || !standing.queue_empty || standing.jobs_busy) {
    calm_.reset();
    return false;
  }
  const auto has_moved = [&](const ReplayStanding& begun) {
    return standing.events != begun.events || standing.slices != begun.slices ||
           standing.runs != begun.runs ||
           standing.used_bytes < begun.used_bytes - begun.used_bytes / 100;
  };
  if (!calm_ || has_moved(calm_->begun)) {
    calm_ = Calm{standing, now};
    return false;
  }
  return now - calm_->since >= kPatience && standing.rounds - calm_->begun.rounds >= kRoundsOfCalm;
}

}  // namespace sash
