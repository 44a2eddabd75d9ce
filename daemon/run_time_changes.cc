#include "daemon/run_time_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/log_events.h"

namespace sash {
namespace {

using Kind = ChangeRequest::Kind;

HttpResponse Stopping() { return Busy("the process is stopping"); }

}  // namespace

std::shared_ptr<PendingAnswer> RunTimeChanges::Ask(ChangeRequest request) {
  auto answer = std::make_shared<PendingAnswer>();
  {
    const std::lock_guard lock(mutex_);
    if (!closed_ && asked_.size() < kMostWaiting) {
      asked_.push_back({std::move(request), answer});
    } else {
      answer->Give(closed_ ? Stopping() : Busy("too many changes are waiting already"));
    }
  }
  parts_.wake();
  return answer;
}

void RunTimeChanges::Execute() {
  Asked first;
  bool more = false;
  {
    const std::lock_guard lock(mutex_);
    if (asked_.empty()) return;
    first = std::move(asked_.front());
    asked_.pop_front();
    more = !asked_.empty();
  }
  first.answer->Give(Do(first.request));
  parts_.answered();
  if (more) parts_.wake();
}

void RunTimeChanges::Close() {
  std::deque<Asked> refused;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    refused.swap(asked_);
  }
  for (const Asked& asked : refused) asked.answer->Give(Stopping());
  parts_.answered();
}

HttpResponse RunTimeChanges::Do(const ChangeRequest& request) {
  ForgetLate();
  switch (request.kind) {
    case Kind::kAddJob:
      return AddJob(request);
    case Kind::kPutJob:
      return PutJob(request);
    case Kind::kRemoveJob:
      return RemoveJob(request);
    case Kind::kPauseJob:
      return PauseJob(request, true);
    case Kind::kResumeJob:
      return PauseJob(request, false);
    case Kind::kTriggerJob:
      return TriggerJob(request);
    case Kind::kAddWindow:
      return AddWindow(request);
    case Kind::kRemoveWindow:
      return RemoveWindow(request);
    case Kind::kReload:
      return AnswerReload();
  }
  return NotFound("no such change");
}

HttpResponse RunTimeChanges::AddJob(const ChangeRequest& request) {
  const ParsedItem<JobSpec> parsed = Parse(request, false);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return Refuse(parsed.errors);
  const JobScheduler& jobs = parts_.pipeline.jobs();
  if (jobs.Find(parsed.spec.name)) {
    return Conflict(fmt::format("there is a job '{}' already; PUT changes it", parsed.spec.name));
  }
  if (jobs.jobs().size() >= kMostJobs) {
    return Conflict(fmt::format("there are {} jobs already, which is the most", kMostJobs));
  }
  if (Status entered = Enter(parsed.spec); !entered) return Conflict(entered.error().message);
  Say(request.client, "job", parsed.spec.name, "added");
  return JobNow(201, parsed.spec.name);
}

HttpResponse RunTimeChanges::PutJob(const ChangeRequest& request) {
  const ParsedItem<JobSpec> parsed = Parse(request, true);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return Refuse(parsed.errors);
  const bool is_new = !parts_.pipeline.jobs().Find(request.name);
  if (is_new && parts_.pipeline.jobs().jobs().size() >= kMostJobs) {
    return Conflict(fmt::format("there are {} jobs already, which is the most", kMostJobs));
  }
  if (Status entered = Enter(parsed.spec); !entered) return Conflict(entered.error().message);
  Say(request.client, "job", request.name, is_new ? "added" : "changed");
  return JobNow(is_new ? 201 : 200, request.name);
}

HttpResponse RunTimeChanges::RemoveJob(const ChangeRequest& request) {
  if (!parts_.pipeline.jobs().Find(request.name)) return NoJob(request.name);
  Leave(request.name);
  Say(request.client, "job", request.name, "removed");
  return NothingToSay();
}

HttpResponse RunTimeChanges::PauseJob(const ChangeRequest& request, bool paused) {
  if (!parts_.pipeline.jobs().PauseJob(request.name, paused)) return NoJob(request.name);
  Say(request.client, "job", request.name, paused ? "paused" : "resumed");
  return JobNow(200, request.name);
}

HttpResponse RunTimeChanges::TriggerJob(const ChangeRequest& request) {
  JobScheduler& jobs = parts_.pipeline.jobs();
  const std::optional<JobSpec> job = jobs.Find(request.name);
  if (!job) return NoJob(request.name);
  const auto window = parts_.pipeline.engine().Find(job->window);
  if (!window || window->newest == nullptr) {
    return Conflict(
        fmt::format("window '{}' has not advanced yet: there is nothing to run on", job->window));
  }
  const Result<SnapshotId> snapshot = jobs.TriggerJob(request.name, window->newest);
  if (!snapshot) return NoJob(request.name);
  Say(request.client, "job", request.name, "triggered");
  JobStatus status;
  status.name = job->name;
  status.window = job->window;
  return TriggerAnswer(status, snapshot.value());
}

