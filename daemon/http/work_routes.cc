// Routes for the workers of external jobs: take work, renew its lease, answer it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/change_request.h"
#include "daemon/http/external_values.h"
#include "daemon/http/json_response.h"
#include "daemon/http/query_values.h"
#include "daemon/http/work_waiters.h"
#include "windows/base/phase_times.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::seconds;

constexpr NumberRange kWaits = {0, 30};  // seconds
constexpr std::uint64_t kUsualWait = 20;
constexpr NumberRange kLeases = {1, 3600};
constexpr std::size_t kAnswerBytes = 256 << 20;

// The refusal, if the path does not name an external job.
std::optional<HttpResponse> WhyNotExternal(const ApiSurroundings& around, const std::string& name) {
  const std::optional<JobSpec> job = around.jobs.Find(name);
  if (!job) return NoJob(around.jobs, name);
  if (IsExternal(job->parameters)) return std::nullopt;
  return Conflict(fmt::format("job '{}' has no work for workers: its kernel is {}, not external",
                              name, KernelOf(job->parameters)));
}

Result<std::optional<std::chrono::nanoseconds>> RequestedLease(const HttpRequest& request) {
  const auto lease = NumberValue(request, "lease", kLeases);
  if (!lease) return lease.error();
  std::optional<std::chrono::nanoseconds> time;
  if (lease.value()) time = seconds(*lease.value());
  return time;
}

HttpResponse TakeWork(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto refusal = WhyNotExternal(around, name)) return *std::move(refusal);
  const auto wait = NumberValue(request, "wait", kWaits);
  if (!wait) return BadRequest(wait.error().message);
  const auto lease = RequestedLease(request);
  if (!lease) return BadRequest(lease.error().message);
  if (request.method == "HEAD") return {.status = 204};  // takes nothing
  HttpResponse response;
  response.pending =
      around.waiters->Ask(name, seconds(wait.value().value_or(kUsualWait)), lease.value());
  if (response.pending == nullptr)
    return TooManyReaders(fmt::format("{} requests for work wait already", WorkWaiters::kMost));
  return response;
}

HttpResponse RenewWork(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto refusal = WhyNotExternal(around, name)) return *std::move(refusal);
  const auto lease = RequestedLease(request);
  if (!lease) return BadRequest(lease.error().message);
  const auto left = around.work->Renew(name, request.captured.at("run"), lease.value());
  if (!left) return Conflict(left.error().message);
  return JsonResponse(Json{{"run", request.captured.at("run")},
                           {"seconds_left", std::max(0.0, ToSeconds(left.value()))}});
}

HttpResponse FailWork(WorkDesk& desk, const ExternalWork& work, RunFailure failure, int status) {
  const std::string why = failure.why;
  if (Status failed = desk.Fail(work.job.name, work.run, std::move(failure)); !failed) {
    return Conflict(failed.error().message);
  }
  if (status == 200) return JsonResponse(Json{{"run", work.run}, {"failed", why}});
  return ErrorResponse(status, "wrong_answer", fmt::format("run {} failed: {}", work.run, why));
}

HttpResponse AnswerWork(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto refusal = WhyNotExternal(around, name)) return *std::move(refusal);
  const Result<ExternalWork> work = around.work->Find(name, request.captured.at("run"));
  if (!work) return Conflict(work.error().message);
  Result<WorkerReport> report = ReadWorkerReport(request.body, work.value(), around.keys);
  if (!report) {
    return FailWork(*around.work, work.value(),
                    {RunFault::kWrongAnswer, "the answer is wrong: " + report.error().message},
                    422);
  }
  if (!report.value().error.empty()) {
    return FailWork(*around.work, work.value(),
                    {RunFault::kWorkerFailed, "the worker failed: " + report.value().error}, 200);
  }
  Status given = around.work->Give(name, work.value().run, std::move(report.value().answer));
  if (!given) return Conflict(given.error().message);
  const Provenance& from = work.value().advance->provenance;
  return JsonResponse(
      Json{{"run", work.value().run},
           {"window", from.window},
           {"snapshot", from.snapshot.value},
           {"result", fmt::format("/api/v1/jobs/{}/results/{}", name, from.snapshot.value)}});
}

}  // namespace

void AddWorkRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/jobs/{job}/work", std::vector<std::string>{"wait", "lease"},
             [around](const HttpRequest& request) { return TakeWork(around, request); });
  routes.Add("POST /api/v1/jobs/{job}/work/{run}/renew", std::vector<std::string>{"lease"},
             [around](const HttpRequest& request) { return RenewWork(around, request); });
  RouteTable::Route& answer = routes.AddWithBody(
      "POST /api/v1/jobs/{job}/work/{run}",
      [around](const HttpRequest& request) { return AnswerWork(around, request); });
  answer.lane = WorkLane::kLarge;
  answer.body_bytes = kAnswerBytes;
}

}  // namespace sash
