#include "connectors/kafka/kafka_source.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "connectors/kafka/broker_reach.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/decode_team.h"
#include "connectors/kafka/group_claim.h"
#include "connectors/kafka/group_commits.h"
#include "connectors/kafka/lag_report.h"
#include "connectors/kafka/log_events.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/rewind_metadata.h"
#include "connectors/kafka/stream_opening.h"
#include "connectors/kafka/stream_reader.h"
#include "connectors/kafka/topic_choice.h"
#include "windows/base/check.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{250};
constexpr milliseconds kLongestPause{5000};
constexpr milliseconds kPatience{20};  // the longest wait at once, so that a stop is noticed
constexpr milliseconds kBetweenClaims{50};
constexpr milliseconds kClaimQuestion{2000};
constexpr const char* kStart = "start";
constexpr const char* kClaim = "claim";

using ClaimKind = ClaimStanding::Kind;

}  // namespace

// It has 25 members because it connects the parts of the source: half of them are parts, the other
// half are the objects that the parts refer to.
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
        keys_(format.keys),
        reads_keys_(format.tombstone == TombstonePolicy::kRemove),
        schemas_(std::move(schemas)),
        log_(log),
        ready_(log),
        team_(format, std::move(decoders), refusals, clock),
        commits_(partitions, clock, log),
        lag_(
            spec_, [this] { return Reading(); }, log) {
    status_.kind = "kafka";
    status_.address = spec_.brokers;
    status_.topic_pattern = spec_.topic_pattern;
    for (const FormatSpec& mapping : format.mappings) status_.mappings.push_back({mapping.name});
  }

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
      Result<std::unique_ptr<GroupClaim>> claim =
          GroupClaim::Open(spec_, [this] { return Untouched(); });
      if (!claim) return std::move(claim).error();
      claim_ = std::move(claim).value();
    }
    commits_.Open(*consumer_, claim_.get());
    if (!spec_.span) {
      if (Status started = lag_.Start(); !started) return started;
    }
    ready_.Set(kStart, kafka_events::kConnecting, "connecting",
               fmt::format("kafka: connecting to {}", spec_.brokers));
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
    SourceStatus status;
    {
      const MutexLock lock(status_mutex_);
      status = status_;
    }
    lag_.CorrectEnds(status.partitions);
    status.not_ready = std::move(reasons);
    status.standing_by = standing_by_;
    status.incidents = {{"tombstones_ignored", counted.tombstones_ignored},
                        {"doubtful_times", counted.decoded.doubtful_times},
                        {"replaced_weights", counted.decoded.replaced_weights},
                        {"truncations", counted.decoded.truncations},
                        {"filter_failures", counted.decoded.filter_failures},
                        {"lost_records", counted.lost_records},
                        {"unreadable_batches", counted.unreadable_batches},
                        {"duplicates_ignored", counted.duplicates_ignored},
                        {"commits", counted.commits},
                        {"commit_failures", counted.commit_failures},
                        {"pauses", counted.pauses},
                        {"stalls", counted.stalls},
                        {"partitions_added", counted.partitions_added},
                        {"partitions_renewed", counted.partitions_renewed},
                        {"claims_lost", counted.claims_lost},
                        {"registry_holds", counted.registry_holds},
                        {"registry_requests", counted.registry_requests},
                        {"registry_failures", counted.registry_failures}};
    return status;
  }

  KafkaCounters counters() const {
    const GroupCommits::Counts commits = commits_.counts();
    const MutexLock lock(status_mutex_);
    KafkaCounters counters = counters_;
    counters.commits = commits.succeeded;
    counters.commit_failures = commits.failed;
    return counters;
  }

 private:
  void Run(const std::stop_token& stop) {
    StreamReader reader(*consumer_, partitions_, team_, ready_, log_, clock_, progress_, policy_,
                        keys_, spec_, SchemaHold(schemas_, reads_keys_, ready_));
    if (!OpenUntilItWorks(reader, stop)) return;
    while (!stop.stop_requested()) {
      reader.Collect();
      reader.Upkeep();
      PublishStatus(reader);
      commits_.Serve(reachable());
      if (claim_ != nullptr && reader.TakeChange()) claim_->Cover(reader.Topics());
      if (!KeepClaim()) return;
      const bool finished = reader.Finished();
      if (finished) reader.last_batch().end_of_source = true;
      if (!PushAll(reader, stop)) {
        forgot_ = true;
        break;
      }
      if (!PauseForMemory(reader, stop)) break;
      if (finished) {
        SayEnd(reader);
        break;
      }
    }
    PublishStatus(reader);
  }

  void SayEnd(const StreamReader& reader) {
    if (reader.left_out_of_span() == 0) return;
    log_.Log(kafka_events::kSpanLeftOut,
             fmt::format("kafka: {} events were left out: they lie before the span, or were "
                         "refused before its first event",
                         reader.left_out_of_span()),
             {{"events", reader.left_out_of_span()}});
  }

  // False when stopped before it succeeded. Tries again with growing pauses.
  bool OpenUntilItWorks(StreamReader& reader, const std::stop_token& stop) {
    for (milliseconds pause = kFirstPause; !stop.stop_requested();) {
      const Result<OpenedStream> stream = Open(stop);
      if (stream) {
        const Status begun = reader.Begin(stream.value());
        if (begun) {
          ready_.Clear(kStart, kafka_events::kStarted,
                       fmt::format("kafka: reading {} partitions from {}",
                                   stream.value().partitions.size(), spec_.brokers));
          return true;
        }
        SayNotReady(begun.error());
      } else if (!stop.stop_requested()) {
        if (!stream.error().message.empty()) SayNotReady(stream.error());
        // A replay ends, so it does not wait until a topic is created.
        if (spec_.span && stream.error().code == ErrorCode::kNotFound) return Fail(stream.error());
      }
      if (IsClaiming()) {
        SleepFor(stop, kBetweenClaims);
        continue;
      }
      SleepFor(stop, pause);
      pause = std::min(pause * 2, kLongestPause);
    }
    return false;
  }

  // An error without a message is not reported.
  Result<OpenedStream> Open(const std::stop_token& stop) {
    if (const Status claimed = Claim(); !claimed) return claimed.error();
    return OpenStream(*consumer_, spec_, partitions_, log_, stop);
  }

  // Ok when no other process reads for the group.
  Status Claim() {
    if (claim_ == nullptr) return Ok{};
    if (!IsClaiming() && !claim_->is_held()) {
      // Topics that do not exist cannot be claimed.
      const auto pairs = FindPartitions(*consumer_, spec_);
      if (!pairs) return pairs.error();
      claim_->Cover(TopicsOf(pairs.value()));
    }
    const ClaimStanding standing = claim_->Serve(clock_.Steady());
    standing_by_ = standing.kind == ClaimKind::kStandingBy;
    if (standing_by_) stood_by_ = true;
    if (standing.kind == ClaimKind::kTaken) FailTaken(standing);
    if (standing.kind != ClaimKind::kHeld) {
      std::string text = standing.text.empty() ? "" : GroupName() + standing.text;
      return Error{ErrorCode::kUnavailable, std::move(text)};
    }
    if (std::exchange(stood_by_, false)) {
      log_.Log(kafka_events::kStandbyEnded,
               fmt::format("kafka: {}no other process reads for it any more, this one does",
                           GroupName()));
    }
    if (committers_) return Ok{};
    Result<std::set<std::string>> committers = Committers();
    if (!committers) return std::move(committers).error();
    committers_ = std::move(committers).value();
    committers_->insert(claim_->name());
    return Ok{};
  }

  bool IsClaiming() const {
    if (claim_ == nullptr) return false;
    const ClaimKind kind = claim_->standing().kind;
    return kind == ClaimKind::kStandingBy || kind == ClaimKind::kJoining;
  }

  // False when another instance has taken the group: nothing may be read or committed any more.
  bool KeepClaim() {
    if (claim_ == nullptr) return true;
    const ClaimStanding& standing = claim_->Serve(clock_.Steady());
    if (standing.kind == ClaimKind::kHeld) {
      ready_.Clear(kClaim, kafka_events::kClaimBack,
                   fmt::format("kafka: {}this process is its member again", GroupName()));
    } else if (standing.kind == ClaimKind::kLost) {
      if (!ready_.IsSet(kClaim)) {
        const MutexLock lock(status_mutex_);
        ++counters_.claims_lost;
      }
      ready_.Set(kClaim, kafka_events::kClaimLost, "lost",
                 fmt::format("kafka: {}the brokers have given this member up; commits wait until "
                             "it is a member again{}{}",
                             GroupName(), standing.text.empty() ? "" : ": ", standing.text));
    } else if (standing.kind == ClaimKind::kTaken) {
      return FailTaken(standing);
    }
    return true;  // in the other states a member with other topics has joined or left
  }

  bool FailTaken(const ClaimStanding& standing) {
    return Fail(Error{ErrorCode::kUnavailable,
                      fmt::format("{}another instance has taken it over ({}); this one ends, and "
                                  "stands by when it is started again",
                                  GroupName(), standing.text)});
  }

  std::string GroupName() const { return fmt::format("group {}: ", spec_.group); }

  // The names of the claims that have committed for the group (RewindMetadata::by).
  Result<std::set<std::string>> Committers() {
    const auto pairs = FindPartitions(*consumer_, spec_);
    if (!pairs) return pairs.error();
    const auto commits = consumer_->brokers().Committed(pairs.value(), kClaimQuestion);
    if (!commits) return commits.error();
    std::set<std::string> committers;
    for (const PartitionOffset& commit : commits.value()) {
      if (commit.metadata == LagReport::kMark) continue;
      const std::optional<RewindMetadata> metadata = ParseRewindMetadata(commit.metadata);
      committers.insert(metadata ? metadata->by : "");
    }
    return committers;
  }

  Result<bool> Untouched() {
    Result<std::set<std::string>> committers = Committers();
    if (!committers) return std::move(committers).error();
    return committers_ && std::ranges::includes(*committers_, committers.value());
  }

  bool Fail(const Error& error) {
    const MutexLock lock(status_mutex_);
    status_.failure = fmt::format("kafka: {}", error.message);
    return false;
  }

  void SayNotReady(const Error& error) {
    consumer_->ServeCallbacks();
    InboxContents inbox = consumer_->TakeInbox();
    for (const InboxContents::Line& line : inbox.log) log_.Log(line.event, line.text);
    if (!inbox.connection_text.empty()) connection_text_ = std::move(inbox.connection_text);
    // The last connection error says why a broker does not answer. Errors of a topic are in the
    // answer.
    const bool unanswered = error.message.starts_with("brokers") && !connection_text_.empty();
    ready_.Set(kStart, standing_by_ ? kafka_events::kStandby : kafka_events::kNotStarted,
               error.message,
               unanswered ? fmt::format("kafka: {}: {}", error.message, connection_text_)
                          : fmt::format("kafka: {}", error.message));
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

  void PublishStatus(StreamReader& reader) {
    std::uint64_t truncations = 0;
    {
      const MutexLock lock(status_mutex_);
      reader.FillStatus(status_, counters_);
      truncations = counters_.decoded.truncations;
    }
    if (truncations == truncations_) return;
    log_.Log(
        kafka_events::kTruncated,
        fmt::format("kafka: truncations of tables: {}; they do not say which edges end, so these "
                    "stay until they leave the windows",
                    truncations - truncations_),
        {{"truncations", truncations - truncations_}});
    truncations_ = truncations;
  }

  // For the lag report. A dropped batch does not count as read.
  LagReport::Reading Reading() const {
    LagReport::Reading reading;
    const MutexLock lock(status_mutex_);
    reading.may_commit = spec_.claims_group && !standing_by_ && !status_.failure && !forgot_ &&
                         reachable() && !ready_.IsSet(kClaim);
    for (const PartitionStatus& partition : status_.partitions) {
      reading.positions.push_back({{partition.topic, partition.partition}, partition.position, {}});
    }
    return reading;
  }

  bool reachable() const { return !ready_.IsSet(BrokerReach::kBrokers); }

  const KafkaSpec spec_;
  PartitionTable& partitions_;
  BatchQueue& queue_;
  const Clock& clock_;
  const StreamProgress& progress_;
  const TimePolicy policy_;
  const KeyKind keys_;
  const bool reads_keys_;  // of records without a value
  const std::shared_ptr<SchemaSource> schemas_;
  EventLog& log_;
  ReadyState ready_;
  DecodeTeam team_;
  GroupCommits commits_;
  std::unique_ptr<ConsumerHandle> consumer_;
  std::unique_ptr<GroupClaim> claim_;                // null: there can be no other instance
  std::optional<std::set<std::string>> committers_;  // those before this claim was held, and itself
  std::atomic<bool> standing_by_ = false;
  bool stood_by_ = false;  // it stood by, and has read nothing since
  std::string connection_text_;
  std::uint64_t truncations_ = 0;  // that the log has

  mutable Mutex status_mutex_;
  SourceStatus status_ SASH_GUARDED_BY(status_mutex_);
  KafkaCounters counters_ SASH_GUARDED_BY(status_mutex_);  // without commits

  Mutex late_mutex_;  // held while a commit is sent after the thread has ended
  bool stopped_ SASH_GUARDED_BY(late_mutex_) = false;

  std::atomic<bool> forgot_ = false;  // the last round was dropped: the queue had no room
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
KafkaCounters KafkaSource::counters() const { return impl_->counters(); }

}  // namespace sash
