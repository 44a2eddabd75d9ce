// Routes of jobs: their state, and a vertex's values in the newest result.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/page.h"
#include "daemon/http/phase_json.h"
#include "daemon/http/row_list.h"
#include "daemon/http/view_vertex.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/whole_rows.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr PageLimits kJobs = {1'000, 1'000};

Json JobJson(const JobStatus& job) {
  Json json = {{"name", job.name},           {"kernel", job.kernel},
               {"window", job.window},       {"runs", job.runs},
               {"skipped", job.skipped},     {"running", job.running},
               {"paused", job.paused},       {"last_seconds", nullptr},
               {"cancelled", job.cancelled}, {"waiting", job.waiting},
               {"iteration", job.iteration}, {"residual", job.residual},
               {"phase", nullptr},           {"last_latency_seconds", nullptr},
               {"last_phases", nullptr},     {"last_skipped", nullptr},
               {"failed", job.failures()},   {"last_failure", nullptr}};
  if (!job.last_failure.empty()) json["last_failure"] = job.last_failure;
  if (job.running) json["phase"] = PhaseName(job.phase);
  if (job.runs > 0) {
    json["last_seconds"] = job.last_seconds;
    json["last_latency_seconds"] = job.last_latency_seconds;
    json["last_phases"] = PhasesJson<Json>(job.last_phases);
  }
  if (job.last_skipped) json["last_skipped"] = TimeText(*job.last_skipped);
  return json;
}

HttpResponse Jobs(const JobScheduler& jobs, const HttpRequest& request) {
  const std::vector<JobStatus> statuses = jobs.Statuses();
  const auto row = [&](std::size_t i) { return JobJson(statuses[i]); };
  return ListedPage(request, kJobs, statuses.size(), row, MemberNames(JobJson({})));
}

HttpResponse Job(const JobScheduler& jobs, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  const std::vector<JobStatus> statuses = jobs.Statuses();
  const auto found = std::ranges::find(statuses, name, &JobStatus::name);
  return found == statuses.end() ? NoJob(jobs, name) : TaggedJsonResponse(JobJson(*found));
}

struct CellJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const VertexKey& key) const { return KeyAsJson(key); }
  Json operator()(const auto& value) const { return value; }
};

Json CellsJson(const ResultList& list, const std::string& error, const CompletedRun& run,
               VertexId vertex, const VertexDictionary& keys) {
  Json json = Json::object();
  for (const VertexCell& cell : CellsOf(list, error, run, vertex, keys)) {
    json[std::string(cell.name)] = std::visit(CellJson(), cell.value);
  }
  return json;
}

// The values of a vertex in the newest run; the vertex must be in the run's window.
Json VertexAnswer(const ResultTable& table, const CompletedRun& run, VertexId vertex,
                  const VertexDictionary& keys) {
  Json json = {{"vertex", KeyAsJson(keys.KeyOf(vertex))}};
  if (table.parts.empty()) {
    json.update(CellsJson(table.lists.front(), table.error, run, vertex, keys));
    return json;
  }
  Json& parts = json[std::string(table.parts)] = Json::array();
  for (const ResultList& list : table.lists) {
    Json part = {{"root", KeyAsJson(*list.root)}};
    part.update(CellsJson(list, table.error, run, vertex, keys));
    parts.push_back(std::move(part));
  }
  return json;
}

bool SpeaksOfVertices(const ResultTable& table) {
  return !table.lists.empty() && table.lists.front().is_of_vertices();
}

HttpResponse VertexOfResult(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<VertexKey> key = RequestedKey(request, around.keys.kind());
  if (!key) return BadRequest(key.error().message);
  const std::optional<CompletedRun> run = around.history.Latest(name);
  if (!run) return NoResult(name);
  const ResultTable table = DescribeResult(*run->result);
  if (!SpeaksOfVertices(table)) {
    return NotFound(fmt::format("job '{}' (kernel {}) has no values for single vertices", name,
                                run->result->kernel));
  }
  const auto vertex = FindInView(run->advance->view, key.value(), around.keys);
  if (!vertex) {
    return NotFound(fmt::format("vertex {} is not in the window of the newest result of job '{}'",
                                KeyAsJson(key.value()).dump(), name));
  }
  Json json = VertexAnswer(table, *run, *vertex, around.keys);
  if (!run->result->provenance.is_final()) json["final"] = false;
  return TaggedJsonResponse(json);
}

}  // namespace

HttpResponse NoJob(const JobScheduler& jobs, const std::string& name) {
  std::vector<std::string> names;
  for (const JobSpec& job : jobs.jobs()) names.push_back(job.name);
  return NotFound(fmt::format("no job '{}'; there are: {}", name, fmt::join(names, ", ")));
}

HttpResponse NoResult(const std::string& job) {
  return NotFound(fmt::format("job '{}' has no result yet", job));
}

std::string JobText(const JobStatus& job) { return SerializedJson(JobJson(job)); }

void AddJobRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const std::vector<std::string> none;
  const JobScheduler* jobs = &around.jobs;
  routes.Add("GET /api/v1/jobs", std::vector<std::string>{"limit", "offset", "format"},
             [jobs](const HttpRequest& request) { return Jobs(*jobs, request); });
  routes.Add("GET /api/v1/jobs/{job}", none,
             [jobs](const HttpRequest& request) { return Job(*jobs, request); });
  const auto vertex = [around](const HttpRequest& request) {
    return VertexOfResult(around, request);
  };
  routes.Add("GET /api/v1/jobs/{job}/vertices/{key}", none, vertex).lane = WorkLane::kLarge;
  routes.Add("GET /api/v1/jobs/{job}/vertices", std::vector<std::string>{"key"}, vertex).lane =
      WorkLane::kLarge;
}

}  // namespace sash
