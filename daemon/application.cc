#include "daemon/application.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/dead_letter_file.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/sink_set.h"
#include "daemon/config_reload.h"
#include "daemon/engine_thread.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/http_server.h"
#include "daemon/http/negotiation.h"
#include "daemon/memory/memory_limit.h"
#include "daemon/memory/memory_watch.h"
#include "daemon/memory/process_memory.h"
#include "daemon/memory/stuck_replay.h"
#include "daemon/metrics/daemon_metrics.h"
#include "daemon/process_log.h"
#include "daemon/result_delivery.h"
#include "daemon/service_notifier.h"
#include "daemon/shutdown_guard.h"
#include "daemon/source_factory.h"
#include "daemon/stop_request.h"
#include "daemon/version.h"
#include "windows/ingest/batch_queue.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/result_history.h"
#include "windows/slide/window_engine.h"

namespace sash {
namespace {

constexpr std::size_t kQueueBytes = 64 << 20;     // decoded records between source and engine
constexpr std::size_t kPrefetchBytes = 32 << 20;  // fetched records before that
constexpr std::chrono::milliseconds kHousekeeping{250};
// For a broker to take one more result; those that wait in an outbox are safe.
constexpr std::chrono::nanoseconds kLastDelivery = std::chrono::seconds(1);

// What is on its way to the engine may not be what fills a small limit.
std::size_t Bounded(std::size_t bytes, const std::optional<MemoryLimit>& limit) {
  constexpr std::size_t kShare = 16;
  return limit ? std::min<std::size_t>(bytes, limit->bytes / kShare) : bytes;
}

// Names this process among those that ran before it.
std::string ProcessEpoch(const Clock& clock) {
  return fmt::format("{:x}", clock.Now().time_since_epoch().count());
}

}  // namespace

// Members are in the order in which they are built; they go in reverse.
class Application::Impl {
 public:
  Impl(Config config, std::string file)
      : config_(std::move(config)),
        log_(config_.log),
        reload_(std::move(file), config_, log_),
        memory_limit_(ChooseMemoryLimit(config_.memory,
                                        LeastCeiling(FindCgroupCeiling(), resource_ceilings_))),
        keys_(config_.source.format.keys),
        queue_(Bounded(kQueueBytes, memory_limit_)),
        history_(config_.jobs) {}

  int Run() {
    log_.Log(LogSeverity::kInfo, fmt::format("sashd {} starts", kVersion));
    WatchMemory();
    if (const std::optional<int> failed = Build()) return *failed;
    if (const std::optional<int> failed = StartAll()) return *failed;
    const StopRequest::Cause cause = AwaitEnd();
    return Drain(cause);
  }

 private:
  void WatchMemory() {
    if (!memory_limit_) return;
    memory_watch_.emplace(
        *memory_limit_,
        MemorySurroundings{
            .progress = progress_,
            .clock = clock_,
            .log = log_,
            .used =
                [this] { return HeldAgainst(*memory_limit_, resource_ceilings_, ReservedBytes()); },
            .release = ReleaseFreeMemory});
  }

  // What will be taken for a moment: by the next advance, and by the next run.
  std::uint64_t ReservedBytes() const {
    return stats_.advance_bytes + (scheduler_ ? scheduler_->reserved_bytes() : 0);
  }

  // What nobody wrote in the configuration.
  void SayMemoryLimit() {
    if (!memory_limit_->warning.empty()) {
      log_.Log(LogSeverity::kWarning, memory_limit_->warning);
    } else if (config_.memory.kind == MemoryConfig::Kind::kAutomatic) {
      log_.Log(LogSeverity::kInfo,
               fmt::format("memory: the limit is {} ({})", SizeText(memory_limit_->bytes),
                           memory_limit_->origin));
    }
  }

