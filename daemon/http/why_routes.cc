// The route that explains why a window has no next result yet.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/axis_text.h"
#include "daemon/http/job_wait.h"
#include "daemon/http/json_response.h"
#include "daemon/http/window_wait.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPartitions = 100;  // listed

Json TimeJson(std::optional<EventTime> time) { return time ? Json(TimeText(*time)) : Json(); }

Json PlaceJson(WindowAxis axis, std::optional<Position> position) {
  if (!position) return {};
  return axis == WindowAxis::kEvents ? Json(*position) : Json(PlaceText(axis, *position));
}

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

Json AwaitedPartitionJson(const PartitionWait& partition) {
  Json json = {{"topic", partition.pair.topic},
               {"partition", partition.pair.partition},
               {"state", partition.state()},
               {"holds", partition.holds},
               {"newest_event", TimeJson(partition.standing.newest)},
               {"watermark", TimeJson(partition.passed)},
               {"caught_up", partition.standing.caught_up},
               {"silent_seconds", nullptr},
               {"late_in_a_row", partition.standing.late},
               {"refused_in_a_row", partition.standing.refused},
               {"lag", nullptr}};
  if (partition.standing.assigned) json["silent_seconds"] = Seconds(partition.standing.silent);
  if (partition.lag) json["lag"] = *partition.lag;
  return json;
}

Json JobsJson(const ApiSurroundings& around, const WindowEngine::WindowStatus& window,
              const std::vector<JobStatus>& statuses) {
  const std::vector<JobSpec> specs = around.jobs.jobs();
  Json list = Json::array();
  for (const JobStatus& status : statuses) {
    const auto spec = std::ranges::find(specs, status.name, &JobSpec::name);
    if (status.window != window.spec.name || spec == specs.end()) continue;
    const auto latest = around.history.Newest(status.name, 1);
    const JobWait wait = ExplainJob(status, *spec, window.spec, window.newest.get(),
                                    latest.empty() ? nullptr : latest.front().get());
    Json job = {{"name", wait.name},
                {"state", wait.state},
                {"summary", wait.summary},
                {"snapshot", nullptr},
                {"skipped", status.skipped}};
    if (wait.snapshot) job["snapshot"] = wait.snapshot->value;
    list.push_back(std::move(job));
  }
  return list;
}

Json WaitJson(const WindowWait& wait, const WindowEngine::WindowStatus& window,
              std::optional<EventTime> watermark, const TimePolicy& policy) {
  const WindowAxis by = wait.window.by;
  std::optional<Position> newest;
  if (window.newest != nullptr) newest = window.newest->end;
  Json json = {{"window", wait.window.name},
               {"by", AxisName(by)},
               {"reason", Name(wait.reason)},
               {"summary", wait.summary},
               {"snapshot", nullptr},
               {"newest_end", PlaceJson(by, newest)},
               {"next_end", PlaceJson(by, wait.window.next_end)},
               {"rebuilt_until", PlaceJson(by, wait.window.rebuilt_until)},
               {"watermark", TimeJson(watermark)},
               {"needed_event", TimeJson(wait.needed)},
               {"missing_seconds", nullptr},
               {"missing_events", nullptr},
               {"disorder", Seconds(policy.disorder)},
               {"idle_after", Seconds(policy.idle_after)},
               {"on_silence", policy.on_silence == SilencePolicy::kClock ? "clock" : "hold"},
               {"held_by", nullptr},
               {"partitions", Json::array()}};
  if (!window.spec.types.empty()) json["types"] = window.spec.types;
  if (!window.spec.where.empty()) json["where"] = window.spec.where;
  if (window.newest != nullptr) json["snapshot"] = window.newest->provenance.snapshot.value;
  if (wait.missing) json["missing_seconds"] = Seconds(*wait.missing);
  if (wait.missing_events) json["missing_events"] = *wait.missing_events;
  for (const PartitionWait& partition : wait.partitions) {
    if (json["partitions"].size() == kMostPartitions) break;
    json["partitions"].push_back(AwaitedPartitionJson(partition));
  }
  if (!wait.partitions.empty() && wait.partitions.front().holds) {
    json["held_by"] = json["partitions"].front();
  }
  return json;
}

HttpResponse Why(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const StreamStanding stream = around.engine.progress_board().Read();
  const std::vector<TopicPartition> pairs = around.engine.partitions().All();
  const std::vector<JobStatus> jobs = around.jobs.Statuses();
  const SourceStatus source = around.source();
  const WindowWait wait = ExplainWait({.window = window->spec,
                                       .stream = stream,
                                       .policy = around.engine.policy(),
                                       .pairs = pairs,
                                       .source = source,
                                       .intake_held = around.engine.progress().intake_held,
                                       .jobs = jobs});
  Json json = WaitJson(wait, *window, stream.watermark, around.engine.policy());
  json["jobs"] = JobsJson(around, *window, jobs);
  json["not_ready"] = around.not_ready();
  return JsonResponse(json);
}

}  // namespace

void AddWhyRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/windows/{window}/why", std::vector<std::string>(),
             [around](const HttpRequest& request) { return Why(around, request); });
}

}  // namespace sash
