#include "windows/jobs/plugin/lost_runs.h"

#include <algorithm>
#include <utility>

namespace sash {

void LostRuns::Keep(const std::string& job, std::shared_ptr<PluginCall> call, std::thread thread) {
  const MutexLock lock(mutex_);
  runs_.push_back({job, std::move(call), std::move(thread)});
}

void LostRuns::ForgetEnded() {
  for (auto run = runs_.begin(); run != runs_.end();) {
    const auto next = std::next(run);
    if (run->call->AwaitEnd({})) {
      run->thread.join();
      runs_.erase(run);
    }
    run = next;
  }
}

bool LostRuns::IsUnderWay(std::string_view job) {
  const MutexLock lock(mutex_);
  ForgetEnded();
  return std::ranges::any_of(runs_, [&](const LostRun& run) { return run.job == job; });
}

std::size_t LostRuns::under_way() {
  const MutexLock lock(mutex_);
  ForgetEnded();
  return runs_.size();
}

void LostRuns::Await() {
  std::list<LostRun> runs;
  {
    const MutexLock lock(mutex_);
    runs.swap(runs_);
  }
  for (LostRun& run : runs) run.thread.join();
}

}  // namespace sash
