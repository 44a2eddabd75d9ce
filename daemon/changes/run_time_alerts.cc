#include "daemon/changes/run_time_alerts.h"

#include <fmt/format.h>

#include <optional>

#include "daemon/changes/refusals.h"
#include "daemon/http/api_routes.h"

namespace sash {

ParsedItem<AlertSpec> RunTimeAlerts::Parse(const ChangeRequest& request, bool named) const {
  std::optional<std::string> name;
  if (named) name = request.name;
  Config now = reload_.running();
  now.jobs = pipeline_.jobs().jobs();
  return ParseAlert(request.body, now, name);
}

HttpResponse RunTimeAlerts::Enter(const ChangeRequest& request, const AlertSpec& spec,
                                  bool is_new) {
  AlertDesk& desk = pipeline_.alerts();
  if (is_new && desk.Specs().size() >= kMost) {
    return Conflict(fmt::format("there are {} alerts already, the maximum", kMost));
  }
  const std::optional<JobSpec> job = pipeline_.jobs().Find(spec.job);
  if (!job) return Conflict(fmt::format("there is no job '{}' any more", spec.job));
  if (Status put = desk.Put(spec, *job, pipeline_.keys().kind()); !put) {
    return RefuseChange(put.error());
  }
  notices_.Say(request.client, "alert", spec.name, is_new ? "added" : "changed");
  return AlertAnswer(is_new ? 201 : 200, *desk.Find(spec.name));
}

HttpResponse RunTimeAlerts::Add(const ChangeRequest& request) {
  const ParsedItem<AlertSpec> parsed = Parse(request, false);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  if (pipeline_.alerts().Find(parsed.spec.name)) {
    return Conflict(
        fmt::format("there is an alert '{}' already; PUT changes it", parsed.spec.name));
  }
  return Enter(request, parsed.spec, true);
}

HttpResponse RunTimeAlerts::Put(const ChangeRequest& request) {
  const ParsedItem<AlertSpec> parsed = Parse(request, true);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  return Enter(request, parsed.spec, !pipeline_.alerts().Find(request.name));
}

HttpResponse RunTimeAlerts::Remove(const ChangeRequest& request) {
  if (!pipeline_.alerts().Remove(request.name)) return NoSuchAlert(request.name);
  notices_.Say(request.client, "alert", request.name, "removed");
  return NothingToSay();
}

HttpResponse RunTimeAlerts::Pause(const ChangeRequest& request, bool paused) {
  AlertDesk& desk = pipeline_.alerts();
  if (!desk.Pause(request.name, paused)) return NoSuchAlert(request.name);
  notices_.Say(request.client, "alert", request.name, paused ? "paused" : "resumed");
  return AlertAnswer(200, *desk.Find(request.name));
}

HttpResponse RunTimeAlerts::Test(const ChangeRequest& request) {
  AlertDesk& desk = pipeline_.alerts();
  const std::optional<AlertStatus> alert = desk.Find(request.name);
  if (!alert) return NoSuchAlert(request.name);
  const std::optional<CompletedRun> run = pipeline_.history().Latest(alert->spec.job);
  if (!run) {
    return Conflict(
        fmt::format("job '{}' has no result yet: there is nothing to test alert '{}' with",
                    alert->spec.job, request.name));
  }
  const std::string sent = *desk.Test(request.name, *run);
  notices_.Say(request.client, "alert", request.name, "tested");
  return TestAnswer(sent);
}

std::optional<std::string> RunTimeAlerts::WhyNotOn(const JobSpec& job) const {
  Config changed = reload_.running();
  changed.jobs = {job};
  for (const AlertSpec& alert : pipeline_.alerts().Specs()) {
    if (alert.job != job.name) continue;
    for (const AlertFault& fault : FindAlertFaults(alert, changed)) {
      return fmt::format("alert '{}' on this job would not fit: `{}` {}; change or remove it first",
                         alert.name, fault.key, fault.message);
    }
  }
  return std::nullopt;
}

Status RunTimeAlerts::Fit(const std::vector<AlertSpec>& wanted) {
  return pipeline_.alerts().Fit(wanted, pipeline_.jobs().jobs(), pipeline_.keys().kind());
}

HttpResponse RunTimeAlerts::NoSuchAlert(const std::string& name) const {
  return NoAlert(pipeline_.alerts().Statuses(), name);
}

}  // namespace sash
