#include "windows/jobs/run_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sash {
namespace {

bool RunsAt(const RegisteredJob& job, RunPlace place) {
  return IsExternal(job.settings.parameters) == (place == RunPlace::kElsewhere);
}

void NoteNewest(const std::string& window, std::int64_t end,
                std::map<std::string, std::int64_t>& ends) {
  const auto [place, is_new] = ends.try_emplace(window, end);
  place->second = std::max(place->second, end);
}

std::optional<std::int64_t> NewestOf(const std::string& window,
                                     const std::map<std::string, std::int64_t>& ends) {
  const auto found = ends.find(window);
  if (found == ends.end()) return std::nullopt;
  return found->second;
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
    return RunsAt(*run.job, place) && !AwaitsBaseline(run) && !IsUnderWay(run.job->settings.name);
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
  const QueuedRun& run = begun.front();
  under_way_.push_back({run.job, run.on()->end, run.is_triggered()});
  return std::move(begun.front());
}

void RunQueue::End(const RegisteredJobPtr& job, SteadyTime now) {
  job->status.running = false;
  std::erase_if(under_way_, [&](const UnderWay& each) { return each.job == job; });
  NoteReady(*job, now);
}

// A job whose run is replaced keeps its time.
void RunQueue::NoteReady(RegisteredJob& job, SteadyTime now) const {
  if (job.status.running || job.status.waiting == 0) {
    job.ready_since.reset();
  } else if (!job.ready_since) {
    job.ready_since = now;
  }
}

RunQueue::Runs RunQueue::Replace(QueuedRun run, SteadyTime now) {
  const RegisteredJobPtr job = run.job;
  std::vector<QueuedRun*> places;
  Runs kept;
  Runs replaced;
  for (QueuedRun& each : waiting_) {
    if (each.job != job) continue;
    places.push_back(&each);
    const bool is_older = run.ticket ? each.ticket != nullptr : each.is_triggered();
    (is_older ? replaced : kept).push_back(std::move(each));
  }
  kept.push_back(std::move(run));
  for (std::size_t i = 0; i < places.size() && !kept.empty(); ++i, kept.pop_front()) {
    *places[i] = std::move(kept.front());
  }
  std::erase_if(waiting_, [](const QueuedRun& each) { return each.job == nullptr; });
  waiting_.splice(waiting_.end(), kept);
  job->status.waiting = job->status.waiting + 1 - replaced.size();
  NoteReady(*job, now);
  return replaced;
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
      under_way_, [&](const UnderWay& each) { return RunsAt(*each.job, place); }));
}

bool RunQueue::IsUnderWay(std::string_view job) const {
  return std::ranges::any_of(under_way_,
                             [&](const UnderWay& each) { return each.job->settings.name == job; });
}

void RunQueue::Reach(const std::string& window, std::int64_t end) {
  NoteNewest(window, end, reached_);
}

void RunQueue::Pass(const std::string& window, std::int64_t end) {
  NoteNewest(window, end, passed_);
}

void RunQueue::PassAll(const std::string& window, std::int64_t end) {
  NoteNewest(window, end, all_passed_);
}

std::optional<std::int64_t> RunQueue::ReachedEnd(const std::string& window) const {
  return NewestOf(window, reached_);
}

bool RunQueue::IsHeld(const QueuedRun& run) const {
  const JobSpec& job = run.job->settings;
  if (!job.baseline || job.baseline->window.empty()) return false;
  const std::int64_t end = run.on()->end;
  const bool is_passed = NewestOf(job.baseline->window, passed_).value_or(end - 1) >= end ||
                         NewestOf(job.window, all_passed_).value_or(end - 1) >= end ||
                         NewestOf(job.window, reached_).value_or(end) > end;
  return !is_passed;
}

bool RunQueue::AwaitsBaseline(const QueuedRun& run) const {
  if (!run.job->settings.baseline) return false;
  if (IsHeld(run)) return true;
  const std::int64_t end = run.on()->end;
  const auto is_awaited = [&](const RegisteredJobPtr& other, std::int64_t at, bool triggered) {
    return !triggered && at <= end && other != run.job &&
           IsComparedWith(run.job->settings, other->settings);
  };
  return std::ranges::any_of(waiting_,
                             [&](const QueuedRun& each) {
                               return is_awaited(each.job, each.on()->end, each.is_triggered());
                             }) ||
         std::ranges::any_of(under_way_, [&](const UnderWay& each) {
           return is_awaited(each.job, each.end, each.is_triggered);
         });
}

bool RunQueue::HasHeld() const {
  return std::ranges::any_of(waiting_, [&](const QueuedRun& run) { return IsHeld(run); });
}

bool RunQueue::is_stuck() const {
  return under_way_.empty() && !waiting_.empty() && !HasNext(RunPlace::kHere) &&
         !HasNext(RunPlace::kElsewhere);
}

std::vector<std::int64_t> RunQueue::EndsOf(const RegisteredJobPtr& job) const {
  std::vector<std::int64_t> ends;
  for (const QueuedRun& run : waiting_) {
    if (run.job == job) ends.push_back(run.on()->end);
  }
  for (const UnderWay& run : under_way_) {
    if (run.job == job) ends.push_back(run.end);
  }
  return ends;
}

}  // namespace sash
