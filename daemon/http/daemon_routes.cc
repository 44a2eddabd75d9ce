// Routes of the process itself: health, readiness, metrics, source, version, OpenAPI.
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/openapi_document.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

Json PartitionJson(const PartitionStatus& partition) {
  Json json = {{"topic", partition.topic},
               {"partition", partition.partition},
               {"position", partition.position},
               {"end", nullptr},
               {"lag", nullptr},
               {"paused", partition.paused},
               {"held_ahead", partition.held_ahead}};
  if (partition.end) json["end"] = *partition.end;
  if (const auto lag = partition.Lag()) json["lag"] = *lag;
  return json;
}

// Counts events, not records: a refused record is in neither count, a late event in the second.
Json StreamJson(const WindowEngine& engine) {
  Json json = {{"time", TimeText(std::chrono::system_clock::now())},
               {"watermark", nullptr},
               {"accepted", engine.stats().accepted.load()},
               {"late", engine.stats().late.load()},
               {"duplicates", engine.stats().duplicates.load()},
               {"open_events", engine.progress().open_events.load()},
               {"idle_partitions", engine.stats().idle_partitions.load()}};
  if (const auto watermark = engine.progress().Watermark()) {
    json["watermark"] = TimeText(*watermark);
  }
  return json;
}

Json SourceJson(const SourceStatus& source) {
  std::set<std::string> topics;
  Json partitions = Json::array();
  for (const PartitionStatus& partition : source.partitions) {
    topics.insert(partition.topic);
    partitions.push_back(PartitionJson(partition));
  }
  Json mappings = Json::array();
  for (const MappingCount& count : source.mappings) {
    mappings.push_back({{"name", count.mapping},
                        {"accepted", count.accepted},
                        {"filtered", count.filtered},
                        {"refused", count.refused}});
  }
  Json json = {{"kind", source.kind},
               {"address", source.address},
               {"topics", topics},
               {"records", source.records},
               {"bytes", source.bytes},
               {"filtered", source.filtered},
               {"unmapped", source.unmapped},
               {"mappings", std::move(mappings)},
               {"partitions", std::move(partitions)},
               {"not_ready", source.not_ready}};
  if (!source.topic_pattern.empty()) json["topic_pattern"] = source.topic_pattern;
  return json;
}

Json SampleJson(const StreamSample& sample) {
  Json json = {{"time", TimeText(sample.time)},
               {"records", sample.records},
               {"lag", nullptr},
               {"watermark", nullptr}};
  if (sample.lag) json["lag"] = *sample.lag;
  if (sample.watermark) json["watermark"] = TimeText(*sample.watermark);
  return json;
}

Json PastJson(const StreamPast* past) {
  Json samples = Json::array();
  if (past != nullptr) {
    for (const StreamSample& sample : past->Samples()) samples.push_back(SampleJson(sample));
  }
  return {{"time", TimeText(std::chrono::system_clock::now())}, {"samples", std::move(samples)}};
}

HttpResponse Readiness(const ApiSurroundings& around) {
  const std::vector<std::string> reasons = around.not_ready();
  return {.status = reasons.empty() ? 200 : 503,
          .body = ReadinessText(reasons, around.notes) + "\n"};
}

}  // namespace

std::string ReadinessText(const std::vector<std::string>& not_ready,
                          const std::vector<std::string>& notes) {
  Json json = {{"ready", not_ready.empty()}, {"reasons", not_ready}};
  if (!notes.empty()) json["notes"] = notes;
  return SerializedJson(json);
}

void AddOpenRoutes(const ApiSurroundings& around, RouteTable& routes) {
  // Probes and scrapers add their own parameters, so every parameter is accepted.
  routes
      .Add("GET /healthz", std::nullopt,
           [](const HttpRequest&) {
             return JsonResponse({{"status", "ok"}});
           })
      .lane = WorkLane::kHealth;
  routes
      .Add("GET /readyz", std::nullopt, [around](const HttpRequest&) { return Readiness(around); })
      .lane = WorkLane::kReadiness;
  routes
      .Add("GET /metrics", std::nullopt,
           [around](const HttpRequest&) {
             return HttpResponse{200, "text/plain; version=0.0.4; charset=utf-8", around.metrics()};
           })
      .lane = WorkLane::kMetrics;
}

void AddDaemonRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /openapi.json", std::vector<std::string>(), [](const HttpRequest&) {
    return HttpResponse{.body = std::string(OpenApiDocument()), .tagged = true};
  });
  routes.Add("GET /api/v1/source", std::vector<std::string>(),
             [around](const HttpRequest&) { return JsonResponse(SourceJson(around.source())); });
  routes.Add("GET /api/v1/stream", std::vector<std::string>(),
             [around](const HttpRequest&) { return JsonResponse(StreamJson(around.engine)); });
  routes.Add("GET /api/v1/stream/past", std::vector<std::string>(),
             [around](const HttpRequest&) { return JsonResponse(PastJson(around.past)); });
  routes.Add("GET /api/v1/version", std::vector<std::string>(), [around](const HttpRequest&) {
    return JsonResponse({{"version", around.version}});
  });
}

}  // namespace sash
