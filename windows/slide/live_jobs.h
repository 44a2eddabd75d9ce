// LiveJobs: runs the live jobs (IsLive()) on the live views of their windows, each as often as it
// says, in a thread of its own that copies the views.
//
// Thread safety: Start() and Stop() belong to the thread that owns it; Look() to one thread at a
// time.
//
// Invariants
//   (1) A job runs again only if its window has moved, or has read more, since its last run.
//   (2) While a run of a job waits or is under way, the job gets no other run. So it has at most
//       one copy beside the one that its newest result holds.
//   (3) A paused job does not run.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/slide/window_engine.h"

namespace sash {

class LiveJobs {
 public:
  // A job that joins, or is resumed, is seen after this time at the latest.
  static constexpr std::chrono::milliseconds kLookAgain{200};

  // All outlive it.
  LiveJobs(const WindowEngine& engine, JobScheduler& jobs, const Clock& clock)
      : engine_(engine), jobs_(jobs), clock_(clock) {}

  void Start();
  // No job is given a run afterwards.
  void Stop();

  // Gives a run to each job whose time has come. Returns when to look again.
  SteadyTime Look();

 private:
  // What identifies the live view of a run.
  struct Seen {
    std::int64_t end = 0;
    SnapshotId snapshot{};
    std::map<TopicPartition, std::int64_t> offsets{};
    bool operator==(const Seen&) const = default;
  };
  struct Standing {
    SteadyTime due{};
    std::optional<Seen> last{};
  };

  void RunOn(const JobSpec& job, Standing& standing);

  const WindowEngine& engine_;
  JobScheduler& jobs_;
  const Clock& clock_;
  std::map<std::string, Standing> standings_;  // by job
  Mutex mutex_;
  StoppableCondVar stopped_;
  std::jthread thread_;
};

}  // namespace sash