HttpResponse RunTimeChanges::AddWindow(const ChangeRequest& request) {
  WindowEngine& engine = parts_.pipeline.engine();
  const auto windows = engine.Windows();
  // Whether removals have to be reckoned with is the format's affair, and so the same for all.
  const ParsedItem<WindowSpec> parsed = ParseWindow(request.body, windows.front().spec.removals);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return Refuse(parsed.errors);
  const std::string& name = parsed.spec.name;
  if (engine.Find(name)) {
    return Conflict(fmt::format("there is a window '{}' already", name));
  }
  if (windows.size() >= kMostWindows) {
    return Conflict(fmt::format("there are {} windows already, which is the most", kMostWindows));
  }
  std::future<Status> done = engine.AddWindow(parsed.spec);
  if (Status added = Await(done); !added) {
    if (added.error().code == ErrorCode::kInvalidArgument) return Conflict(added.error().message);
    return Busy(added.error().message);
  }
  Say(request.client, "window", name, "added");
  const auto now = engine.Find(name);
  return WindowAnswer(201, name, now ? now->newest.get() : nullptr);
}

HttpResponse RunTimeChanges::RemoveWindow(const ChangeRequest& request) {
  WindowEngine& engine = parts_.pipeline.engine();
  if (late_.contains(request.name)) return Busy("the window is leaving already");
  if (!engine.Find(request.name)) {
    return NotFound(
        fmt::format("no window '{}'; there are: {}", request.name, fmt::join(WindowNames(), ", ")));
  }
  std::vector<std::string> users;
  for (const JobSpec& job : parts_.pipeline.jobs().jobs()) {
    if (job.window == request.name) users.push_back(job.name);
  }
  if (!users.empty()) {
    return Conflict(fmt::format("window '{}' is used; remove these jobs first: {}", request.name,
                                fmt::join(users, ", ")));
  }
  std::future<Status> done = engine.RemoveWindow(request.name);
  if (Status removed = Await(done); !removed) {
    if (done.valid()) late_[request.name] = std::move(done);
    if (removed.error().code == ErrorCode::kInvalidArgument) {
      return Conflict(removed.error().message);
    }
    return Busy(removed.error().message);
  }
  Say(request.client, "window", request.name, "removed");
  return NothingToSay();
}

HttpResponse RunTimeChanges::AnswerReload() {
  const ConfigReload::Outcome outcome = Reload();
  if (!outcome.errors.empty()) {
    std::vector<KeyTrouble> keys;
    for (const ConfigError& error : outcome.errors) {
      keys.push_back({error.key, fmt::format("{}:{}: {}", error.file, error.line, error.message)});
    }
    return Unprocessable("the configuration is wrong; nothing changed", keys);
  }
  std::vector<KeyChange> changed;
  std::vector<KeyChange> needs_restart;
  for (const ConfigChange& change : outcome.changes) {
    (change.live ? changed : needs_restart).push_back({change.key, change.before, change.after});
  }
  return ReloadAnswer(changed, needs_restart);
}

ConfigReload::Outcome RunTimeChanges::Reload() {
  ForgetLate();
  std::vector<WindowSpec> windows;
  for (auto& window : parts_.pipeline.engine().Windows()) windows.push_back(window.spec);
  parts_.reload.Follow(std::move(windows), parts_.pipeline.jobs().jobs());
  ConfigReload::Outcome outcome =
      parts_.reload.Read([this](const Config& wanted) { return Apply(wanted); });
  const auto live = std::ranges::count_if(outcome.changes, &ConfigChange::live);
  parts_.tell("reload", fmt::format(R"({{"success": {}, "changed": {}, "needs_restart": {}}})",
                                    outcome.errors.empty(), live,
                                    static_cast<std::ptrdiff_t>(outcome.changes.size()) - live));
  return outcome;
}

// What can fail comes first, and is undone when it does.
Status RunTimeChanges::Apply(const Config& wanted) {
  if (Status added = AddMissingWindows(wanted); !added) return added;
  parts_.follow_log(wanted.log);
  Fit(wanted.jobs);
  RemoveOtherWindows(wanted);
  return Ok{};
}

