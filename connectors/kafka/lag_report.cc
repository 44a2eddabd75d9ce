#include "connectors/kafka/lag_report.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "connectors/kafka/log_events.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kAnswer{2000};  // for all partitions at once
constexpr milliseconds kOneAnswer{200};
constexpr milliseconds kCommitAnswer{1000};
constexpr milliseconds kLastCommit{500};
constexpr milliseconds kCloseReport{2000};
constexpr milliseconds kLook{20};
constexpr int kFailuresUntilSaid = 3;  // the group's coordinator may have to be found first
constexpr seconds kLongestPauseOfCommits{300};
// Brokers delete the offsets of a group without members, by default after a week.
constexpr std::chrono::hours kAgainAfter{24};

std::vector<TopicPartition> PairsOf(const std::vector<PartitionOffset>& positions) {
  std::vector<TopicPartition> pairs;
  pairs.reserve(positions.size());
  for (const PartitionOffset& position : positions) pairs.push_back(position.pair);
  return pairs;
}

}  // namespace

LagReport::LagReport(const KafkaSpec& spec, std::function<Reading()> reading, EventLog& log)
    : spec_(spec),
      group_(spec.group),
      read_group_(GroupOf(spec)),
      reading_(std::move(reading)),
      log_(log) {}

LagReport::~LagReport() {
  Finish();
  if (thread_.joinable()) thread_.join();
}

Status LagReport::Start() {
  if (Status opened = OpenAs(group_); !opened) return opened;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "kafka lag");
    Run(stop);
  });
  return Ok{};
}

Status LagReport::OpenAs(const std::string& group) {
  if (consumer_ && spec_.group == group) return Ok{};
  KafkaSpec spec = spec_;
  spec.group = group;
  Result<std::unique_ptr<ConsumerHandle>> opened = ConsumerHandle::OpenUnread(spec);
  if (!opened) return std::move(opened).error();
  spec_ = std::move(spec);
  if (consumer_) consumer_->Close(kCloseReport);
  consumer_ = std::move(opened).value();
  in_flight_ = false;
  return Ok{};
}

void LagReport::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    ServeCallbacks();
    const Reading reading = reading_();
    if (IsDue(reading, std::chrono::steady_clock::now())) {
      Commit(reading.positions, kCommitAnswer);
    }
    if (!stop.stop_requested()) AskForEnds(reading.positions);
    SleepFor(stop, kBetweenQuestions);
  }
  const Reading last = reading_();
  // After a failure there is no time to try again.
  if (failures_ == 0 && IsDue(last, not_before_)) Commit(last.positions, kLastCommit);
  consumer_->Close(kCloseReport);
}

// The reader's consumer reports connections.
void LagReport::ServeCallbacks() {
  consumer_->ServeCallbacks();
  static_cast<void>(consumer_->TakeInbox());
  while (const Polled* polled = consumer_->Poll(milliseconds(0))) {
    if (polled->kind == Polled::Kind::kError) client_error_ = polled->text;
  }
}

void LagReport::AskForEnds(const std::vector<PartitionOffset>& positions) {
  if (positions.empty()) return;
  const std::vector<TopicPartition> pairs = PairsOf(positions);
  const auto ends = consumer_->brokers().Ends(pairs, kAnswer);
  if (ends) return Note(ends.value());
  AskOneByOne(pairs);
}

// If one partition has no broker, the request for all partitions fails. So each round asks for some
// of them, one by one, and begins where the last round ended. Does not use QueryBounds(): while the
// leader is away, librdkafka 2.0.2 exceeds its timeout so far that a stop would have to wait.
void LagReport::AskOneByOne(const std::vector<TopicPartition>& pairs) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + kBetweenQuestions;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (std::chrono::steady_clock::now() >= deadline) return;
    const TopicPartition& pair = pairs[++asked_ % pairs.size()];
    const auto end = consumer_->brokers().Ends(std::span(&pair, 1), kOneAnswer);
    if (end) Note(end.value());
  }
}

void LagReport::Note(std::span<const PartitionOffset> ends) {
  const MutexLock lock(mutex_);
  for (const PartitionOffset& end : ends) ends_[end.pair] = end.offset;
}