  // Sinks before what fills them. An exit code when something cannot be built.
  std::optional<int> Build() {
    const bool replay = config_.source.is_replay();
    if (Status readable = CheckSource(config_.source); !readable) {
      return Fail(std::move(readable).error().Within("source"), kExitConfiguration);
    }
    Result<std::unique_ptr<DeadLetterFile>> letters =
        DeadLetterFile::Open(config_.source.dead_letters, replay);
    if (!letters) return Fail(letters.error(), kExitFailure);
    dead_letters_ = std::move(letters).value();
    Result<std::unique_ptr<EmbeddedBroker>> broker = StartEmbeddedBroker(config_.source, log_);
    if (!broker) return Fail(broker.error(), kExitFailure);
    broker_ = std::move(broker).value();
    Result<std::unique_ptr<SinkSet>> sinks = OpenSinks(SinkSpecs(), keys_, replay, log_);
    if (!sinks) return Fail(sinks.error(), kExitFailure);
    sinks_ = std::move(sinks).value();
    delivery_.emplace(DeliverySurroundings{
        .sinks = *sinks_,
        .dead_letters = *dead_letters_,
        .clock = clock_,
        .log = log_,
        .commit = [this](const RewindPoint& point) { source_->source().Commit(point); },
        .on_result =
            [this](const CompletedRun& run) {
              metrics_->RunObserved(*run.result);
              events_.AddResult(run.result);
            }});
    scheduler_.emplace(config_.jobs, keys_, clock_, history_, *delivery_, replay);
    engine_.emplace(config_.windows, config_.source.time,
                    EngineSurroundings{keys_, partitions_, clock_, *dead_letters_, stats_,
                                       progress_, [this](AdvancePtr advance) {
                                         metrics_->AdvanceObserved(advance);
                                         if (http_) events_.Add("advance", AdvanceText(*advance));
                                         scheduler_->Submit(std::move(advance));
                                       }});
    engine_thread_.emplace(queue_, *engine_,
                           [this] { stop_.Raise(StopRequest::Cause::kEndOfSource); });
    Result<std::unique_ptr<SourceHolder>> source =
        MakeSource(config_.source, {partitions_, queue_, *dead_letters_, clock_, progress_, log_,
                                    broker_.get(), PrefetchBytes()});
    if (!source) return Fail(source.error(), kExitConfiguration);
    source_ = std::move(source).value();
    BuildInterfaces();
    return std::nullopt;
  }

  // With the address of the embedded broker, which nobody could write.
  std::vector<SinkSpec> SinkSpecs() const {
    std::vector<SinkSpec> specs = config_.sinks;
    for (SinkSpec& spec : specs) {
      auto* kafka = std::get_if<KafkaSinkSpec>(&spec);
      if (kafka != nullptr && kafka->brokers == "embedded") {
        kafka->brokers = broker_->bootstrap_servers();
      }
    }
    return specs;
  }

  // What people and Prometheus look at.
  void BuildInterfaces() {
    const auto source_status = [this] { return source_->source().status(); };
    metrics_.emplace(MetricsSurroundings{.engine = *engine_,
                                         .stats = stats_,
                                         .progress = progress_,
                                         .jobs = *scheduler_,
                                         .keys = keys_,
                                         .buffer = queue_,
                                         .history = history_,
                                         .clock = clock_,
                                         .version = std::string(kVersion),
                                         .source = source_status,
                                         .refused = [this] { return RefusedByReason(); },
                                         .dead_letters =
                                             [this] {
                                               return DeadLetterCounts{
                                                   .rotated = dead_letters_->rotated(),
                                                   .lost = dead_letters_->lost()};
                                             },
                                         .sinks = [this] { return delivery_->Counts(); },
                                         .kafka_sinks = [this] { return sinks_->KafkaCounts(); },
                                         .memory = [this] { return CountMemory(); },
                                         .reloads = [this] { return reload_.counts(); }});
    if (!config_.http.enabled) return;
    http_.emplace(HttpServerOptions{.host = config_.http.host, .port = config_.http.port},
                  HandlerOf(MakeApiRoutes(
                      {.engine = *engine_,
                       .jobs = *scheduler_,
                       .history = history_,
                       .keys = keys_,
                       .events = events_,
                       .version = std::string(kVersion),
                       .source = source_status,
                       .not_ready = [this] { return NotReady(); },
                       .metrics = [this] { return metrics_->MetricsText(); },
                       .result_json =
                           [this](const CompletedRun& run, std::optional<std::size_t> top) {
                             return ResultJson(run, {.top = top}, keys_);
                           }})));
    events_.OnAdded([this] { http_->Wake(); });
  }