// The engine does it in its own time: once it has been waited for in vain, nothing is.
void RunTimeChanges::RemoveOtherWindows(const Config& wanted) {
  bool patient = true;
  for (const std::string& name : WindowNames()) {
    if (std::ranges::find(wanted.windows, name, &WindowSpec::name) != wanted.windows.end()) {
      continue;
    }
    std::future<Status> done = parts_.pipeline.engine().RemoveWindow(name);
    if (patient) (void)Await(done).ok();
    patient = !done.valid();
    if (done.valid()) late_[name] = std::move(done);
  }
}

Status RunTimeChanges::AddMissingWindows(const Config& wanted) {
  WindowEngine& engine = parts_.pipeline.engine();
  std::vector<std::string> added;
  for (const WindowSpec& window : wanted.windows) {
    if (engine.Find(window.name) && !late_.contains(window.name)) continue;
    std::future<Status> done = engine.AddWindow(window);
    Status status = Await(done);
    if (status.ok()) {
      added.push_back(window.name);
      continue;
    }
    if (done.valid()) added.push_back(window.name);  // it may come late
    for (const std::string& name : added) late_[name] = engine.RemoveWindow(name);
    return status;
  }
  return Ok{};
}

void RunTimeChanges::Fit(const std::vector<JobSpec>& jobs) {
  for (const JobSpec& job : parts_.pipeline.jobs().jobs()) {
    if (std::ranges::find(jobs, job.name, &JobSpec::name) == jobs.end()) Leave(job.name);
  }
  for (const JobSpec& job : jobs) (void)Enter(job).ok();  // its name is free, or its own
}

void RunTimeChanges::Leave(const std::string& job) {
  (void)parts_.pipeline.jobs().RemoveJob(job).ok();  // it is there: only this thread removes
  parts_.job_left(job);
}

Status RunTimeChanges::Enter(const JobSpec& job) {
  JobScheduler& jobs = parts_.pipeline.jobs();
  const std::optional<JobSpec> before = jobs.Find(job.name);
  if (before && IsSameJob(*before, job)) {
    jobs.ChangeJobs({job});
    return Ok{};
  }
  if (before) Leave(job.name);
  return jobs.AddJob(job);
}

ParsedItem<JobSpec> RunTimeChanges::Parse(const ChangeRequest& request, bool named) const {
  std::optional<std::string> name;
  if (named) name = request.name;
  return ParseJob(request.body, parts_.pipeline.keys().kind(), WindowNames(), name);
}

HttpResponse RunTimeChanges::JobNow(int status, const std::string& name) const {
  const std::vector<JobStatus> jobs = parts_.pipeline.jobs().Statuses();
  const auto found = std::ranges::find(jobs, name, &JobStatus::name);
  return found == jobs.end() ? NoJob(name) : JobAnswer(status, *found);
}

HttpResponse RunTimeChanges::NoJob(const std::string& name) const {
  std::vector<std::string> names;
  for (const JobSpec& job : parts_.pipeline.jobs().jobs()) names.push_back(job.name);
  return NotFound(fmt::format("no job '{}'; there are: {}", name, fmt::join(names, ", ")));
}

std::vector<std::string> RunTimeChanges::WindowNames() const {
  std::vector<std::string> names;
  for (const auto& window : parts_.pipeline.engine().Windows()) {
    if (!late_.contains(window.spec.name)) names.push_back(window.spec.name);
  }
  return names;
}

void RunTimeChanges::ForgetLate() {
  std::erase_if(late_, [](const auto& late) {
    return late.second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
}

Status RunTimeChanges::Await(std::future<Status>& done) {
  if (done.wait_for(kEnginePatience) == std::future_status::ready) return done.get();
  return Error{ErrorCode::kUnavailable,
               fmt::format("jobs have held the engine for {} s; it will be done when they let it",
                           kEnginePatience.count())};
}

void RunTimeChanges::Say(const std::string& client, const char* what, const std::string& name,
                         const char* change) {
  parts_.log.Log(process_events::kApiChanged,
                 fmt::format("api: {} {} {} by {}", what, name, change, client),
                 {{what, name}, {"change", change}, {"client", client}});
  parts_.tell(what, fmt::format(R"({{"{}": "{}", "change": "{}"}})", what, name, change));
}

HttpResponse RunTimeChanges::Refuse(const std::vector<ConfigError>& errors) const {
  std::vector<KeyTrouble> keys;
  std::string message;
  for (const ConfigError& error : errors) {
    keys.push_back({error.key, error.message});
    message += fmt::format("{}{}: {}", message.empty() ? "" : "; ", error.key, error.message);
  }
  return Unprocessable(message, keys);
}

}  // namespace sash