void LagReport::CorrectEnds(std::vector<PartitionStatus>& partitions) const {
  const MutexLock lock(mutex_);
  for (PartitionStatus& partition : partitions) {
    const auto asked = ends_.find({partition.topic, partition.partition});
    if (asked == ends_.end()) continue;
    // A fetched partition may know a newer end; a paused one is not fetched.
    const bool is_fetched = partition.end && !partition.paused;
    partition.end = is_fetched ? std::max(asked->second, *partition.end) : asked->second;
    partition.end = std::max(*partition.end, partition.position);
  }
}

bool LagReport::IsDue(const Reading& reading, SteadyTime now) const {
  if (!reading.may_commit || reading.positions.empty() || foreign_ || now < not_before_) {
    return false;
  }
  const bool is_new = std::ranges::any_of(reading.positions, [this](const PartitionOffset& read) {
    const auto known = committed_.find(read.pair);
    return known == committed_.end() || known->second != read.offset;
  });
  return is_new || now - committed_at_ >= kAgainAfter;
}

void LagReport::Commit(const std::vector<PartitionOffset>& positions, milliseconds patience) {
  const Status outcome = TryCommit(positions, patience);
  const SteadyTime now = std::chrono::steady_clock::now();
  not_before_ = now + (outcome.ok() ? kBetweenCommits : pause_);
  pause_ = outcome.ok() ? kBetweenCommits : std::min(2 * pause_, kLongestPauseOfCommits);
  if (!outcome.ok()) return NoteFailure(outcome.error().message);
  committed_at_ = now;
  for (const PartitionOffset& position : positions) committed_[position.pair] = position.offset;
  failures_ = 0;
  if (!std::exchange(said_, false)) return;
  log_.Log(kafka_events::kReadPositionsBack,
           fmt::format("kafka: group {}: read positions are committed again", read_group_));
}

void LagReport::NoteFailure(const std::string& why) {
  const bool is_refused = foreign_ || why.find("authorization") != std::string::npos;
  // librdkafka asks for the coordinator of its group twice a second, even if that is forbidden. So
  // the consumer goes back to the main group.
  if (is_refused) static_cast<void>(OpenAs(group_).ok());
  if (++failures_ < kFailuresUntilSaid && !is_refused) return;
  if (std::exchange(said_, true)) return;
  log_.Log(
      kafka_events::kReadPositionsFailed,
      fmt::format("kafka: group {}: read positions cannot be committed, so Kafka's tools do not "
                  "show them: {}; nothing else depends on them",
                  read_group_, why));
}

std::optional<Status> LagReport::AwaitOutcome(milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (std::optional<Status> told = consumer_->commits().TakeOutcome(kLook)) return told;
    ServeCallbacks();
  }
  return std::nullopt;
}

Status LagReport::TryCommit(const std::vector<PartitionOffset>& positions, milliseconds patience) {
  if (Status opened = OpenAs(read_group_); !opened) return opened;
  if (in_flight_ && !AwaitOutcome(patience)) return Error{ErrorCode::kUnavailable, "no answer"};
  in_flight_ = false;
  client_error_.clear();
  const auto before = consumer_->brokers().Committed(PairsOf(positions), patience);
  ServeCallbacks();
  if (!before) {
    // Without the permission to ask for the coordinator, the error is only that there is no answer.
    // The client's own error has the reason.
    return client_error_.empty() ? before.error() : Error{ErrorCode::kUnavailable, client_error_};
  }
  for (const PartitionOffset& commit : before.value()) {
    if (commit.metadata == kMark) continue;
    foreign_ = true;
    return Error{ErrorCode::kUnavailable, "the group has commits of another program"};
  }
  std::vector<PartitionOffset> marked = positions;
  for (PartitionOffset& position : marked) position.metadata = kMark;
  if (Status sent = consumer_->commits().Send(marked); !sent) return sent;
  std::optional<Status> told = AwaitOutcome(patience);
  in_flight_ = !told;
  return told ? *std::move(told) : Error{ErrorCode::kUnavailable, "no answer"};
}

}  // namespace sash
