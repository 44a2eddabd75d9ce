#include "daemon/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "connectors/sinks/chosen_results.h"
#include "daemon/log/exit_code.h"
#include "daemon/log/log_events.h"
#include "daemon/memory/edge_file.h"
#include "daemon/pipeline/bounded_replay.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kQueueBytes = 64 << 20;     // decoded records between source and engine
constexpr std::size_t kPrefetchBytes = 32 << 20;  // fetched records before that

// Closed slices that wait for the disk, if they are exported.
constexpr std::uint64_t kSliceBytes = 1 << 30;
constexpr std::uint64_t kShareOfSlices = 8;  // of a memory limit

// Data on its way to the engine must not fill a small limit.
std::size_t Bounded(std::size_t bytes, const std::optional<MemoryLimit>& limit) {
  constexpr std::size_t kShare = 16;
  return limit ? std::min<std::size_t>(bytes, limit->bytes / kShare) : bytes;
}

}  // namespace

Pipeline::Pipeline(const Config& config, const std::optional<MemoryLimit>& limit, EventLog& log,
                   PipelineObservers observers)
    : config_(config),
      limit_(limit),
      log_(log),
      observers_(std::move(observers)),
      keys_(config.source.format.keys),
      queue_(Bounded(kQueueBytes, limit)),
      history_(config.jobs),
      desk_(clock_, fmt::format("{:x}", clock_.Now().time_since_epoch().count())) {
  desk_.KeepBy([this](const AdvancePtr& advance, SteadyTime until, const std::stop_token& stop) {
    return exports_->Hold(advance, until, stop);
  });
}

std::optional<int> Pipeline::Build() {
  if (Status readable = CheckSource(config_.source); !readable) {
    return Fail(log_, std::move(readable).error().Within("source"), kExitConfiguration);
  }
  if (const std::optional<int> failed = BuildSinks()) return failed;
  if (const std::optional<int> failed = BuildExports()) return failed;
  if (const std::optional<int> failed = BuildEngine()) return failed;
  return BuildSource();
}

std::optional<int> Pipeline::BuildSinks() {
  Result<std::unique_ptr<OutputSet>> outputs = OutputSet::Open(config_, keys_, Mode(), log_);
  if (!outputs) return Fail(log_, outputs.error(), kExitFailure);
  outputs_ = std::move(outputs).value();
  if (const std::optional<int> failed = BuildAlerts()) return failed;
  delivery_.emplace(
      DeliverySurroundings{.sinks = *alerts_,
                           .dead_letters = dead_letters(),
                           .clock = clock_,
                           .log = log_,
                           .commit = [this](std::uint64_t advances,
                                            const RewindPoint& point) { Commit(advances, point); },
                           .acknowledged = [this] { return AcknowledgedAdvances(); },
                           .on_result = observers_.on_result});
  return std::nullopt;
}

// The results up to this advance are safe; `point` may be committed once the slices that have
// closed by now are durable, if they are exported. A checkpoint waits for them by itself.
void Pipeline::Commit(std::uint64_t advances, const RewindPoint& point) {
  if (recovery_ && recovery_->keeps_slices()) return recovery_->Delivered(advances, point);
  asked_.Ask(advances, point);
  const auto commit = [this, advances, point] {
    if (recovery_) return recovery_->Delivered(advances, point);
    source().Commit(point);
  };
  exports_->AfterDurable(commit);
}

std::optional<int> Pipeline::BuildExports() {
  Result<std::unique_ptr<ExportSet>> opened =
      ExportSet::Open({.config = config_,
                       .keys = keys_,
                       .partitions = partitions_,
                       .clock = clock_,
                       .log = log_,
                       .mode = Mode(),
                       .most_waiting = limit_ ? limit_->bytes / kShareOfSlices : kSliceBytes,
                       .dead_letters = dead_letters(),
                       .context = [this](const std::string& window) { return ContextOf(window); },
                       .commit = [this](const RewindPoint& point) { source().Commit(point); }});
  if (!opened) {
    const bool configured = opened.error().code == ErrorCode::kInvalidArgument;
    return Fail(log_, opened.error(), configured ? kExitConfiguration : kExitFailure);
  }
  exports_ = std::move(opened).value();
  return std::nullopt;
}

