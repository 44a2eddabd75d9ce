#include "daemon/interfaces.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "connectors/kafka/kafka_options.h"
#include "connectors/sinks/result_json.h"
#include "daemon/http/access.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/negotiation.h"
#include "daemon/http/single_result.h"
#include "daemon/log/exit_code.h"
#include "daemon/log/log_events.h"
#include "daemon/memory/allocator.h"
#include "daemon/version.h"

namespace sash {
namespace {

constexpr unsigned kOpenConnections = 64;         // scrapers and probes
constexpr std::size_t kMostEventBytes = 1 << 20;  // a result sent as an event

// Distinguishes this process from those that ran before it.
std::string ProcessEpoch(const Clock& clock) {
  return fmt::format("{:x}", clock.Now().time_since_epoch().count());
}

StreamSample SampleOf(const SourceStatus& source, const StreamProgress& progress, EventTime now) {
  StreamSample sample{.time = now, .records = source.records, .watermark = progress.Watermark()};
  for (const PartitionStatus& partition : source.partitions) {
    if (const auto lag = partition.Lag()) sample.lag = sample.lag.value_or(0) + *lag;
  }
  return sample;
}

}  // namespace

Interfaces::Interfaces(ShownParts parts)
    : parts_(std::move(parts)),
      events_(
          ProcessEpoch(parts_.pipeline.clock()),
          [&keys = parts_.pipeline.keys()](const EventFeed::ResultPtr& result, std::size_t top) {
            Listing listing = AnswerListing();
            listing.most_rows = top;
            listing.most_bytes = kMostEventBytes;
            return ResultJson({result, nullptr, nullptr}, listing, keys);
          }),
      readiness_(parts_.config, parts_.pipeline, parts_.memory, events_),
      tap_(parts_.pipeline.keys().kind(), parts_.pipeline.clock()),
      waiters_(parts_.pipeline.desk()) {
  parts_.pipeline.desk().OnOffered([this] { waiters_.Look(); });
}

std::optional<int> Interfaces::Build() {
  Pipeline& pipeline = parts_.pipeline;
  metrics_.emplace(MetricsSurroundings{
      .engine = pipeline.engine(),
      .stats = pipeline.stats(),
      .progress = pipeline.progress(),
      .jobs = pipeline.jobs(),
      .keys = pipeline.keys(),
      .buffer = pipeline.queue(),
      .history = pipeline.history(),
      .clock = pipeline.clock(),
      .build = {.version = std::string(kVersion),
                .compiler = std::string(kCompiler),
                .librdkafka = KafkaLibraryVersion(),
                .microhttpd = HttpServer::LibraryVersion(),
                .jemalloc = JemallocVersion()},
      .source = [&pipeline] { return pipeline.source().status(); },
      .refused = [&pipeline] { return pipeline.RefusedByReason(); },
      .dead_letters =
          [&pipeline] {
            return DeadLetterCounts{.rotated = pipeline.dead_letters().file().rotated(),
                                    .lost = pipeline.dead_letters().file().lost()};
          },
      .delivery = [&pipeline] { return pipeline.delivery().Counts(); },
      .sinks = [&pipeline] { return pipeline.CountSinks(); },
      .exports = [&pipeline] { return pipeline.exports().Counts(); },
      .alerts = [&pipeline] { return pipeline.alerts().Statuses(); },
      .memory = [this] { return parts_.memory.CountMemory(); },
      .checkpoints = [&pipeline]() -> std::optional<CheckpointCounts> {
        if (pipeline.recovery() == nullptr) return std::nullopt;
        return pipeline.recovery()->Counts();
      },
      .journal = [&pipeline]() -> std::optional<JournalFigures> {
        if (pipeline.recovery() == nullptr) return std::nullopt;
        return pipeline.recovery()->Journalled();
      },
      .reloads = [this] { return parts_.reload.counts(); },
      .http = [this] { return CountHttp(); },
      .log = [this] { return parts_.log.counts(); }});
  if (const auto& metrics = parts_.config.http.metrics_listen) {
    auto routes = std::make_shared<const RouteTable>(MakeOpenRoutes(Surroundings()));
    auto access = std::make_shared<Access>(std::nullopt, pipeline.clock());
    HttpServerOptions options{.host = metrics->host, .port = metrics->port};
    options.any_address = true;
    options.connections = kOpenConnections;
    options.connections_per_address = parts_.config.http.connections_per_address;
    options.admit = [access](const HttpRequest& request) { return access->AdmitToOpen(request); };
    options.lane = [routes](const HttpRequest& request) { return routes->LaneOf(request); };
    open_http_.emplace(std::move(options), Negotiated([routes](const HttpRequest& request) {
                         return routes->Handle(request);
                       }));
  }
  if (!parts_.config.http.enabled) return std::nullopt;
  return BuildApi();
}

ApiSurroundings Interfaces::Surroundings() {
  Pipeline& pipeline = parts_.pipeline;
  return {.engine = pipeline.engine(),
          .jobs = pipeline.jobs(),
          .history = pipeline.history(),
          .keys = pipeline.keys(),
          .events = events_,
          .tap = tap_,
          .version = std::string(kVersion),
          .source = [&pipeline] { return pipeline.source().status(); },
          .not_ready = [this] { return readiness_.NotReady(); },
          .notes = readiness_.Notes(),
          .metrics = [this] { return metrics_->MetricsText(); },
          .change = parts_.change,
          .result =
              [&pipeline](const CompletedRun& run, const Listing& listing) {
                return ResultPieces(run, listing, pipeline.keys());
              },
          .deliver_past =
              [&pipeline](const CompletedRun& run) { return pipeline.jobs().DeliverPast(run); },
          .alerts = [&pipeline] { return pipeline.alerts().Statuses(); },
          .frozen =
              [&pipeline](const std::string& window) {
                return pipeline.exports().FrozenFolderOf(window);
              },
          .leases = [&pipeline](
                        const std::string& window) { return pipeline.exports().LeasesOf(window); },
          .lease_books = [&pipeline] { return pipeline.exports().LeaseBooks(); },
          .past = &past_,
          .work = &pipeline.desk(),
          .waiters = &waiters_};
}

HttpCounts Interfaces::CountHttp() const {
  HttpCounts counts;
  const auto add = [&](const char* listener, const std::optional<HttpServer>& server) {
    if (!server) return;
    const ConnectionCounts of = server->connections();
    counts.listeners.push_back({listener, of.open, of.evicted, of.refused});
  };
  add("api", http_);
  add("metrics", open_http_);
  if (access_) {
    const FailedTokens failed = access_->failed_tokens();
    counts.missing_tokens = failed.missing;
    counts.wrong_tokens = failed.wrong;
  }
  return counts;
}

std::optional<int> Interfaces::BuildApi() {
  const HttpConfig& http = parts_.config.http;
  HttpServerOptions options{.host = http.host, .port = http.port};
  std::optional<AccessTokens> tokens;
  if (http.tokens) tokens = AccessTokens{http.tokens->read.text, http.tokens->admin.text};
  if (http.tls) {
    ReadTls tls = ReadTlsMaterial(http.tls->certificate, http.tls->key);
    if (!tls.troubles.empty()) {  // they appeared after the configuration was checked
      const TlsTrouble& first = tls.troubles.front();
      return Fail(parts_.log, {ErrorCode::kInvalidArgument, first.key + ": " + first.what},
                  kExitConfiguration);
    }
    options.tls = std::move(tls.material);
  }
  options.any_address = tokens && options.tls;
  const auto access = std::make_shared<Access>(std::move(tokens), parts_.pipeline.clock());
  access->OnFailedToken([&log = parts_.log](const std::string& client, std::string_view what) {
    log.Log(process_events::kTokenRefused, fmt::format("a request from {}: {}", client, what),
            {{"client", client}});
  });
  access_ = access;
  options.connections_per_address = http.connections_per_address;
  auto routes = std::make_shared<const RouteTable>(MakeApiRoutes(Surroundings()));
  options.admit = [access](const HttpRequest& request) { return access->Admit(request); };
  options.exempt = [access](const HttpRequest&) { return access->HasToken(); };
  options.lane = [routes](const HttpRequest& request) { return routes->LaneOf(request); };
  options.most_body = [routes](const HttpRequest& request) { return routes->BodyBytes(request); };
  options.takes_body = [routes](const HttpRequest& request) { return routes->TakesBody(request); };
  http_.emplace(std::move(options), Negotiated([routes](const HttpRequest& request) {
                  return routes->Handle(request);
                }));
  events_.OnAdded([this] { http_->Wake(); });
  tap_.OnFilled([this] { http_->Wake(); });
  return std::nullopt;
}

std::optional<int> Interfaces::Start() {
  const HttpConfig& http = parts_.config.http;
  if (http_) {
    const auto failed = StartServer(*http_, http.tls ? "https" : "http", http.host);
    if (failed) return failed;
    waiters_.Start([this] { http_->Wake(); });
  }
  if (!open_http_) return std::nullopt;
  return StartServer(*open_http_, "metrics", http.metrics_listen->host);
}

std::optional<int> Interfaces::StartServer(HttpServer& server, std::string_view what,
                                           std::string_view host) {
  if (Status started = server.Start(); !started) {
    const bool configured = started.error().code == ErrorCode::kInvalidArgument;
    return Fail(parts_.log, started.error(), configured ? kExitConfiguration : kExitFailure);
  }
  parts_.log.Log(process_events::kListens,
                 fmt::format("{} listens on {}:{}", what, host, server.port()),
                 {{"host", host}, {"port", server.port()}});
  return std::nullopt;
}

void Interfaces::Stop() {
  waiters_.Stop();
  if (http_) http_->Stop();
  if (open_http_) open_http_->Stop();
}

void Interfaces::Wake() {
  if (http_) http_->Wake();
}

void Interfaces::JobLeft(const std::string& job) { metrics_->JobLeft(job); }

void Interfaces::AdvanceObserved(const AdvancePtr& advance) {
  metrics_->AdvanceObserved(advance);
  if (http_) events_.Add("advance", AdvanceText(*advance));
}

void Interfaces::RunObserved(const CompletedRun& run) {
  metrics_->RunObserved(*run.result);
  events_.AddResult(run.result);
}

void Interfaces::LookAtStream() {
  if (!http_) return;  // there is no API to tell it
  const Pipeline& pipeline = parts_.pipeline;
  past_.Look(pipeline.clock().Steady(), [&] {
    return SampleOf(pipeline.source().status(), pipeline.engine().progress(),
                    pipeline.clock().Now());
  });
}

}  // namespace sash
