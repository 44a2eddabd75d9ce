#include "daemon/application.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/codec/key_watch.h"
#include "connectors/replay/replay_spec.h"
#include "daemon/changes/config_reload.h"
#include "daemon/changes/run_time_changes.h"
#include "daemon/config/idle_keys.h"
#include "daemon/interfaces.h"
#include "daemon/log/exit_code.h"
#include "daemon/log/log_events.h"
#include "daemon/log/process_log.h"
#include "daemon/memory/memory_keeping.h"
#include "daemon/pipeline/dry_run.h"
#include "daemon/pipeline/pipeline.h"
#include "daemon/pipeline/pipeline_memory.h"
#include "daemon/shutdown/drain.h"
#include "daemon/shutdown/service_notifier.h"
#include "daemon/shutdown/stop_request.h"
#include "daemon/version.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kHousekeeping{250};

}  // namespace

// Members are built in this order and destroyed in reverse.
class Application::Impl {
 public:
  Impl(Config config, std::string file, DryRun* dry_run)
      : dry_run_(dry_run),
        config_(std::move(config)),
        log_(config_.log, clock_),
        reload_(std::move(file), config_, log_),
        memory_(config_.memory, log_),
        key_watch_(config_.source.format.keys),
        pipeline_(config_, memory_.limit(), log_, Observers()),
        changes_(Changed()),
        interfaces_({config_, pipeline_, memory_, reload_, log_,
                     [this](ChangeRequest request) { return changes_.Ask(std::move(request)); }}) {}

  int Run() {
    log_.Log(process_events::kStarts, fmt::format("sashd {} starts", kVersion),
             {{"version", kVersion}});
    if (const StreamShard* const shard = config_.source.shard()) {
      log_.Log(
          process_events::kShard,
          fmt::format("shard {} of {}: exports the slices of its partitions; the windows, jobs, "
                      "sinks and alerts of the configuration do not run here",
                      shard->number, shard->of));
    }
    for (const IdleKey& idle : FindIdleKeys(config_)) {
      log_.Log(process_events::kKeyWithoutEffect, idle.ToString(), {{"key", idle.key}});
    }
    memory_.Watch(held_);
    if (const std::optional<int> failed = pipeline_.Build()) return *failed;
    if (const std::optional<int> failed = interfaces_.Build()) return *failed;
    if (const std::optional<int> failed = StartAll()) return *failed;
    const StopRequest::Cause cause = AwaitEnd();
    changes_.Close();
    log_.ReportAllHeld();  // a forced end would lose the lines held back
    return Drain({pipeline_, interfaces_, memory_, notifier_, stop_, log_},
                 reload_.running().shutdown_deadline, source_ended_)
        .Run(cause);
  }

 private:
  PipelineObservers Observers() {
    return {
        .on_round =
            [this](const EventBatch* batch) {
              if (batch != nullptr && key_watch_) WatchKeys(*batch);
              interfaces_.RoundObserved(batch);
            },
        .on_advance = [this](const AdvancePtr& advance) { interfaces_.AdvanceObserved(advance); },
        .on_result = [this](const CompletedRun& run) { interfaces_.RunObserved(run); },
        .on_alert =
            [this](const std::string& alert, const std::string& json) {
              if (dry_run_ != nullptr) dry_run_->Tell(alert, json);
              interfaces_.Tell("fired", json);
            },
        .on_end_of_source = [this] { stop_.Raise(StopRequest::Cause::kEndOfSource); }};
  }

  // Runs in the engine thread until the first records have been seen.
  void WatchKeys(const EventBatch& batch) {
    key_watch_->Look(batch);
    if (!key_watch_->IsDone()) return;
    for (const std::string& warning : key_watch_->Warnings()) {
      log_.Log(process_events::kKeysDoubtful, warning);
    }
    key_watch_.reset();
  }

  std::optional<int> StartAll() {
    if (const std::optional<int> failed = interfaces_.Start()) return failed;
    memory_.Start();
    if (const std::optional<int> failed = pipeline_.Start()) {
      memory_.Stop();
      return failed;
    }
    interfaces_.SayStarted();
    notifier_.Ready();
    return std::nullopt;
  }

  bool StaysAtEnd() const { return config_.source.at_end() == SourceEnd::kStay; }

  StopRequest::Cause AwaitEnd() {
    for (;;) {
      const StopRequest::Cause cause = stop_.Wait(kHousekeeping);
      if (cause == StopRequest::Cause::kReload) {
        log_.Log(process_events::kReloadAsked, "SIGHUP: reading the configuration again");
        (void)changes_.Reload();  // logs its own outcome
      } else if (cause == StopRequest::Cause::kReopen) {
        log_.Log(process_events::kReopenAsked,
                 "SIGUSR1: opening moved files of results and dead letters again");
      } else if (cause == StopRequest::Cause::kEndOfSource && StaysAtEnd()) {
        source_ended_ = true;
        log_.Log(process_events::kEndOfSource,
                 EndOfSourceText(pipeline_) + "; the process stays until it is stopped (at_end)");
      } else if (cause != StopRequest::Cause::kNone) {
        return cause;
      }
      changes_.Execute();
      pipeline_.LookAtRefusals();
      interfaces_.TellReadiness();
      interfaces_.LookAtStream();
      pipeline_.sinks().LookAtFiles();
      (void)pipeline_.dead_letters().Flush().ok();  // reported by TakeChange()
      ReportDeadLetters();
      log_.ReportHeld();
      notifier_.Look(interfaces_.NotReady(), pipeline_.Standing(), pipeline_.clock().Steady());
      if (const auto failure = pipeline_.source().status().failure) {
        log_.Log(process_events::kSourceFailed, *failure);
        return StopRequest::Cause::kSourceFailed;
      }
      if (const auto stuck = memory_.WhyStuck()) {
        log_.Log(process_events::kMemoryStuck, *stuck);
        return StopRequest::Cause::kSourceFailed;
      }
    }
  }

  ChangedParts Changed() {
    return {.pipeline = pipeline_,
            .reload = reload_,
            .log = log_,
            .follow_log = [this](const LogConfig& wanted) { log_.Follow(wanted); },
            .wake = [this] { stop_.Wake(); },
            .answered = [this] { interfaces_.Wake(); },
            .tell = [this](std::string_view kind,
                           std::string json) { interfaces_.Tell(kind, std::move(json)); },
            .job_left = [this](const std::string& job) { interfaces_.JobLeft(job); }};
  }

  void ReportDeadLetters() {
    if (const std::optional<Status> change = pipeline_.dead_letters().file().TakeChange()) {
      if (change->ok()) {
        log_.Log(process_events::kLettersResumed, "dead letters are written again");
      } else {
        log_.Log(process_events::kLettersFailed,
                 "dead letters are not written: " + change->error().message);
      }
    }
  }

  StopRequest stop_;  // first: it blocks the signals for every thread
  DryRun* const dry_run_;
  const Config config_;  // as it was at the start
  const SystemClock clock_;
  ProcessLog log_;
  ConfigReload reload_;
  ServiceNotifier notifier_{log_};
  MemoryKeeping memory_;
  bool source_ended_ = false;          // and the process stays
  std::optional<KeyWatch> key_watch_;  // used by the engine thread; empty once it has seen enough
  Pipeline pipeline_;
  PipelineMemory held_{pipeline_};
  RunTimeChanges changes_;  // before the interfaces, which use it until they are destroyed
  Interfaces interfaces_;
};

Application::Application(Config config, std::string file, DryRun* dry_run)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(file), dry_run)) {}
Application::~Application() = default;

int Application::Run() { return impl_->Run(); }

}  // namespace sash