WindowContext Pipeline::ContextOf(const std::string& window) const {
  const auto found = engine_->Find(window);
  std::vector<JobSpec> jobs = scheduler_->jobs();
  std::erase_if(jobs, [&](const JobSpec& job) { return job.window != window; });
  return {.policy = found ? found->spec.store() : StoreSpec(), .jobs = std::move(jobs)};
}

Status Pipeline::MakeDurable() {
  if (Status letters = dead_letters().MakeDurable(); !letters) return letters;
  return exports_->AwaitDurable();
}

std::optional<int> Pipeline::BuildAlerts() {
  AlertDesk::Surroundings around{
      .sinks = sinks(), .receivers = sinks().receivers(), .log = log_, .tell = observers_.on_alert};
  if (!is_finite()) {
    around.open_store = [path = config_.recovery.path] { return AlertStore::Open(path); };
  }
  Result<std::unique_ptr<AlertDesk>> desk =
      AlertDesk::Open(config_.alerts, config_.jobs, config_.source.format.keys, std::move(around));
  if (!desk) {
    const ErrorCode code = desk.error().code;
    const bool is_wrong = code == ErrorCode::kInvalidArgument || code == ErrorCode::kCorruption;
    return Fail(log_, desk.error(), is_wrong ? kExitConfiguration : kExitFailure);
  }
  alerts_ = std::move(desk).value();
  return std::nullopt;
}

std::uint64_t Pipeline::AcknowledgedAdvances() {
  if (recovery_ && recovery_->keeps_slices()) return recovery_->durable_advances();
  return source_ ? asked_.Acknowledged(source().acknowledged()) : 0;
}

OutputMode Pipeline::Mode() const {
  if (config_.source.span() != nullptr) return OutputMode::kBoundedReplay;
  return is_finite() ? OutputMode::kReplay : OutputMode::kLive;
}

// False for windows that a bounded replay saw only in part.
bool Pipeline::IsAsked(const Advance& advance) const {
  const ReplaySpan* const span = config_.source.span();
  return span == nullptr || HoldsWhole(*span, config_.windows, advance.provenance);
}

std::optional<int> Pipeline::BuildRecovery() {
  Result<std::unique_ptr<Recovery>> opened =
      OpenRecovery(config_, {.keys = keys_,
                             .partitions = partitions_,
                             .clock = clock_,
                             .log = log_,
                             .commit = [this](const RewindPoint& point) { source().Commit(point); },
                             .committed = [this] { return source().committed(); },
                             .make_durable = [this] { return MakeDurable(); },
                             .source = config_.source,
                             .with_times = config_.source.format.time_origin == TimeOrigin::kClock,
                             .needs_places = keeps_places(),
                             .horizon = &progress_.horizon});
  if (!opened) return Fail(log_, opened.error(), kExitFailure);
  recovery_ = std::move(opened).value();
  return std::nullopt;
}

std::optional<int> Pipeline::BuildEngine() {
  if (const std::optional<int> failed = BuildRecovery()) return failed;
  scheduler_.emplace(
      config_.jobs, keys_, clock_, history_, *delivery_, is_finite(),
      [this](const std::string& job, const JobParameters& parameters) {
        return AnyWritesDiffs(config_.sinks, job, parameters) || alerts_->Compares(job);
      },
      config_.runners, &desk_);
  EngineSurroundings around{keys_,  partitions_, clock_, outputs_->refusals(),
                            stats_, progress_,   *this};
  around.compared = scheduler_->Compared();
  around.alone = config_.alone;
  around.others = exports_->shard();
  for (const FormatSpec& each : config_.source.format.mappings) {
    around.mappings.push_back(each.name);
  }
  if (!config_.memory.spill.empty()) {
    Result<std::pmr::memory_resource*> file = MakeEdgeFile(config_.memory.spill, log_);
    if (!file) {
      return Fail(log_, std::move(file).error().Within("memory.spill: " + config_.memory.spill),
                  kExitFailure);
    }
    around.slots = file.value();
  }
  engine_.emplace(config_.windows, config_.source.time, std::move(around));
  SASH_CHECK(engine_->filters() == config_.source.format.window_filters);  // the same numbers
  live_jobs_.emplace(*engine_, *scheduler_, clock_);
  engine_thread_.emplace(
      queue_, *engine_, [this](std::optional<EventBatch> batch) { Round(std::move(batch)); },
      observers_.on_end_of_source);
  if (!recovery_) return std::nullopt;
  Status recovered = recovery_->Recover(*engine_, config_.windows);
  if (recovered) return std::nullopt;
  // The content of the folder and the configuration do not match.
  const bool configured = recovered.error().code == ErrorCode::kInvalidArgument;
  return Fail(log_, recovered.error(), configured ? kExitConfiguration : kExitFailure);
}

