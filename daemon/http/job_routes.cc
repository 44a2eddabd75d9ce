// Routes of jobs: their state, and what the newest result says of a vertex.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
#include "windows/jobs/groups.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/reached_rows.h"
#include "windows/jobs/result_error.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

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
               {"last_phases", nullptr},     {"last_skipped", nullptr}};
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
  const Result<Page> page = RequestedPage(request, kJobs);
  if (!page) return BadRequest(page.error().message);
  const std::vector<JobStatus> statuses = jobs.Statuses();
  const std::size_t end = page.value().end(statuses.size());
  Json json = Json::array();
  for (std::size_t i = page.value().begin(statuses.size()); i < end; ++i) {
    json.push_back(JobJson(statuses[i]));
  }
  HttpResponse response = TaggedJsonResponse(json);
  if (page.value().has_next(statuses.size())) LinkNext(response, request, "offset", end);
  return response;
}

HttpResponse Job(const JobScheduler& jobs, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  const std::vector<JobStatus> statuses = jobs.Statuses();
  const auto found = std::ranges::find(statuses, name, &JobStatus::name);
  return found == statuses.end() ? NoJob(jobs, name) : TaggedJsonResponse(JobJson(*found));
}

// What the newest run of a kernel says of a vertex that is in its window.
class VertexAnswer {
 public:
  VertexAnswer(const CompletedRun& run, VertexId vertex, std::span<const VertexId> vertices,
               const VertexDictionary& keys)
      : run_(run), vertex_(vertex), vertices_(vertices), keys_(keys) {}

  Json Make() const {
    Json json = {{"vertex", KeyAsJson(keys_.KeyOf(vertex_))}};
    json.update(std::visit([this](const auto& output) { return Of(output); }, run_.result->output));
    return json;
  }

 private:
  Json Score() const {
    const std::vector<double>& scores = run_.whole->scores;
    return {{"score", scores[vertex_]}, {"rank", RankByScore(vertices_, scores, vertex_, keys_)}};
  }

  Json Depth(const std::vector<std::int32_t>& depths) const {
    const auto& parameters = std::get<BfsParameters>(run_.result->parameters);
    Json json = {{"depth", nullptr}, {"rank", nullptr}};
    if (depths[vertex_] != kUnreached) {
      json = {{"depth", depths[vertex_]}, {"rank", RankByDepth(vertices_, depths, vertex_, keys_)}};
    }
    if (!parameters.parents) return json;
    const std::optional<VertexKey> parent =
        ParentKey({run_.advance->view, parameters, depths, keys_}, vertex_);
    json["parent"] = parent ? KeyAsJson(*parent) : Json();
    return json;
  }

  Json Of(const PageRankOutput& output) const {
    if (output.error.empty()) return Score();
    return {{"score", nullptr}, {"rank", nullptr}, {"error", output.error}};
  }
  Json Of(const ScoreOutput&) const { return Score(); }

  Json Of(const CountOutput&) const {
    const std::vector<std::uint64_t>& counts = run_.whole->counts;
    return {{"score", counts[vertex_]}, {"rank", RankByCount(vertices_, counts, vertex_, keys_)}};
  }

  Json Of(const BfsOutput& output) const {
    const std::vector<Traversal>& traversals = output.traversals;
    if (traversals.size() == 1 && !traversals[0].root) return Depth(run_.whole->depths[0]);
    Json list = Json::array();
    for (std::size_t i = 0; i < traversals.size(); ++i) {
      Json traversal = {{"root", KeyAsJson(*traversals[i].root)}};
      traversal.update(Depth(run_.whole->depths[i]));
      list.push_back(std::move(traversal));
    }
    return {{"traversals", std::move(list)}};
  }

  Json Of(const DistancesOutput& output) const {
    const std::vector<double>& distances = run_.whole->scores;
    if (!(distances[vertex_] < kUnreachedDistance)) {
      Json json = {{"distance", nullptr}, {"rank", nullptr}};
      if (output.negative_edges > 0) json["error"] = ErrorOf(output);
      if (std::isnan(distances[vertex_])) {
        json["error"] = "the distance is beyond the range of a double (1.8e308)";
      }
      return json;
    }
    return {{"distance", distances[vertex_]},
            {"rank", RankByDistance(vertices_, distances, vertex_, keys_)}};
  }

  // The set that the vertex is in, and that set's size and rank.
  Json Of(const GroupsOutput& output) const {
    const VertexId group = run_.whole->groups[vertex_];
    const GroupSizes counted = CountMembers(vertices_, run_.whole->groups);
    return {{std::string(output.one), KeyAsJson(keys_.KeyOf(group))},
            {"size", counted.sizes[group]},
            {"rank", RankByCount(counted.groups, counted.sizes, group, keys_)}};
  }

  // VertexOfResult() has refused these.
  Json Of(const ShapeOutput&) const { return Json::object(); }
  Json Of(const ChangesOutput&) const { return Json::object(); }

  const CompletedRun& run_;
  const VertexId vertex_;
  const std::span<const VertexId> vertices_;
  const VertexDictionary& keys_;
};

bool SpeaksOfVertices(const KernelOutput& output) {
  return !std::holds_alternative<ShapeOutput>(output) &&
         !std::holds_alternative<ChangesOutput>(output);
}

HttpResponse VertexOfResult(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<VertexKey> key = RequestedKey(request, around.keys.kind());
  if (!key) return BadRequest(key.error().message);
  const std::optional<CompletedRun> run = around.history.Latest(name);
  if (!run) return NoResult(name);
  if (!SpeaksOfVertices(run->result->output)) {
    return NotFound(fmt::format("job '{}' (kernel {}) says nothing of single vertices", name,
                                run->result->kernel));
  }
  const std::optional<VertexId> vertex = around.keys.Find(key.value());
  std::optional<Json> json;
  if (vertex) {
    json = VisitView(run->advance->view, [&](const auto& graph) -> std::optional<Json> {
      if (*vertex >= graph.id_limit()) return std::nullopt;
      if (graph.out_degree(*vertex) + graph.in_degree(*vertex) == 0) return std::nullopt;
      return VertexAnswer(*run, *vertex, graph.vertices(), around.keys).Make();
    });
  }
  if (!json) {
    return NotFound(fmt::format("vertex {} is not in the window of the newest result of job '{}'",
                                KeyAsJson(key.value()).dump(), name));
  }
  return TaggedJsonResponse(*json);
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
  routes.Add("GET /api/v1/jobs", std::vector<std::string>{"limit", "offset"},
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