  static HttpHandler HandlerOf(RouteTable routes) {
    return Negotiated([routes = std::move(routes)](const HttpRequest& request) {
      return routes.Handle(request);
    });
  }

  std::array<std::uint64_t, kRefusalReasons> RefusedByReason() const {
    std::array<std::uint64_t, kRefusalReasons> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = dead_letters_->Count(static_cast<RefusalReason>(i));
    }
    return counts;
  }

  std::optional<std::size_t> PrefetchBytes() const {
    if (!memory_limit_) return std::nullopt;
    return Bounded(kPrefetchBytes, memory_limit_);
  }

  MemoryCounts CountMemory() const {
    MemoryCounts counts{.used = UsedMemory(),
                        .reserved = ReservedBytes(),
                        .limit = {},
                        .allocated = AllocatedMemory()};
    if (memory_watch_) {
      counts.limit = memory_limit_->bytes;
      counts.state = static_cast<int>(memory_watch_->status().state);
    }
    return counts;
  }

  std::uint64_t RefusedRecords() const {
    const auto counts = RefusedByReason();
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }

  std::vector<std::string> NotReady() const {
    std::vector<std::string> reasons = source_->source().status().not_ready;
    if (stopping_) reasons.emplace_back("the process is stopping");
    if (delivery_->failing()) reasons.emplace_back("results cannot be made durable");
    std::ranges::move(sinks_->NotReady(), std::back_inserter(reasons));
    if (memory_watch_) {
      if (std::optional<std::string> full = memory_watch_->not_ready()) {
        reasons.push_back(*std::move(full));
      }
    }
    return reasons;
  }

  std::optional<int> StartAll() {
    if (http_) {
      if (Status started = http_->Start(); !started) return Fail(started.error(), kExitFailure);
      log_.Log(LogSeverity::kInfo,
               fmt::format("http listens on {}:{}", config_.http.host, http_->port()));
    }
    if (memory_watch_) {
      SayMemoryLimit();
      memory_watch_->Start();
    }
    scheduler_->Start();
    engine_thread_->Start();
    if (Status started = source_->source().Start(); !started) {
      const int code =
          started.error().code == ErrorCode::kInvalidArgument ? kExitConfiguration : kExitFailure;
      StopAll();
      return Fail(std::move(started).error().Within("source"), code);
    }
    notifier_.Ready();
    return std::nullopt;
  }

  StopRequest::Cause AwaitEnd() {
    for (;;) {
      const StopRequest::Cause cause = stop_.Wait(kHousekeeping);
      if (cause == StopRequest::Cause::kReload) {
        log_.Log(LogSeverity::kInfo, "SIGHUP: reading the configuration again");
        reload_.Read([this](const Config& config) { Apply(config); });
      } else if (cause != StopRequest::Cause::kNone) {
        return cause;
      }
      TellReadiness();
      (void)dead_letters_->Flush().ok();  // reported by TakeChange()
      ReportDeadLetters();
      notifier_.Look(NotReady(), Standing(), clock_.Steady());
      if (const auto failure = source_->source().status().failure) {
        log_.Log(LogSeverity::kError, *failure);
        return StopRequest::Cause::kSourceFailed;
      }
      if (ReplayIsStuck()) {
        log_.Log(LogSeverity::kError, WhyStuck());
        return StopRequest::Cause::kSourceFailed;
      }
    }
  }

  PipelineStanding Standing() const {
    const std::vector<JobStatus> jobs = scheduler_->Statuses();
    return {.rounds = stats_.rounds,
            .jobs_busy = std::any_of(jobs.begin(), jobs.end(), [](const JobStatus& job) {
              return job.running || job.waiting > 0;
            })};
  }