void Pipeline::OnAdvance(AdvancePtr advance) {
  if (recovery_) recovery_->BeforeAdvance();
  if (!IsAsked(*advance)) return;
  observers_.on_advance(advance);
  exports_->Submit(advance);
  scheduler_->Submit(std::move(advance));
}

void Pipeline::OnRecalled(const AdvancePtr& advance) { scheduler_->Recall(advance); }

void Pipeline::OnAllPassed(const std::string& window, std::int64_t end) {
  scheduler_->PassAll(window, end);
}

bool Pipeline::keeps_slices() const {
  return keeps_places() || (recovery_ && recovery_->keeps_slices());
}

void Pipeline::OnSlice(ClosedSlice slice) {
  exports_->Add(slice);
  slice.logs.reset();
  if (recovery_ && recovery_->keeps_slices()) recovery_->Add(std::move(slice));
}

void Pipeline::Round(std::optional<EventBatch> batch) {
  exports_->AwaitRoom();
  observers_.on_round(batch ? &*batch : nullptr);
  if (batch && batch->start) sinks().Begin();  // the files have no other reader any more
  if (recovery_) return recovery_->Round(std::move(batch));
  if (batch) {
    if (batch->start) exports_->BeginShard();
    engine_->Process(*batch);
  } else {
    engine_->Tick();
  }
  exports_->NoteShard(*engine_, false);
}

std::optional<int> Pipeline::BuildSource() {
  std::optional<std::size_t> prefetch;
  if (limit_) prefetch = Bounded(kPrefetchBytes, limit_);
  SourceSurroundings around{partitions_, queue_, outputs_->refusals(), clock_,
                            progress_,   log_,   outputs_->broker(),   prefetch};
  if (recovery_) around.resume = recovery_->resume();
  if (config_.source.slices() != nullptr) {
    around.pane = Duration(PaneOf(config_.windows, WindowAxis::kEventTime));
  }
  Result<std::unique_ptr<SourceHolder>> source = MakeSource(config_.source, around);
  if (!source) return Fail(log_, source.error(), kExitConfiguration);
  source_ = std::move(source).value();
  return std::nullopt;
}

std::optional<int> Pipeline::Start() {
  scheduler_->Start();
  exports_->Start();
  if (recovery_) recovery_->Start();
  engine_thread_->Start();
  live_jobs_->Start();
  Status started = source().Start();
  if (started.ok()) return std::nullopt;
  Stop();
  const int code =
      started.error().code == ErrorCode::kInvalidArgument ? kExitConfiguration : kExitFailure;
  return Fail(log_, std::move(started).error().Within("source"), code);
}

void Pipeline::Finish() {
  live_jobs_->Stop();  // the scheduler will wait for every run
  source().Stop();
  queue_.Close();
  exports_->LetSlicesGo();
  engine_thread_->Join();
  exports_->NoteShard(*engine_, true);
}

void Pipeline::Stop() {
  if (live_jobs_) live_jobs_->Stop();
  if (source_) source().Stop();
  queue_.Close();
  scheduler_->RequestStop();  // a run that waits for an export is cancelled, not failed
  exports_->StopWindows();
  scheduler_->Stop();
  exports_->LetSlicesGo();
  engine_thread_->Join();
  exports_->StopSlices();
  if (recovery_) recovery_->Stop();
}

PipelineStanding Pipeline::Standing() const {
  const std::vector<JobStatus> jobs = scheduler_->Statuses();
  return {.rounds = stats_.rounds,
          .jobs_busy = std::any_of(jobs.begin(), jobs.end(), [](const JobStatus& job) {
            return job.running || job.waiting > 0;
          })};
}

}  // namespace sash
