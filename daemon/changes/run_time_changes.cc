#include "daemon/changes/run_time_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/changes/refusals.h"
#include "daemon/config/job_baselines.h"
#include "daemon/config/job_windows.h"
#include "daemon/config/parse_config.h"
#include "daemon/config/window_extents.h"
#include "daemon/http/api_routes.h"
#include "daemon/log/log_events.h"
#include "daemon/plugins/job_plugin.h"
#include "windows/slide/live_advance.h"

namespace sash {
namespace {

constexpr const char* kSlicesNeedWindow =
    "it is the last window by event time, and the export of slices needs one; add another first";

using Kind = ChangeRequest::Kind;

HttpResponse Stopping() { return Busy("the process is stopping"); }

}  // namespace

std::shared_ptr<PendingAnswer> RunTimeChanges::Ask(ChangeRequest request) {
  auto answer = std::make_shared<PendingAnswer>();
  {
    const MutexLock lock(mutex_);
    if (!closed_ && asked_.size() + described_ < kMostWaiting) {
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
    const MutexLock lock(mutex_);
    if (asked_.empty()) return;
    first = std::move(asked_.front());
    asked_.pop_front();
    more = !asked_.empty();
  }
  if (const std::optional<std::string> file = PluginToAsk(first)) {
    Describe(*file, std::move(first));
  } else {
    first.answer->Give(Do(first));
    jobs_.HoldCompared();
    parts_.answered();
  }
  if (more) parts_.wake();
}

std::optional<std::string> RunTimeChanges::PluginToAsk(const Asked& asked) const {
  const Kind kind = asked.request.kind;
  if (asked.described || (kind != Kind::kAddJob && kind != Kind::kPutJob)) return std::nullopt;
  const ParsedItem<JobSpec> parsed = ReadJob(asked.request);
  if (!parsed.ok()) return std::nullopt;
  return PluginToDescribe(parsed.spec, parts_.reload.running().plugins);
}

void RunTimeChanges::Describe(const std::string& file, Asked asked) {
  {
    const MutexLock lock(mutex_);
    ++described_;
  }
  inquiries_.Ask(file, [this, asked = std::move(asked)](DescribedPlugin described) mutable {
    asked.described = std::move(described);
    TakeDescribed(std::move(asked));
  });
}

void RunTimeChanges::TakeDescribed(Asked asked) {
  {
    const MutexLock lock(mutex_);
    --described_;
    if (!closed_) {
      asked_.push_back(std::move(asked));
    } else {
      asked.answer->Give(Stopping());
    }
  }
  parts_.wake();
}

void RunTimeChanges::Close() {
  std::deque<Asked> refused;
  {
    const MutexLock lock(mutex_);
    closed_ = true;
    refused.swap(asked_);
  }
  for (const Asked& asked : refused) asked.answer->Give(Stopping());
  inquiries_.Stop();
  parts_.answered();
}

HttpResponse RunTimeChanges::Do(const Asked& asked) {
  const ChangeRequest& request = asked.request;
  windows_.ForgetGone();
  switch (request.kind) {
    case Kind::kAddJob:
      return AddJob(asked);
    case Kind::kPutJob:
      return PutJob(asked);
    case Kind::kRemoveJob:
      return RemoveJob(request);
    case Kind::kPauseJob:
      return PauseJob(request, true);
    case Kind::kResumeJob:
      return PauseJob(request, false);
    case Kind::kTriggerJob:
      return TriggerJob(request);
    case Kind::kAddAlert:
      return alerts_.Add(request);
    case Kind::kPutAlert:
      return alerts_.Put(request);
    case Kind::kRemoveAlert:
      return alerts_.Remove(request);
    case Kind::kPauseAlert:
      return alerts_.Pause(request, true);
    case Kind::kResumeAlert:
      return alerts_.Pause(request, false);
    case Kind::kTestAlert:
      return alerts_.Test(request);
    case Kind::kAddWindow:
      return AddWindow(request);
    case Kind::kPutWindow:
      return PutWindow(request);
    case Kind::kRemoveWindow:
      return RemoveWindow(request);
    case Kind::kExportWindow:
      return ExportWindow(request);
    case Kind::kReload:
      return AnswerReload();
  }
  return NotFound("no such change");
}

HttpResponse RunTimeChanges::AddJob(const Asked& asked) {
  const ChangeRequest& request = asked.request;
  const ParsedItem<JobSpec> parsed = ParseJob(asked);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  const JobScheduler& jobs = parts_.pipeline.jobs();
  if (jobs.Find(parsed.spec.name)) {
    return Conflict(fmt::format("there is a job '{}' already; PUT changes it", parsed.spec.name));
  }
  if (jobs.jobs().size() >= RunTimeJobs::kMost) {
    return Conflict(fmt::format("there are {} jobs already, the maximum", RunTimeJobs::kMost));
  }
  if (Status entered = jobs_.Put(parsed.spec); !entered) return Conflict(entered.error().message);
  Say(request.client, "job", parsed.spec.name, "added");
  return JobNow(201, parsed.spec.name);
}

HttpResponse RunTimeChanges::PutJob(const Asked& asked) {
  const ChangeRequest& request = asked.request;
  const ParsedItem<JobSpec> parsed = ParseJob(asked);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  const bool is_new = !parts_.pipeline.jobs().Find(request.name);
  if (is_new && parts_.pipeline.jobs().jobs().size() >= RunTimeJobs::kMost) {
    return Conflict(fmt::format("there are {} jobs already, the maximum", RunTimeJobs::kMost));
  }
  if (const auto why = alerts_.WhyNotOn(parsed.spec)) return Conflict(*why);
  if (Status entered = jobs_.Put(parsed.spec); !entered) return Conflict(entered.error().message);
  Say(request.client, "job", request.name, is_new ? "added" : "changed");
  return JobNow(is_new ? 201 : 200, request.name);
}

HttpResponse RunTimeChanges::RemoveJob(const ChangeRequest& request) {
  if (!parts_.pipeline.jobs().Find(request.name)) return NoJob(request.name);
  jobs_.Remove(request.name);
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
  AdvancePtr advance;
  if (window) {
    advance = IsLive(*job) ? LiveAdvance(parts_.pipeline.engine(), *window, parts_.pipeline.clock())
                           : window->newest;
  }
  if (advance == nullptr) {
    return Conflict(fmt::format("window '{}' has {} yet: there is nothing to run on", job->window,
                                IsLive(*job) ? "no live view" : "not advanced"));
  }
  const Result<SnapshotId> snapshot = jobs.TriggerJob(request.name, std::move(advance));
  if (!snapshot) return NoJob(request.name);
  Say(request.client, "job", request.name, "triggered");
  JobStatus status;
  status.name = job->name;
  status.window = job->window;
  return TriggerAnswer(status, snapshot.value());
}

ParsedItem<WindowSpec> RunTimeChanges::ParseWindow(const ChangeRequest& request, bool named) const {
  std::optional<std::string> name;
  if (named) name = request.name;
  // Whether removals must be expected depends on the format, so it is the same for all windows.
  return sash::ParseWindow(request.body, windows_.Specs().front().removals,
                           parts_.reload.running().source, name);
}

HttpResponse RunTimeChanges::AddWindow(const ChangeRequest& request) {
  const ParsedItem<WindowSpec> parsed = ParseWindow(request, false);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  if (parts_.pipeline.engine().Find(parsed.spec.name)) {
    return Conflict(
        fmt::format("there is a window '{}' already; PUT changes it", parsed.spec.name));
  }
  return EnterWindow(request, parsed.spec, true);
}

HttpResponse RunTimeChanges::PutWindow(const ChangeRequest& request) {
  const ParsedItem<WindowSpec> parsed = ParseWindow(request, true);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  if (windows_.IsLeaving(request.name)) return Busy("the window is being removed");
  return EnterWindow(request, parsed.spec, !parts_.pipeline.engine().Find(request.name));
}

HttpResponse RunTimeChanges::EnterWindow(const ChangeRequest& request, const WindowSpec& spec,
                                         bool is_new) {
  const WindowEngine& engine = parts_.pipeline.engine();
  if (is_new && engine.Windows().size() >= RunTimeWindows::kMost) {
    return Conflict(
        fmt::format("there are {} windows already, the maximum", RunTimeWindows::kMost));
  }
  const WindowPanes panes = windows_.Panes();
  if (const auto pane = panes.find(spec.by); pane != panes.end()) {
    if (const auto why = WhyTooManyPanes(spec, pane->second)) {
      return Unprocessable("length: " + *why, {{"length", *why}});
    }
  }
  if (Status put = windows_.Put({spec}); !put) return RefuseChange(put.error());
  Say(request.client, "window", spec.name, is_new ? "added" : "changed");
  const auto now = engine.Find(spec.name);
  return WindowAnswer(is_new ? 201 : 200, spec.name, now ? now->newest.get() : nullptr);
}

HttpResponse RunTimeChanges::NoWindow(const std::string& name) const {
  return NotFound(
      fmt::format("no window '{}'; there are: {}", name, fmt::join(windows_.Names(), ", ")));
}

HttpResponse RunTimeChanges::ExportWindow(const ChangeRequest& request) {
  const auto window = parts_.pipeline.engine().Find(request.name);
  if (!window) return NoWindow(request.name);
  if (window->newest == nullptr) {
    return Conflict(
        fmt::format("window '{}' has not advanced yet: there is nothing to export", request.name));
  }
  const std::vector<AskedExport> asked = parts_.pipeline.exports().Ask(window->newest);
  if (asked.empty()) {
    return Conflict(fmt::format(
        "no export lists window '{}'; add it to `windows` of an item of `exports`", request.name));
  }
  Say(request.client, "window", request.name, "exported");
  return ExportAnswer(window->newest->provenance, asked);
}

HttpResponse RunTimeChanges::RemoveWindow(const ChangeRequest& request) {
  if (windows_.IsLeaving(request.name)) return Busy("the window is already being removed");
  if (!parts_.pipeline.engine().Find(request.name)) return NoWindow(request.name);
  std::vector<std::string> users;
  for (const JobSpec& job : parts_.pipeline.jobs().jobs()) {
    if (job.window == request.name) users.push_back(job.name);
  }
  if (!users.empty()) {
    return Conflict(fmt::format("window '{}' is used; remove these jobs first: {}", request.name,
                                fmt::join(users, ", ")));
  }
  std::vector<WindowSpec> left = windows_.Specs();
  std::erase_if(left, [&](const WindowSpec& window) { return window.name == request.name; });
  if (TakesSlices(left)) return Conflict(kSlicesNeedWindow);
  if (Status removed = windows_.Remove(request.name); !removed) {
    return RefuseChange(removed.error());
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
  windows_.ForgetGone();
  parts_.reload.Follow(windows_.Specs(), windows_.Panes(), parts_.pipeline.jobs().jobs(),
                       parts_.pipeline.alerts().Specs());
  ConfigReload::Outcome outcome =
      parts_.reload.Read([this](const Config& wanted) { return Apply(wanted); });
  const auto live = std::ranges::count_if(outcome.changes, &ConfigChange::live);
  parts_.tell("reload", fmt::format(R"({{"success": {}, "changed": {}, "needs_restart": {}}})",
                                    outcome.errors.empty(), live,
                                    static_cast<std::ptrdiff_t>(outcome.changes.size()) - live));
  return outcome;
}

// Whether slices are exported, and none would be cut any more.
bool RunTimeChanges::TakesSlices(const std::vector<WindowSpec>& left) const {
  if (parts_.pipeline.exports().shard() != nullptr) return false;  // it has no windows
  return parts_.pipeline.exports().slices() != nullptr &&
         std::ranges::find(left, WindowAxis::kEventTime, &WindowSpec::by) == left.end();
}

// Steps that can fail come first.
Status RunTimeChanges::Apply(const Config& wanted) {
  for (const WindowSpec& window : wanted.windows) {
    if (windows_.IsLeaving(window.name)) {
      return Error{ErrorCode::kUnavailable,
                   fmt::format("window '{}' is still being removed; try again", window.name)};
    }
  }
  if (TakesSlices(wanted.windows)) return Error{ErrorCode::kInvalidArgument, kSlicesNeedWindow};
  if (!wanted.alerts.empty()) {
    if (Status opened = parts_.pipeline.alerts().OpenStore(); !opened) return opened;
  }
  if (Status put = windows_.Put(wanted.windows); !put) return put;
  parts_.follow_log(wanted.log);
  jobs_.Fit(wanted.jobs);
  (void)alerts_.Fit(wanted.alerts).ok();  // they were checked when the file was read
  windows_.RemoveOthers(wanted.windows);
  jobs_.HoldCompared();
  return Ok{};
}

ParsedItem<JobSpec> RunTimeChanges::ReadJob(const ChangeRequest& request) const {
  std::optional<std::string> name;
  if (request.kind == Kind::kPutJob) name = request.name;
  return sash::ParseJob(request.body, parts_.pipeline.keys().kind(), windows_.Names(), name);
}

ParsedItem<JobSpec> RunTimeChanges::ParseJob(const Asked& asked) const {
  ParsedItem<JobSpec> parsed = ReadJob(asked.request);
  if (!parsed.ok()) return parsed;
  if (auto why = WhyWithoutSnapshots(parsed.spec, parts_.reload.running().exports)) {
    parsed.errors.push_back({.file = {}, .line = 1, .key = "window", .message = *std::move(why)});
  }
  const std::vector<std::string>& allowed = parts_.reload.running().plugins;
  for (PluginFault& fault : asked.described ? LoadPluginOf(parsed.spec, allowed, *asked.described)
                                            : LoadPluginOf(parsed.spec, allowed)) {
    parsed.errors.push_back(
        {.file = {}, .line = 1, .key = std::move(fault.key), .message = std::move(fault.message)});
  }
  if (auto why = WhyNotLive(parsed.spec, windows_.Specs())) {
    parsed.errors.push_back(
        {.file = {}, .line = 1, .key = "visibility", .message = *std::move(why)});
  }
  if (auto why = WhyWithoutSlices(parsed.spec, windows_.Specs())) {
    parsed.errors.push_back(
        {.file = {}, .line = 1, .key = "parameters.in_time_order", .message = *std::move(why)});
  }
  if (auto why = WhyWithoutBaseline(parsed.spec, parts_.pipeline.jobs().jobs(), windows_.Specs())) {
    parsed.errors.push_back(
        {.file = {}, .line = 1, .key = "baseline.window", .message = *std::move(why)});
  }
  return parsed;
}

HttpResponse RunTimeChanges::JobNow(int status, const std::string& name) const {
  const std::vector<JobStatus> jobs = parts_.pipeline.jobs().Statuses();
  const auto found = std::ranges::find(jobs, name, &JobStatus::name);
  return found == jobs.end() ? NoJob(name) : JobAnswer(status, *found);
}

HttpResponse RunTimeChanges::NoJob(const std::string& name) const {
  return NotFound(fmt::format("no job '{}'; there are: {}", name, fmt::join(jobs_.Names(), ", ")));
}

void RunTimeChanges::Say(const std::string& client, const char* what, const std::string& name,
                         const char* change) {
  parts_.log.Log(process_events::kApiChanged,
                 fmt::format("api: {} {} {} by {}", what, name, change, client),
                 {{what, name}, {"change", change}, {"client", client}});
  parts_.tell(what, fmt::format(R"({{"{}": "{}", "change": "{}"}})", what, name, change));
}

}  // namespace sash
