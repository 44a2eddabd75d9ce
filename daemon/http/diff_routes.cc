// Routes of diffs: what changed from one result of a job to its next, as sinks with `content: diffs`
// write it. They are made of the kept results, when they are asked for.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/result_diff.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/page.h"

namespace sash {
namespace {

using Step = ResultHistory::Step;

// Not so across a change of settings after which another kind of list is made.
bool IsComparable(const Step& step) {
  return HasDiffs(step.now->parameters) &&
         (step.before == nullptr || HasDiffs(step.before->parameters));
}

std::string DiffText(const Step& step) { return DiffJson(*step.now, step.before.get()); }

// Why the job has no diffs whatever its results are; nothing: it has.
std::optional<HttpResponse> WhyNone(const JobScheduler& jobs, const std::string& name) {
  const std::optional<JobSpec> job = jobs.Find(name);
  if (!job) return NoJob(jobs, name);
  if (HasDiffs(job->parameters)) return std::nullopt;
  return NotFound(fmt::format(
      "job '{}' has no diffs: its results are not one list of vertices, which could be compared",
      name));
}

HttpResponse NoDiff(const std::string& name, const std::string& of) {
  return NotFound(fmt::format(
      "job '{}' has no diff {}: that takes the result and the one before it, as long as both are "
      "kept (keep_results)",
      name, of));
}

HttpResponse LatestDiff(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto none = WhyNone(around.jobs, name)) return *std::move(none);
  const std::vector<Step> newest = around.history.NewestSteps(name, 1);
  if (newest.empty() && !around.history.Latest(name)) return NoResult(name);
  if (newest.empty() || !IsComparable(newest.front())) return NoDiff(name, "of its newest result");
  return {.body = DiffText(newest.front()) + "\n", .tagged = true};
}

HttpResponse Diffs(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto none = WhyNone(around.jobs, name)) return *std::move(none);
  const Result<SnapshotPage> page = RequestedSnapshots(request);
  if (!page) return BadRequest(page.error().message);
  const std::size_t wanted = page.value().limit;
  // One more tells whether there is a next page.
  std::vector<Step> steps = around.history.NewestSteps(name, wanted + 1, page.value().before);
  const bool more = wanted > 0 && steps.size() > wanted;
  if (steps.size() > wanted) steps.pop_back();
  std::string list = "[";
  for (const Step& step : steps) {
    if (!IsComparable(step)) continue;
    if (list.size() > 1) list += ",";
    list += DiffText(step);
  }
  HttpResponse response{.body = list + "]\n", .tagged = true};
  if (more) LinkNext(response, request, "before", steps.back().now->provenance.snapshot.value);
  return response;
}

// To the result of one snapshot.
HttpResponse OneDiff(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto none = WhyNone(around.jobs, name)) return *std::move(none);
  const Result<SnapshotId> snapshot = NamedSnapshot(request);
  if (!snapshot) return BadRequest(snapshot.error().message);
  const std::uint64_t number = snapshot.value().value;
  const std::vector<Step> found = around.history.NewestSteps(name, 1, SnapshotId{number + 1});
  if (found.empty() || found.front().now->provenance.snapshot != snapshot.value() ||
      !IsComparable(found.front())) {
    return NoDiff(name, fmt::format("of snapshot {}", number));
  }
  return {.body = DiffText(found.front()) + "\n", .tagged = true};
}

}  // namespace

void AddDiffRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/jobs/{job}/diffs/latest", std::vector<std::string>(),
             [around](const HttpRequest& request) { return LatestDiff(around, request); });
  routes.Add("GET /api/v1/jobs/{job}/diffs", std::vector<std::string>{"limit", "before"},
             [around](const HttpRequest& request) { return Diffs(around, request); });
  routes.Add("GET /api/v1/jobs/{job}/diffs/{snapshot}", std::vector<std::string>(),
             [around](const HttpRequest& request) { return OneDiff(around, request); });
}

}  // namespace sash
