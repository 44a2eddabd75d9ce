// Routes that change jobs, windows, alerts or the configuration. They only hand over the request;
// another thread makes the change and the answer.
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/change_request.h"
#include "daemon/http/json_response.h"
#include "daemon/http/past_run.h"
#include "daemon/http/past_window.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ChangeRequest::Kind;

HttpResponse Said(int status, const Json& body) {
  HttpResponse response = JsonResponse(body);
  response.status = status;
  return response;
}

Json TextOrNull(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

Json ChangesJson(const std::vector<KeyChange>& changes) {
  Json list = Json::array();
  for (const KeyChange& change : changes) {
    list.push_back({{"key", change.key},
                    {"before", TextOrNull(change.before)},
                    {"after", TextOrNull(change.after)}});
  }
  return list;
}

// `captured`: the path parameter that holds the name; "": the path has none.
HttpHandler Asks(const Changer& change, Kind kind, const std::string& captured) {
  return [change, kind, captured](const HttpRequest& request) {
    const auto name = request.captured.find(captured);
    HttpResponse response;
    response.pending = change({.kind = kind,
                               .name = name == request.captured.end() ? "" : name->second,
                               .body = request.body,
                               .client = request.client});
    return response;
  };
}

// On the newest window the job's runner runs the job; on an earlier one this request does.
void AddTrigger(const ApiSurroundings& around, RouteTable& routes) {
  const auto answers = std::make_shared<const LargeAnswers>();
  const HttpHandler newest = Asks(around.change, Kind::kTriggerJob, "job");
  routes
      .Add("POST /api/v1/jobs/{job}/trigger", WithPast({"top", "offset", "format", "deliver"}),
           [around, answers, newest](const HttpRequest& request) {
             if (request.query.empty()) return newest(request);
             if (NamesWindow(request)) return PastRun(around, *answers, request);
             return BadRequest(
                 "top, offset, format, deliver: only with snapshot or at, because otherwise the "
                 "answer is the place of the result, and sinks get every due result");
           })
      .large_with = PastParameters();
}

}  // namespace

HttpResponse JobAnswer(int status, const JobStatus& job) {
  HttpResponse response{.status = status, .body = JobText(job) + "\n"};
  if (status == 201) response.headers = {{"Location", "/api/v1/jobs/" + job.name}};
  return response;
}

HttpResponse WindowAnswer(int status, const std::string& name, const Advance* advance) {
  HttpResponse response{.status = status, .body = WindowText(name, advance) + "\n"};
  if (status == 201) response.headers = {{"Location", "/api/v1/windows/" + name}};
  return response;
}

HttpResponse TriggerAnswer(const JobStatus& job, SnapshotId snapshot) {
  const std::string place =
      "/api/v1/jobs/" + job.name + "/results/" + std::to_string(snapshot.value);
  HttpResponse response = Said(
      202,
      {{"job", job.name}, {"window", job.window}, {"snapshot", snapshot.value}, {"result", place}});
  response.headers = {{"Location", place}};
  return response;
}

HttpResponse ExportAnswer(const Provenance& advance, const std::vector<AskedExport>& exports) {
  Json list = Json::array();
  for (const AskedExport& each : exports) {
    const bool is_written = each.state == AskedExport::State::kWritten;
    list.push_back({{"export", each.name},
                    {"folder", each.folder},
                    {"state", is_written ? "written" : "waiting"}});
  }
  return Said(202, {{"window", advance.window},
                    {"snapshot", advance.snapshot.value},
                    {"window_end", TimeText(advance.window_end)},
                    {"exports", list}});
}

HttpResponse ReloadAnswer(const std::vector<KeyChange>& changed,
                          const std::vector<KeyChange>& needs_restart) {
  return Said(200,
              {{"changed", ChangesJson(changed)}, {"needs_restart", ChangesJson(needs_restart)}});
}

HttpResponse NothingToSay() { return {.status = 204}; }

HttpResponse Conflict(std::string_view message) { return ErrorResponse(409, "conflict", message); }

HttpResponse Unprocessable(std::string_view message, const std::vector<KeyTrouble>& errors) {
  Json keys = Json::array();
  for (const KeyTrouble& each : errors) {
    keys.push_back({{"key", each.key}, {"message", each.message}});
  }
  return Said(
      422, {{"error", {{"code", "wrong_keys"}, {"message", message}, {"keys", std::move(keys)}}}});
}

HttpResponse Busy(std::string_view message) {
  HttpResponse response = ErrorResponse(503, "unavailable", message);
  response.headers = {{"Retry-After", "1"}};
  return response;
}

void AddChangeRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const Changer& change = around.change;
  const auto without_body = [&](const char* pattern, Kind kind, const char* captured) {
    routes.Add(pattern, std::vector<std::string>(), Asks(change, kind, captured));
  };
  routes.AddWithBody("POST /api/v1/jobs", Asks(change, Kind::kAddJob, ""));
  routes.AddWithBody("PUT /api/v1/jobs/{job}", Asks(change, Kind::kPutJob, "job"));
  without_body("DELETE /api/v1/jobs/{job}", Kind::kRemoveJob, "job");
  without_body("POST /api/v1/jobs/{job}/pause", Kind::kPauseJob, "job");
  without_body("POST /api/v1/jobs/{job}/resume", Kind::kResumeJob, "job");
  AddTrigger(around, routes);
  routes.AddWithBody("POST /api/v1/alerts", Asks(change, Kind::kAddAlert, ""));
  routes.AddWithBody("PUT /api/v1/alerts/{alert}", Asks(change, Kind::kPutAlert, "alert"));
  without_body("DELETE /api/v1/alerts/{alert}", Kind::kRemoveAlert, "alert");
  without_body("POST /api/v1/alerts/{alert}/pause", Kind::kPauseAlert, "alert");
  without_body("POST /api/v1/alerts/{alert}/resume", Kind::kResumeAlert, "alert");
  without_body("POST /api/v1/alerts/{alert}/test", Kind::kTestAlert, "alert");
  routes.AddWithBody("POST /api/v1/windows", Asks(change, Kind::kAddWindow, ""));
  routes.AddWithBody("PUT /api/v1/windows/{window}", Asks(change, Kind::kPutWindow, "window"));
  without_body("DELETE /api/v1/windows/{window}", Kind::kRemoveWindow, "window");
  without_body("POST /api/v1/windows/{window}/exports", Kind::kExportWindow, "window");
  without_body("POST /api/v1/reload", Kind::kReload, "");
}

}  // namespace sash
