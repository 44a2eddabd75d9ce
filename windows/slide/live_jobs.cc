#include "windows/slide/live_jobs.h"

#include <algorithm>
#include <utility>

#include "windows/slide/live_advance.h"

namespace sash {

void LiveJobs::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const Duration pause = Look() - clock_.Steady();
      const MutexLock lock(mutex_);
      (void)stopped_.WaitUntil(mutex_, stop, std::chrono::steady_clock::now() + pause);
    }
  });
}

void LiveJobs::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

SteadyTime LiveJobs::Look() {
  const SteadyTime now = clock_.Steady();
  SteadyTime next = now + kLookAgain;
  std::map<std::string, Standing> standings;  // without those of jobs that have left
  for (const JobScheduler::LiveJob& live : jobs_.LiveOnes()) {
    const JobSpec& job = live.spec;
    Standing standing = std::exchange(standings_[job.name], {});
    standing.due = std::min(standing.due, now + *job.live_every);  // it may have become shorter
    SteadyTime again = standing.due;
    if (standing.due <= now) {
      again = now + *job.live_every;
      if (live.is_free) {
        RunOn(job, standing);
        standing.due = again;
      }
    }
    next = std::min(next, again);
    standings[job.name] = std::move(standing);
  }
  standings_ = std::move(standings);
  return next;
}

void LiveJobs::RunOn(const JobSpec& job, Standing& standing) {
  const auto window = engine_.Find(job.window);
  if (!window || !window->live || window->live->is_rebuilding) return;
  Seen now{.end = window->live->end,
           .snapshot = window->live->snapshot,
           .offsets = OffsetsOfCut(engine_, *window->live)};
  if (standing.last == now) return;
  AdvancePtr advance = LiveAdvance(engine_, *window, clock_);
  if (!advance) return;
  if (!jobs_.TriggerJob(job.name, std::move(advance))) return;  // it has left meanwhile
  standing.last = std::move(now);
}

}  // namespace sash
