#include "connectors/kafka/kafka_source.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <stop_token>
#include <thread>
#include <utility>

#include "connectors/codec/next_judging.h"
#include "connectors/kafka/broker_reach.h"
#include "connectors/kafka/claim_keeper.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/decode_team.h"
#include "connectors/kafka/group_commits.h"
#include "connectors/kafka/lag_report.h"
#include "connectors/kafka/log_events.h"
#include "connectors/kafka/opening_attempts.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/source_board.h"
#include "connectors/kafka/stream_reader.h"
#include "windows/base/check.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{20};  // the longest wait at once, so that a stop is noticed

}  // namespace

class KafkaSource::Impl {
 public:
  Impl(KafkaSpec spec, const FormatSpec& format, std::vector<std::unique_ptr<Decoder>> decoders,
       PartitionTable& partitions, BatchQueue& queue, RefusalSink& refusals, const Clock& clock,
       const StreamProgress& progress, const TimePolicy& policy, EventLog& log,
       std::shared_ptr<SchemaSource> schemas)
      : spec_(std::move(spec)),
        partitions_(partitions),
        queue_(queue),
        clock_(clock),
        progress_(progress),
        policy_(policy),
        format_(format),
        schemas_(std::move(schemas)),
        log_(log),
        ready_(log),
        board_(spec_, format, log),
        team_(format, std::move(decoders), refusals, clock),
        commits_(partitions, clock, log),
        lag_(
            spec_, [this] { return Reading(); }, log) {}

  ~Impl() {
    Stop();
    const bool left = claim_ == nullptr || claim_->Leave(kClose);
    const bool closed = consumer_ == nullptr || consumer_->Close(kClose);
    if (!left || !closed) {
      log_.Log(kafka_events::kCloseFailed,
               fmt::format("kafka: librdkafka did not close within {} s", kClose.count() / 1000));
    }
  }