  // To who follows the events, when it is another than before. Figures alone make no other one: how
  // much memory is used changes all the time.
  void TellReadiness() {
    const std::string text = ReadinessText(NotReady());
    std::string readiness = text;
    std::erase_if(readiness, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    if (readiness == readiness_) return;
    readiness_ = std::move(readiness);
    events_.Add("ready", text);
  }

  // What a reload changes.
  void Apply(const Config& config) {
    log_.SetLevel(config.log.level);
    scheduler_->ChangeJobs(config.jobs);
    for (const JobSpec& job : config.jobs) history_.Keep(job.name, job.keep_results);
  }

  bool ReplayIsStuck() {
    if (!memory_watch_ || !config_.source.is_replay()) return false;
    ReplayStanding standing{.held = source_->source().status().held,
                            .queue_empty = queue_.bytes() == 0,
                            .events = stats_.accepted,
                            .slices = stats_.slices_closed,
                            .rounds = stats_.rounds,
                            .used_bytes = memory_watch_->status().used_bytes};
    for (const JobStatus& job : scheduler_->Statuses()) {
      standing.jobs_busy = standing.jobs_busy || job.running || job.waiting > 0;
      standing.runs += job.runs;
    }
    return stuck_replay_.Observe(standing, clock_.Steady());
  }

  // Who holds the memory, and what to do.
  std::string WhyStuck() const {
    std::string holders;
    for (const auto& [spec, newest] : engine_->Windows()) {
      if (newest == nullptr) continue;
      holders += fmt::format("window {} {} ({} edges in {} slices), ", newest->provenance.window,
                             SizeText(newest->bytes), newest->provenance.edges, newest->slices);
    }
    const MemoryStatus memory = memory_watch_->status();
    return fmt::format(
        "memory: the replay cannot go on: {} of {} ({}) are used or reserved, nothing is left that "
        "could give memory back, and there is more to read. What holds most: {}slices that have "
        "not closed {} "
        "({} events), vertex keys {}, results {}. Raise memory.limit, or shorten windows, "
        "source.time.disorder or keep_results",
        SizeText(memory.used_bytes), SizeText(memory.limit_bytes), memory_limit_->origin, holders,
        SizeText(stats_.open_bytes), stats_.open_events.load(), SizeText(keys_.bytes()),
        SizeText(history_.bytes()));
  }

  void ReportDeadLetters() {
    if (const std::optional<Status> change = dead_letters_->TakeChange()) {
      if (change->ok()) {
        log_.Log(LogSeverity::kInfo, "dead letters are written again");
      } else {
        log_.Log(LogSeverity::kError, "dead letters are not written: " + change->error().message);
      }
    }
  }

  // A finite source has said everything: every run is awaited. Otherwise: what has been read is
  // applied, and what was due is delivered, as far as the deadline allows.
  int Drain(StopRequest::Cause cause) {
    const bool ended = cause == StopRequest::Cause::kEndOfSource;
    stopping_ = true;
    TellReadiness();
    SayWhyItStops(cause);
    std::optional<std::chrono::nanoseconds> deadline;
    if (!ended) deadline = reload_.running().shutdown_deadline;
    notifier_.Stopping(deadline);
    const ShutdownGuard guard(stop_, log_, deadline, [this] { CutShort(); });
    if (!ended) {
      source_->source().Stop();
      queue_.Close();
      engine_thread_->Join();
    }
    scheduler_->Drain();
    const bool cut_short = guard.acted();
    StopAll();
    if (cut_short) {
      log_.Log(LogSeverity::kWarning,
               config_.source.is_replay()
                   ? "cut short: the results do not cover all that was read"
                   : "cut short: a restart reads again what the results do not cover");
    }
    const bool written = WriteWhatIsLeft();
    const bool delivered = DeliverWhatIsLeft(guard);
    if (http_) http_->Stop();
    source_.reset();  // sends the last commit and leaves the broker
    log_.Log(LogSeverity::kInfo, "stopped");
    const bool is_whole = written && delivered && cause != StopRequest::Cause::kSourceFailed;
    return is_whole ? kExitOk : kExitFailure;
  }

  void SayWhyItStops(StopRequest::Cause cause) {
    const double seconds =
        std::chrono::duration<double>(reload_.running().shutdown_deadline).count();
    switch (cause) {
      case StopRequest::Cause::kEndOfSource:
        log_.Log(LogSeverity::kInfo,
                 fmt::format("end of the source: {} records, {} of them refused",
                             source_->source().status().records, RefusedRecords()));
        return;
      case StopRequest::Cause::kSignal:
        log_.Log(LogSeverity::kInfo,
                 fmt::format("{}: stopping, within {} s", stop_.signal_name(), seconds));
        return;
      default:
        log_.Log(LogSeverity::kInfo, fmt::format("stopping, within {} s", seconds));
    }
  }

  // Lets go of what takes too long. Called in the guard's thread; waits for nothing.
  void CutShort() {
    engine_->Abandon();
    scheduler_->RequestStop();
  }

  // False, and said, when something that ought to be in a file is not.
  bool WriteWhatIsLeft() {
    const Status results = delivery_->Flush();
    if (!results) log_.Log(LogSeverity::kError, "results are lost: " + results.error().message);
    const Status letters = dead_letters_->Flush();
    if (!letters) {
      log_.Log(LogSeverity::kError, "dead letters are lost: " + letters.error().message);
    }
    return results.ok() && letters.ok();
  }

  // Waits for those who take results over the network, as long as they take some. False, and said,
  // when what is left would be gone: the outbox of a replay begins anew.
  bool DeliverWhatIsLeft(const ShutdownGuard& guard) {
    const auto delivered = [this] {
      std::uint64_t count = 0;
      for (const KafkaSinkCounts& sink : sinks_->KafkaCounts()) count += sink.delivered;
      return count;
    };
    const bool replay = config_.source.is_replay();
    const std::chrono::nanoseconds patience =
        replay ? reload_.running().shutdown_deadline
               : std::min(reload_.running().shutdown_deadline / 10, kLastDelivery);
    std::uint64_t seen = delivered();
    SteadyTime since = clock_.Steady();
    const Status drained = sinks_->Drain(
        [&] {
          if (guard.acted()) return false;
          if (const std::uint64_t now = delivered(); now != seen) {
            seen = now;
            since = clock_.Steady();
          }
          return clock_.Steady() - since < patience;
        },
        !replay);
    if (drained.ok()) return true;
    log_.Log(replay ? LogSeverity::kError : LogSeverity::kWarning,
             drained.error().message + (replay ? ", which the next replay empties"
                                               : ", and are sent after the next start"));
    return !replay;
  }

  void StopAll() {
    if (memory_watch_) memory_watch_->Stop();  // it asks the scheduler
    if (source_) source_->source().Stop();
    queue_.Close();
    scheduler_->Stop();
    engine_thread_->Join();
  }

  int Fail(const Error& error, int code) {
    log_.Log(LogSeverity::kError, error.message);
    return code;
  }

  StopRequest stop_;     // first: it blocks the signals for every thread
  const Config config_;  // as it was at the start
  ProcessLog log_;
  ConfigReload reload_;
  const std::vector<MappedCeiling> resource_ceilings_ = FindResourceCeilings();
  ServiceNotifier notifier_{log_};
  const std::optional<MemoryLimit> memory_limit_;
  SystemClock clock_;
  VertexDictionary keys_;
  PartitionTable partitions_;
  BatchQueue queue_;
  EngineStats stats_;
  StreamProgress progress_;
  std::optional<MemoryWatch> memory_watch_;  // with a limit
  StuckReplay stuck_replay_;
  ResultHistory history_;
  std::string readiness_;  // as it was told last, without figures
  EventFeed events_{ProcessEpoch(clock_), [this](const EventFeed::ResultPtr& result) {
                      return ResultJson({result, nullptr, nullptr}, {}, keys_);
                    }};
  std::unique_ptr<DeadLetterFile> dead_letters_;
  std::unique_ptr<EmbeddedBroker> broker_;  // null without one
  std::unique_ptr<SinkSet> sinks_;
  std::optional<ResultDelivery> delivery_;
  std::optional<JobScheduler> scheduler_;
  std::optional<WindowEngine> engine_;
  std::optional<EngineThread> engine_thread_;
  std::unique_ptr<SourceHolder> source_;
  std::optional<DaemonMetrics> metrics_;
  std::atomic<bool> stopping_ = false;
  std::optional<HttpServer> http_;
};

Application::Application(Config config, std::string file)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(file))) {}
Application::~Application() = default;

int Application::Run() { return impl_->Run(); }

}  // namespace sash
