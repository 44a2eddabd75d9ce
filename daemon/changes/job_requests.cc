#include "daemon/changes/job_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/changes/refusals.h"
#include "daemon/config/job_baselines.h"
#include "daemon/config/job_windows.h"
#include "daemon/http/api_routes.h"
#include "windows/slide/live_advance.h"

namespace sash {

ParsedItem<JobSpec> JobRequests::Read(const ChangeRequest& request) const {
  std::optional<std::string> name;
  if (request.kind == ChangeRequest::Kind::kPutJob) name = request.name;
  return ParseJob(request.body, pipeline_.keys().kind(), windows_.Names(), name);
}

ParsedItem<JobSpec> JobRequests::Parse(const ChangeRequest& request,
                                       const Described& plugin) const {
  ParsedItem<JobSpec> parsed = Read(request);
  if (!parsed.ok()) return parsed;
  if (auto why = WhyWithoutSnapshots(parsed.spec, reload_.running().exports)) {
    parsed.errors.push_back({.file = {}, .line = 1, .key = "window", .message = *std::move(why)});
  }
  const std::vector<std::string>& allowed = reload_.running().plugins;
  for (PluginFault& fault :
       plugin ? LoadPluginOf(parsed.spec, allowed, *plugin) : LoadPluginOf(parsed.spec, allowed)) {
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
  if (auto why = WhyWithoutBaseline(parsed.spec, pipeline_.jobs().jobs(), windows_.Specs())) {
    parsed.errors.push_back(
        {.file = {}, .line = 1, .key = "baseline.window", .message = *std::move(why)});
  }
  return parsed;
}

HttpResponse JobRequests::Add(const ChangeRequest& request, const Described& plugin) {
  const ParsedItem<JobSpec> parsed = Parse(request, plugin);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  const JobScheduler& jobs = pipeline_.jobs();
  if (jobs.Find(parsed.spec.name)) {
    return Conflict(fmt::format("there is a job '{}' already; PUT changes it", parsed.spec.name));
  }
  if (jobs.jobs().size() >= RunTimeJobs::kMost) {
    return Conflict(fmt::format("there are {} jobs already, the maximum", RunTimeJobs::kMost));
  }
  if (Status entered = jobs_.Put(parsed.spec); !entered) return Conflict(entered.error().message);
  notices_.Say(request.client, "job", parsed.spec.name, "added");
  return JobNow(201, parsed.spec.name);
}

HttpResponse JobRequests::Put(const ChangeRequest& request, const Described& plugin) {
  const ParsedItem<JobSpec> parsed = Parse(request, plugin);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  const bool is_new = !pipeline_.jobs().Find(request.name);
  if (is_new && pipeline_.jobs().jobs().size() >= RunTimeJobs::kMost) {
    return Conflict(fmt::format("there are {} jobs already, the maximum", RunTimeJobs::kMost));
  }
  if (const auto why = alerts_.WhyNotOn(parsed.spec)) return Conflict(*why);
  if (Status entered = jobs_.Put(parsed.spec); !entered) return Conflict(entered.error().message);
  notices_.Say(request.client, "job", request.name, is_new ? "added" : "changed");
  return JobNow(is_new ? 201 : 200, request.name);
}

HttpResponse JobRequests::Remove(const ChangeRequest& request) {
  if (!pipeline_.jobs().Find(request.name)) return NoJob(request.name);
  jobs_.Remove(request.name);
  notices_.Say(request.client, "job", request.name, "removed");
  return NothingToSay();
}

HttpResponse JobRequests::Pause(const ChangeRequest& request, bool paused) {
  if (!pipeline_.jobs().PauseJob(request.name, paused)) return NoJob(request.name);
  notices_.Say(request.client, "job", request.name, paused ? "paused" : "resumed");
  return JobNow(200, request.name);
}

HttpResponse JobRequests::Trigger(const ChangeRequest& request) {
  JobScheduler& jobs = pipeline_.jobs();
  const std::optional<JobSpec> job = jobs.Find(request.name);
  if (!job) return NoJob(request.name);
  const auto window = pipeline_.engine().Find(job->window);
  AdvancePtr advance;
  if (window) {
    advance =
        IsLive(*job) ? LiveAdvance(pipeline_.engine(), *window, pipeline_.clock()) : window->newest;
  }
  if (advance == nullptr) {
    return Conflict(fmt::format("window '{}' has {} yet: there is nothing to run on", job->window,
                                IsLive(*job) ? "no live view" : "not advanced"));
  }
  const Result<SnapshotId> snapshot = jobs.TriggerJob(request.name, std::move(advance));
  if (!snapshot) return NoJob(request.name);
  notices_.Say(request.client, "job", request.name, "triggered");
  JobStatus status;
  status.name = job->name;
  status.window = job->window;
  return TriggerAnswer(status, snapshot.value());
}

HttpResponse JobRequests::JobNow(int status, const std::string& name) const {
  const std::vector<JobStatus> jobs = pipeline_.jobs().Statuses();
  const auto found = std::ranges::find(jobs, name, &JobStatus::name);
  return found == jobs.end() ? NoJob(name) : JobAnswer(status, *found);
}

HttpResponse JobRequests::NoJob(const std::string& name) const {
  return NotFound(fmt::format("no job '{}'; there are: {}", name, fmt::join(jobs_.Names(), ", ")));
}

std::optional<std::string> JobRequests::PluginOf(const ChangeRequest& request) const {
  const ParsedItem<JobSpec> parsed = Read(request);
  if (!parsed.ok()) return std::nullopt;
  return PluginToDescribe(parsed.spec, reload_.running().plugins);
}

}  // namespace sash
