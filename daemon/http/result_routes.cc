// Routes of the results of jobs.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "daemon/http/api_routes.h"
#include "daemon/http/page.h"
#include "daemon/http/query_values.h"

namespace sash {
namespace {

constexpr std::uint64_t kMostListed = 1'000'000;  // vertices in one answer

HttpResponse LatestResult(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const auto top = NumberValue(request, "top", {0, kMostListed});
  if (!top) return BadRequest(top.error().message);
  const std::optional<CompletedRun> run = around.history.Latest(name);
  if (!run) return NoResult(name);
  return {.body = around.result_json(*run, top.value()) + "\n", .tagged = true};
}

// Results are JSON text already: the list is put together as text.
HttpResponse Results(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<SnapshotPage> page = RequestedSnapshots(request);
  if (!page) return BadRequest(page.error().message);
  const std::size_t wanted = page.value().limit;
  // One more tells whether there is a next page.
  auto results = around.history.Newest(name, wanted + 1, page.value().before);
  const bool more = wanted > 0 && results.size() > wanted;
  if (results.size() > wanted) results.pop_back();
  std::string list = "[";
  for (const auto& result : results) {
    if (list.size() > 1) list += ",";
    list += around.result_json({result, nullptr, nullptr}, std::nullopt);
  }
  HttpResponse response{.body = list + "]\n", .tagged = true};
  if (more) LinkNext(response, request, "before", results.back()->provenance.snapshot.value);
  return response;
}

// The result of one snapshot, as long as it is kept.
HttpResponse OneResult(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<SnapshotId> snapshot = NamedSnapshot(request);
  if (!snapshot) return BadRequest(snapshot.error().message);
  const auto result = around.history.Find(name, snapshot.value());
  if (result == nullptr) {
    return NotFound(fmt::format("job '{}' has no result of snapshot {}, or not any more", name,
                                snapshot.value().value));
  }
  return {.body = around.result_json({result, nullptr, nullptr}, std::nullopt) + "\n",
          .tagged = true};
}

}  // namespace

void AddResultRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/jobs/{job}/results/latest", std::vector<std::string>{"top"},
             [around](const HttpRequest& request) { return LatestResult(around, request); });
  routes.Add("GET /api/v1/jobs/{job}/results", std::vector<std::string>{"limit", "before"},
             [around](const HttpRequest& request) { return Results(around, request); });
  routes.Add("GET /api/v1/jobs/{job}/results/{snapshot}", std::vector<std::string>(),
             [around](const HttpRequest& request) { return OneResult(around, request); });
}

}  // namespace sash
