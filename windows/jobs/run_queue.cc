#include "windows/jobs/run_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sash {
namespace {

bool RunsAt(const RegisteredJob& job, RunPlace place) {
  return IsExternal(job.settings.parameters) == (place == RunPlace::kElsewhere);
}

}  // namespace

void RunQueue::Add(QueuedRun run, SteadyTime now) {
  RegisteredJob& job = *run.job;
  waiting_.push_back(std::move(run));
  ++job.status.waiting;
  NoteReady(job, now);
}

RunQueue::Runs::const_iterator RunQueue::Next(RunPlace place) const {
  return std::ranges::find_if(waiting_, [&](const QueuedRun& run) {
    return RunsAt(*run.job, place) && !IsUnderWay(run.job->settings.name);
  });
}

std::optional<QueuedRun> RunQueue::Begin(RunPlace place) {
  const auto next = Next(place);
  if (next == waiting_.end()) return std::nullopt;
  Runs begun;
  begun.splice(begun.end(), waiting_, next);
  RegisteredJob& job = *begun.front().job;
  --job.status.waiting;
  job.status.running = true;
  job.ready_since.reset();
  under_way_.push_back(begun.front().job);
  return std::move(begun.front());
}

void RunQueue::End(const RegisteredJobPtr& job, SteadyTime now) {
  job->status.running = false;
  std::erase(under_way_, job);
  NoteReady(*job, now);
}

// A job that is displaced and added again keeps its time.
void RunQueue::NoteReady(RegisteredJob& job, SteadyTime now) const {
  if (job.status.running || job.status.waiting == 0) {
    job.ready_since.reset();
  } else if (!job.ready_since) {
    job.ready_since = now;
  }
}

template <typename Chosen>
RunQueue::Runs RunQueue::TakeFirst(const Chosen& chosen) {
  Runs taken;
  const auto found = std::ranges::find_if(waiting_, chosen);
  if (found == waiting_.end()) return taken;
  --found->job->status.waiting;
  taken.splice(taken.end(), waiting_, found);
  return taken;
}

RunQueue::Runs RunQueue::TakeDue(const RegisteredJobPtr& job) {
  return TakeFirst([&](const QueuedRun& run) { return run.job == job && run.ticket; });
}

RunQueue::Runs RunQueue::TakeTriggered(const RegisteredJobPtr& job) {
  return TakeFirst([&](const QueuedRun& run) { return run.job == job && run.is_triggered(); });
}

RunQueue::Runs RunQueue::TakeAll(const RegisteredJobPtr& job) {
  Runs taken;
  for (auto run = waiting_.begin(); run != waiting_.end();) {
    const auto next = std::next(run);
    if (run->job == job) taken.splice(taken.end(), waiting_, run);
    run = next;
  }
  job->status.waiting = 0;
  return taken;
}

const QueuedRun* RunQueue::FindTriggered(const RegisteredJobPtr& job) const {
  const auto found = std::ranges::find_if(
      waiting_, [&](const QueuedRun& run) { return run.job == job && run.is_triggered(); });
  return found == waiting_.end() ? nullptr : &*found;
}

std::size_t RunQueue::under_way(RunPlace place) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      under_way_, [&](const RegisteredJobPtr& each) { return RunsAt(*each, place); }));
}

bool RunQueue::IsUnderWay(std::string_view job) const {
  return std::ranges::any_of(
      under_way_, [&](const RegisteredJobPtr& each) { return each->settings.name == job; });
}

}  // namespace sash
