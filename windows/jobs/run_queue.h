// RunQueue: the runs that wait and the runs that are under way. It decides which run begins next.
//
// Thread safety: none; JobScheduler serialises.
//
// Invariants
//   (1) Runs of one job begin in the order in which they were added, and never while another one is
//       under way: a run continues from the result before it. The same is true for a job and a
//       removed job of its name, because both have results under this name.
//   (2) Of the runs at one place that may begin, the one that was added first does. A run that
//       replaces an older run of its job takes over the place of the older one. So a job that
//       becomes due more often than it runs does not wait for ever behind other jobs.
//   (3) A run whose job has a baseline on another window begins when that window has moved to every
//       end up to the run's, and when no run of the jobs that it is compared with waits or is under
//       way on such an end. Jobs must not be compared with each other in a circle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/jobs/queued_run.h"
#include "windows/jobs/registered_job.h"

namespace sash {

// Where a run takes place.
enum class RunPlace : std::uint8_t { kHere, kElsewhere };  // in this process; by a worker

class RunQueue {
 public:
  using Runs = std::list<QueuedRun>;

  // Behind all others. `now`: of the steady clock, here and below.
  void Add(QueuedRun run, SteadyTime now);

  // The run that begins now; nothing if none may begin there. End() must follow.
  std::optional<QueuedRun> Begin(RunPlace place);
  bool HasNext(RunPlace place) const { return Next(place) != waiting_.end(); }
  void End(const RegisteredJobPtr& job, SteadyTime now);

  // Adds `run` in place of the waiting runs of its job that are of its kind: either runs on
  // advances that will be reported, or triggered runs. The job keeps its places in the queue; if it
  // has fewer runs now, the foremost of them. In these places, (1) holds. Returns what was
  // replaced, oldest first. The runs hold views, which take milliseconds to free: the caller frees
  // them without a lock.
  Runs Replace(QueuedRun run, SteadyTime now);

  // Removes all waiting runs of `job` from the queue and returns them; they hold views, too.
  Runs TakeAll(const RegisteredJobPtr& job);

  // Null: none waits. Valid until the queue changes.
  const QueuedRun* FindTriggered(const RegisteredJobPtr& job) const;

  bool IsUnderWay(std::string_view job) const;
  std::size_t under_way(RunPlace place) const;

  // `window` moves to `end`: every window of its axis has moved to every end before that.
  void Reach(const std::string& window, std::int64_t end);
  // `window` has moved to `end`, and its runs there are added.
  void Pass(const std::string& window, std::int64_t end);
  // Every window of the axis of `window` has moved to every end at or before `end`.
  void PassAll(const std::string& window, std::int64_t end);
  std::optional<std::int64_t> ReachedEnd(const std::string& window) const;
  // Whether a run waits until a window has moved.
  bool HasHeld() const;
  // Whether runs wait, and all of them for windows that have not moved.
  bool is_stuck() const;
  // The window ends of the runs of `job` that wait or are under way.
  std::vector<std::int64_t> EndsOf(const RegisteredJobPtr& job) const;

 private:
  Runs::const_iterator Next(RunPlace place) const;
  void NoteReady(RegisteredJob& job, SteadyTime now) const;
  bool IsHeld(const QueuedRun& run) const;
  bool AwaitsBaseline(const QueuedRun& run) const;

  struct UnderWay {
    RegisteredJobPtr job;  // it may have been removed
    std::int64_t end = 0;
    bool is_triggered = false;
  };
  Runs waiting_;  // oldest first
  std::vector<UnderWay> under_way_;
  // By window: the newest end of Reach(), Pass() and PassAll().
  std::map<std::string, std::int64_t> reached_;
  std::map<std::string, std::int64_t> passed_;
  std::map<std::string, std::int64_t> all_passed_;
};

}  // namespace sash
