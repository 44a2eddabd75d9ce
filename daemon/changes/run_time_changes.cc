#include "daemon/changes/run_time_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/http/api_routes.h"

namespace sash {
namespace {

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
  return job_requests_.PluginOf(asked.request);
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
      return job_requests_.Add(request, asked.described);
    case Kind::kPutJob:
      return job_requests_.Put(request, asked.described);
    case Kind::kRemoveJob:
      return job_requests_.Remove(request);
    case Kind::kPauseJob:
      return job_requests_.Pause(request, true);
    case Kind::kResumeJob:
      return job_requests_.Pause(request, false);
    case Kind::kTriggerJob:
      return job_requests_.Trigger(request);
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
      return window_requests_.Add(request);
    case Kind::kPutWindow:
      return window_requests_.Put(request);
    case Kind::kRemoveWindow:
      return window_requests_.Remove(request);
    case Kind::kExportWindow:
      return window_requests_.Export(request);
    case Kind::kReload:
      return AnswerReload();
  }
  return NotFound("no such change");
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

// Steps that can fail come first.
Status RunTimeChanges::Apply(const Config& wanted) {
  for (const WindowSpec& window : wanted.windows) {
    if (windows_.IsLeaving(window.name)) {
      return Error{ErrorCode::kUnavailable,
                   fmt::format("window '{}' is still being removed; try again", window.name)};
    }
  }
  if (const auto why = windows_.WhyNotAll(wanted.windows)) {
    return Error{ErrorCode::kInvalidArgument, *why};
  }
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

}  // namespace sash
