#include "daemon/interfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "connectors/sinks/result_json.h"
#include "daemon/exit_code.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/negotiation.h"
#include "daemon/version.h"

namespace sash {
namespace {

// Names this process among those that ran before it.
std::string ProcessEpoch(const Clock& clock) {
  return fmt::format("{:x}", clock.Now().time_since_epoch().count());
}

HttpHandler HandlerOf(RouteTable routes) {
  return Negotiated(
      [routes = std::move(routes)](const HttpRequest& request) { return routes.Handle(request); });
}

}  // namespace

Interfaces::Interfaces(ShownParts parts)
    : parts_(parts),
      events_(ProcessEpoch(parts.pipeline.clock()),
              [&keys = parts.pipeline.keys()](const EventFeed::ResultPtr& result) {
                return ResultJson({result, nullptr, nullptr}, {}, keys);
              }) {}

void Interfaces::Build() {
  Pipeline& pipeline = parts_.pipeline;
  const auto source_status = [&pipeline] { return pipeline.source().status(); };
  metrics_.emplace(MetricsSurroundings{
      .engine = pipeline.engine(),
      .stats = pipeline.stats(),
      .progress = pipeline.progress(),
      .jobs = pipeline.jobs(),
      .keys = pipeline.keys(),
      .buffer = pipeline.queue(),
      .history = pipeline.history(),
      .clock = pipeline.clock(),
      .version = std::string(kVersion),
      .source = source_status,
      .refused = [&pipeline] { return pipeline.RefusedByReason(); },
      .dead_letters =
          [&pipeline] {
            return DeadLetterCounts{.rotated = pipeline.dead_letters().rotated(),
                                    .lost = pipeline.dead_letters().lost()};
          },
      .sinks = [&pipeline] { return pipeline.delivery().Counts(); },
      .kafka_sinks = [&pipeline] { return pipeline.sinks().KafkaCounts(); },
      .memory = [this] { return parts_.memory.CountMemory(); },
      .checkpoints = [&pipeline]() -> std::optional<CheckpointCounts> {
        if (pipeline.checkpoints() == nullptr) return std::nullopt;
        return pipeline.checkpoints()->Counts();
      },
      .reloads = [this] { return parts_.reload.counts(); }});
  const HttpConfig& http = parts_.config.http;
  if (!http.enabled) return;
  http_.emplace(HttpServerOptions{.host = http.host, .port = http.port},
                HandlerOf(MakeApiRoutes(
                    {.engine = pipeline.engine(),
                     .jobs = pipeline.jobs(),
                     .history = pipeline.history(),
                     .keys = pipeline.keys(),
                     .events = events_,
                     .version = std::string(kVersion),
                     .source = source_status,
                     .not_ready = [this] { return NotReady(); },
                     .metrics = [this] { return metrics_->MetricsText(); },
                     .result_json =
                         [&pipeline](const CompletedRun& run, std::optional<std::size_t> top) {
                           return ResultJson(run, {.top = top}, pipeline.keys());
                         }})));
  events_.OnAdded([this] { http_->Wake(); });
}

std::optional<int> Interfaces::Start() {
  if (!http_) return std::nullopt;
  if (Status started = http_->Start(); !started) {
    return Fail(parts_.log, started.error(), kExitFailure);
  }
  parts_.log.Log(LogSeverity::kInfo,
                 fmt::format("http listens on {}:{}", parts_.config.http.host, http_->port()));
  return std::nullopt;
}

void Interfaces::Stop() {
  if (http_) http_->Stop();
}

void Interfaces::AdvanceObserved(const AdvancePtr& advance) {
  metrics_->AdvanceObserved(advance);
  if (http_) events_.Add("advance", AdvanceText(*advance));
}

void Interfaces::RunObserved(const CompletedRun& run) {
  metrics_->RunObserved(*run.result);
  events_.AddResult(run.result);
}

std::vector<std::string> Interfaces::NotReady() const {
  const Pipeline& pipeline = parts_.pipeline;
  std::vector<std::string> reasons = pipeline.source().status().not_ready;
  if (stopping_) reasons.emplace_back("the process is stopping");
  if (pipeline.delivery().failing()) reasons.emplace_back("results cannot be made durable");
  if (const Checkpoints* const checkpoints = pipeline.checkpoints()) {
    if (std::optional<std::string> failing = checkpoints->not_ready()) {
      reasons.push_back(*std::move(failing));
    }
  }
  std::ranges::move(pipeline.sinks().NotReady(), std::back_inserter(reasons));
  if (std::optional<std::string> full = parts_.memory.not_ready()) {
    reasons.push_back(*std::move(full));
  }
  return reasons;
}

void Interfaces::TellReadiness() {
  const std::string text = ReadinessText(NotReady());
  // Figures alone make no other one: how much memory is used changes all the time.
  std::string readiness = text;
  std::erase_if(readiness, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  if (readiness == readiness_) return;
  readiness_ = std::move(readiness);
  events_.Add("ready", text);
}

void Interfaces::SayStopping() {
  stopping_ = true;
  TellReadiness();
}

}  // namespace sash