  Status Start() {
    SASH_CHECK(consumer_ == nullptr);
    Result<std::unique_ptr<ConsumerHandle>> consumer = ConsumerHandle::Open(spec_);
    if (!consumer) return std::move(consumer).error();
    consumer_ = std::move(consumer).value();
    if (spec_.claims_group) {
      Result<std::unique_ptr<ClaimKeeper>> claim =
          ClaimKeeper::Open(spec_, *consumer_, board_, ready_, log_, clock_);
      if (!claim) return std::move(claim).error();
      claim_ = std::move(claim).value();
    }
    commits_.Open(*consumer_, claim_ == nullptr ? nullptr : &claim_->claim());
    if (!spec_.span) {
      if (Status started = lag_.Start(); !started) return started;
    }
    OpeningAttempts::SayConnecting(spec_, ready_);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      pthread_setname_np(pthread_self(), "kafka source");
      Run(stop);
    });
    return Ok{};
  }

  void Stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    consumer_->Interrupt();
    thread_.join();
    lag_.Finish();
    const MutexLock lock(late_mutex_);
    stopped_ = true;
    commits_.SendLast(reachable(), kLastCommit);
  }

  void Commit(const RewindPoint& point) {
    if (spec_.span) return;  // the group's offsets belong to the live stream
    commits_.Offer(point);
    const MutexLock lock(late_mutex_);
    if (stopped_) commits_.SendLast(reachable(), kLastCommit);
  }

  std::vector<RewindPosition> committed() const { return commits_.committed(); }
  std::optional<RewindPoint> acknowledged() const { return commits_.acknowledged(); }

  SourceStatus status() const {
    std::vector<std::string> reasons = ready_.Reasons();
    const KafkaCounters counted = counters();
    SourceStatus status = board_.status();
    lag_.CorrectEnds(status.partitions);
    status.not_ready = std::move(reasons);
    status.incidents = IncidentsOf(counted);
    return status;
  }

  Result<Switch> PrepareFilters(FilterSetPtr filters) {
    FormatSpec format = format_;
    format.JudgeBy(filters->texts);
    auto judging = std::make_shared<Judging>();
    judging->filters = std::move(filters);
    while (judging->decoders.size() < team_.threads()) {
      Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format, {}, schemas_);
      if (!decoder) return std::move(decoder).error();
      judging->decoders.push_back(std::move(decoder).value());
    }
    return Switch([this, judging] { next_judging_.Give(judging); });
  }

  KafkaCounters counters() const {
    const GroupCommits::Counts commits = commits_.counts();
    KafkaCounters counters = board_.counters();
    counters.commits = commits.succeeded;
    counters.commit_failures = commits.failed;
    return counters;
  }

 private:
  void Run(const std::stop_token& stop) {
    StreamReader reader(*consumer_, partitions_, team_, ready_, log_, clock_, progress_, policy_,
                        format_.keys, spec_, SchemaHold(schemas_, format_, ready_));
    reader.JudgeBy(std::make_shared<const FilterSet>(FilterSet{0, format_.window_filters}), false);
    OpeningAttempts attempts(spec_, *consumer_, partitions_, claim_.get(), board_, ready_, log_);
    if (!attempts.Open(reader, stop)) return;
    while (!stop.stop_requested()) {
      if (const std::shared_ptr<Judging> next = next_judging_.Take()) {
        team_.Replace(std::move(next->decoders));
        reader.JudgeBy(next->filters, true);
      }
      reader.Collect();
      reader.Upkeep();
      board_.Publish(reader);
      commits_.Serve(reachable());
      if (claim_ != nullptr && reader.TakeChange()) claim_->Cover(reader.Topics());
      if (!KeepClaim()) return;
      const bool finished = reader.Finished();
      if (finished) reader.last_batch().end_of_source = true;
      if (!PushAll(reader, stop)) {
        board_.NoteDropped();
        break;
      }
      if (!PauseForMemory(reader, stop)) break;
      if (finished) {
        SayEnd(reader);
        break;
      }
    }
    board_.Publish(reader);
  }

  void SayEnd(const StreamReader& reader) {
    if (reader.left_out_of_span() == 0) return;
    log_.Log(kafka_events::kSpanLeftOut,
             fmt::format("kafka: {} events were left out: they lie before the span, or were "
                         "refused before its first event",
                         reader.left_out_of_span()),
             {{"events", reader.left_out_of_span()}});
  }

  bool PushAll(StreamReader& reader, const std::stop_token& stop) {
    for (EventBatch& batch : reader.batches()) {
      if (!Push(reader, batch, stop)) return false;
    }
    reader.StartOver();
    return true;
  }

  // False when stopped while the queue had no room. The batch is then dropped: it comes after every
  // rewind point, so it will be read again.
  bool Push(StreamReader& reader, EventBatch& batch, const std::stop_token& stop) {
    while (!batch.empty() && !queue_.Push(batch, kPatience)) {
      reader.StayAwake();
      if (stop.stop_requested()) return false;
      if (queue_.closed()) SleepFor(stop, kPatience);
      consumer_->ServeCallbacks();
      commits_.Serve(reachable());
      if (!KeepClaim()) return false;
    }
    return true;
  }

  // False when stopped. The pause is short enough for librdkafka, which limits the time between
  // polls.
  bool PauseForMemory(StreamReader& reader, const std::stop_token& stop) {
    for (milliseconds pause(progress_.intake_pause); pause.count() > 0 && !stop.stop_requested();
         pause -= kPatience) {
      SleepFor(stop, std::min(pause, kPatience));
      reader.StayAwake();
    }
    return !stop.stop_requested();
  }

  // False when another instance has taken the group.
  bool KeepClaim() { return claim_ == nullptr || claim_->Keep(); }

  // For the lag report.
  LagReport::Reading Reading() const {
    LagReport::Reading reading = board_.Reading();
    reading.may_commit =
        reading.may_commit && claim_ != nullptr && !claim_->is_lost() && reachable();
    return reading;
  }

  bool reachable() const { return !ready_.IsSet(BrokerReach::kBrokers); }

  const KafkaSpec spec_;
  PartitionTable& partitions_;
  BatchQueue& queue_;
  const Clock& clock_;
  const StreamProgress& progress_;
  const TimePolicy policy_;
  const FormatSpec format_;
  const std::shared_ptr<SchemaSource> schemas_;
  EventLog& log_;
  ReadyState ready_;
  SourceBoard board_;
  DecodeTeam team_;
  NextJudging next_judging_;
  GroupCommits commits_;
  std::unique_ptr<ConsumerHandle> consumer_;
  std::unique_ptr<ClaimKeeper> claim_;  // null: there can be no other instance

  Mutex late_mutex_;  // held while a commit is sent after the thread has ended
  bool stopped_ SASH_GUARDED_BY(late_mutex_) = false;

  std::jthread thread_;
  LagReport lag_;
};

KafkaSource::KafkaSource(KafkaSpec spec, FormatSpec format,
                         std::vector<std::unique_ptr<Decoder>> decoders, PartitionTable& partitions,
                         BatchQueue& queue, RefusalSink& refusals, const Clock& clock,
                         const StreamProgress& progress, const TimePolicy& policy, EventLog& log,
                         std::shared_ptr<SchemaSource> schemas)
    : impl_(std::make_unique<Impl>(std::move(spec), format, std::move(decoders), partitions, queue,
                                   refusals, clock, progress, policy, log, std::move(schemas))) {}

KafkaSource::~KafkaSource() = default;

Status KafkaSource::Start() { return impl_->Start(); }
void KafkaSource::Stop() { impl_->Stop(); }
void KafkaSource::Commit(const RewindPoint& point) { impl_->Commit(point); }
std::vector<RewindPosition> KafkaSource::committed() const { return impl_->committed(); }
std::optional<RewindPoint> KafkaSource::acknowledged() const { return impl_->acknowledged(); }
SourceStatus KafkaSource::status() const { return impl_->status(); }
Result<Source::Switch> KafkaSource::PrepareFilters(FilterSetPtr filters) {
  return impl_->PrepareFilters(std::move(filters));
}
KafkaCounters KafkaSource::counters() const { return impl_->counters(); }

}  // namespace sash
