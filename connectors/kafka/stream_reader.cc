#include "connectors/kafka/stream_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/kafka/reachability.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRound{20};
constexpr milliseconds kQuestionTimeout{500};
constexpr milliseconds kBetweenQuestions{500};
// A fetcher that has stopped is woken this soon after its records have run out, and no more often.
constexpr milliseconds kUntilNudge{2};
constexpr milliseconds kBetweenNudges{20};
constexpr std::uint64_t kRoundsBetweenEnds = 16;
constexpr int kMissesUntilUnreachable = 2;
constexpr const char* kPartitions = "partitions";
constexpr const char* kConsumer = "consumer";
constexpr const char* kUnread = "unread";

}  // namespace

StreamReader::StreamReader(ConsumerHandle& consumer, RecordIntake& intake, ReadyState& ready,
                           EventLog& log, const Clock& clock, const StreamProgress& progress,
                           const TimePolicy& policy, const KafkaSpec& spec)
    : consumer_(consumer),
      intake_(intake),
      ready_(ready),
      log_(log),
      clock_(clock),
      progress_(progress),
      policy_(policy),
      span_(spec.span),
      drift_(policy.max_drift),
      watchdog_(spec.stall_after) {}

Status StreamReader::Begin(const OpenedStream& stream) {
  partitions_.clear();
  batch_ = EventBatch();
  StreamStart start{.partitions = {}, .resumed = stream.resumed};
  for (const OpenedPartition& opened : stream.partitions) {
    Partition partition;
    partition.pair = opened.pair;
    partition.index = opened.index;
    partition.position = opened.start.offset;
    partition.position_last_round = opened.start.offset;
    partition.newest = opened.newest_before;
    partition.awaited_until = opened.awaited_until;
    partition.until = opened.until;
    partition.active_at = clock_.Steady();
    partitions_.push_back(std::move(partition));
    start.partitions.push_back(opened.index);
    if (opened.start.gap) batch_.AddMark(Mark::Kind::kGap, opened.index);
    counters_.lost_records += static_cast<std::uint64_t>(opened.start.lost);
  }
  std::ranges::sort(start.partitions);
  batch_.start = std::move(start);
  std::vector<PartitionOffset> positions;
  for (const Partition& partition : partitions_) {
    positions.push_back({partition.pair, partition.position, {}});
  }
  if (Status assigned = consumer_.Assign(positions); !assigned) return assigned;
  for (Partition& partition : partitions_) {
    if (partition.until && partition.position >= *partition.until) Finish(partition);
  }
  return Ok{};
}

void StreamReader::Collect() {
  const auto deadline = std::chrono::steady_clock::now() + kRound;
  now_ = clock_.Now();  // one look, not one for each record
  // The first poll waits for a record to come; later ones only take what is there.
  milliseconds patience = kUntilNudge;
  for (std::size_t polls = 1;
       batch_.events().size() < kMaxBatchEvents && batch_.marks().size() < kMaxBatchEvents &&
       batch_.bytes() < kMaxBatchBytes;
       ++polls) {
    const Polled* polled = consumer_.Poll(patience);
    if (polled == nullptr && polls == 1) {
      Nudge();
      polled = consumer_.Poll(kRound - kUntilNudge);
    }
    if (polled == nullptr) return;
    Handle(*polled);
    patience = milliseconds(0);
    if (polls % 64 == 0 && std::chrono::steady_clock::now() >= deadline) return;
  }
}

// librdkafka 2.0.2 stops fetching while enough records wait (queued.min.messages), and looks again
// after a second, though they have been read long before. Any question to the broker makes it look
// at once. One partition is asked for each time, in turn, since each may have a broker of its own.
void StreamReader::Nudge() {
  const auto now = std::chrono::steady_clock::now();
  if (now - nudged_at_ < kBetweenNudges) return;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    const std::size_t place = (nudged_ + 1 + i) % partitions_.size();
    const Partition& partition = partitions_[place];
    if (partition.paused || !partition.reachable || partition.reposition) continue;
    // Where nothing has come yet the fetcher is on its way, and questions would hold it up.
    if (!partition.delivers) continue;
    const std::optional<std::int64_t> end = consumer_.KnownEnd(partition.pair);
    if (!end || *end <= partition.position) continue;
    nudged_at_ = now;
    nudged_ = place;
    // Where nobody answers, the thread must not wait most of the time.
    if (!consumer_.QueryBounds(partition.pair, kQuestionTimeout))
      nudged_at_ += 2 * kQuestionTimeout;
    return;
  }
}

StreamReader::Partition* StreamReader::Find(std::string_view topic, std::int32_t partition) {
  const auto before = [&](const Partition& candidate) {
    const int order = std::string_view(candidate.pair.topic).compare(topic);
    return order < 0 || (order == 0 && candidate.pair.partition < partition);
  };
  const auto found = std::ranges::partition_point(partitions_, before);
  if (found == partitions_.end() || found->pair.topic != topic ||
      found->pair.partition != partition) {
    return nullptr;
  }
  return &*found;
}

void StreamReader::Handle(const Polled& polled) {
  Partition* partition = Find(polled.record.topic, polled.record.partition);
  if (polled.kind == Polled::Kind::kError) {
    HandleError(polled, partition);
  } else if (partition == nullptr) {
    return;  // of an assignment that is no more
  } else if (polled.kind == Polled::Kind::kRecord) {
    HandleRecord(polled.record, *partition);
  } else if (polled.kind == Polled::Kind::kEnd) {
    HandleEnd(polled.record.offset, *partition);
  } else if (polled.kind == Polled::Kind::kUnreadable) {
    HandleUnreadable(polled, *partition);
  } else {
    MarkBehind(*partition);
    partition->reposition = true;
  }
}

void StreamReader::HandleRecord(const KafkaRecord& record, Partition& partition) {
  if (partition.finished) return;
  if (record.offset < partition.position) {
    ++counters_.duplicates_ignored;
    return;
  }
  if (partition.until && record.offset >= *partition.until) return Finish(partition);
  PassUnreadable(record.offset, partition);
  partition.position = record.offset + 1;
  partition.caught_up = false;
  partition.delivers = true;
  partition.overtaken = false;
  all_caught_up_ = false;
  ++records_;
  bytes_ += (record.key ? record.key->size() : 0) + (record.value ? record.value->size() : 0);
  // What the unread partitions hold is in no window, so each may lack something.
  if (unread_ > 0) batch_.AddMark(Mark::Kind::kGap, partition.index);
  const std::size_t text_bytes = batch_.text_bytes();
  const std::size_t marks = batch_.marks().size();
  const std::optional<EventTime> time = intake_.Take(record, partition.index, batch_);
  if (time && !IsAheadOfClock(*time) && (!partition.newest || *partition.newest < *time)) {
    partition.newest = time;
  }
  if (partition.failed || consumer_failed_) Recovered(partition);
  if (time && span_) KeepToSpan(*time, text_bytes, partition);
  // One that was refused before the partition's first event in the span counts in none of its slices.
  if (span_ && !partition.newest_in_span && batch_.marks().size() > marks) batch_.DropLastMark();
  if (partition.until && partition.position >= *partition.until) Finish(partition);
}

void StreamReader::HandleEnd(std::int64_t offset, Partition& partition) {
  if (partition.finished || offset < partition.position) return;
  PassUnreadable(offset, partition);
  partition.position = offset;  // beyond the last record when transactions ended there
  partition.end = offset;
  partition.overtaken = false;
  // Short of the end that it had at the start, an unfinished transaction holds the rest back.
  if (!partition.until || offset >= *partition.until) MarkCaughtUp(partition);
  if (partition.failed || consumer_failed_) Recovered(partition);
}

// The engine refuses it, so it passes nothing: or a single one would have its partition held back
// until the others get there.
bool StreamReader::IsAheadOfClock(EventTime time) const {
  return policy_.check_ahead && time - policy_.ahead_limit > now_;
}

void StreamReader::KeepToSpan(EventTime time, std::size_t text_bytes, Partition& partition) {
  if (time < span_->from) {
    if (IsLateInSpan(time, partition)) return;
    batch_.DropLast(text_bytes);
    ++before_span_;
    return;
  }
  if (IsAheadOfClock(time)) return;
  if (!partition.newest_in_span || *partition.newest_in_span < time)
    partition.newest_in_span = time;
  if (time - policy_.disorder >= span_->to) Finish(partition);
}

// As the engine decides it, which knows no event before the span.
bool StreamReader::IsLateInSpan(EventTime time, const Partition& partition) const {
  if (!partition.newest_in_span || span_->pane == Duration(0)) return false;
  const std::int64_t pane = span_->pane.count();
  const std::int64_t at = time.time_since_epoch().count();
  const std::int64_t begin = at - ((at % pane) + pane) % pane;
  return begin + pane <= (*partition.newest_in_span - policy_.disorder).time_since_epoch().count();
}

void StreamReader::Finish(Partition& partition) {
  if (partition.finished) return;
  SetPaused({static_cast<std::size_t>(&partition - partitions_.data())}, true);
  partition.finished = true;
  partition.caught_up = true;
  batch_.AddMark(Mark::Kind::kCaughtUp, partition.index);
}

bool StreamReader::Finished() const {
  return span_ && std::ranges::all_of(partitions_, &Partition::finished);
}

// librdkafka asks for the batch again, for ever; of old formats it passes one over whose checksum is
// wrong. Where a batch ends nobody tells (2.0.2), so there is no way round it but to have it taken
// from the topic.
void StreamReader::HandleUnreadable(const Polled& polled, Partition& partition) {
  if (partition.finished) return;
  MarkBehind(partition);
  partition.failed = true;
  const std::int64_t offset = polled.record.offset;
  if (std::exchange(partition.unreadable, offset) != offset) ++counters_.unreadable_batches;
  const std::string name = NameOf(partition.pair);
  ready_.Set(name, fmt::format("{} at {}", polled.identity, offset),
             fmt::format("kafka: {}: the batch at offset {} cannot be read ({}); it is asked for "
                         "until it can be, or is gone from the topic",
                         name, offset, polled.text),
             LogSeverity::kError);
}

void StreamReader::PassUnreadable(std::int64_t next, Partition& partition) {
  if (!std::exchange(partition.unreadable, std::nullopt) || next <= partition.position) return;
  counters_.lost_records += static_cast<std::uint64_t>(next - partition.position);
  batch_.AddMark(Mark::Kind::kGap, partition.index);
  log_.Log(LogSeverity::kError, fmt::format("kafka: {}: offsets {} to {} could not be read",
                                            NameOf(partition.pair), partition.position, next - 1));
}

void StreamReader::HandleError(const Polled& polled, Partition* partition) {
  if (partition == nullptr) {
    consumer_failed_ = true;
    ready_.Set(kConsumer, polled.identity, fmt::format("kafka: {}", polled.text));
    return;
  }
  MarkBehind(*partition);
  partition->failed = true;
  const std::string name = NameOf(partition->pair);
  ready_.Set(name, polled.identity, fmt::format("kafka: {}: {}", name, polled.text));
}

void StreamReader::Recovered(Partition& partition) {
  if (std::exchange(consumer_failed_, false)) ready_.Clear(kConsumer, "kafka: reading again");
  if (!std::exchange(partition.failed, false)) return;
  const std::string name = NameOf(partition.pair);
  ready_.Clear(name, fmt::format("kafka: {}: reading again", name));
}

void StreamReader::MarkCaughtUp(Partition& partition) {
  partition.check_end = false;
  partition.awaited_until = 0;  // there is no more
  if (span_) return Finish(partition);
  if (std::exchange(partition.caught_up, true)) return;
  batch_.AddMark(Mark::Kind::kCaughtUp, partition.index);
}

void StreamReader::MarkBehind(Partition& partition) {
  if (partition.finished) return;
  all_caught_up_ = false;
  if (!std::exchange(partition.caught_up, false)) return;
  batch_.AddMark(Mark::Kind::kBehind, partition.index);
}

void StreamReader::Upkeep() {
  ++rounds_;
  const SteadyTime now = clock_.Steady();
  for (Partition& partition : partitions_) {
    if (partition.position == std::exchange(partition.position_last_round, partition.position)) {
      continue;
    }
    partition.active_at = now;
  }
  consumer_.ServeCallbacks();
  ReadInbox();
  // Questions wait for a broker's answer, so they are asked seldom.
  const auto steady = std::chrono::steady_clock::now();
  if (steady - asked_at_ >= kBetweenQuestions) {
    asked_at_ = steady;
    CheckEnds();
    RepositionLost();
    LookForStalls();
  }
  HoldBack();
  const bool caught_up = std::ranges::all_of(partitions_, &Partition::caught_up);
  // Said with every batch that leaves it so, and alone when it has just become so.
  if (caught_up && (!all_caught_up_ || !batch_.empty())) batch_.caught_up = true;
  all_caught_up_ = caught_up;
}

void StreamReader::ReadInbox() {
  InboxContents inbox = consumer_.TakeInbox();
  for (const InboxContents::Line& line : inbox.log) log_.Log(line.severity, line.text);
  if (inbox.log_dropped > 0) {
    log_.Log(LogSeverity::kWarning,
             fmt::format("kafka: {} lines of librdkafka were dropped", inbox.log_dropped));
  }
  if (!inbox.connection_text.empty()) {
    connection_text_ = std::move(inbox.connection_text);
    topic_refused_ = inbox.topic_refused;
  }
  if (inbox.all_brokers_down) {
    for (Partition& partition : partitions_) LoseReach(partition);
    SayReach();
  }
  if (!inbox.statistics.empty()) ReadStatistics(inbox.statistics);
}

void StreamReader::ReadStatistics(const std::string& statistics) {
  const auto reaches = ReadReachability(statistics);
  if (!reaches) return;
  std::vector<TopicPartition> unread;
  for (const PartitionReach& reach : *reaches) {
    Partition* partition = Find(reach.pair.topic, reach.pair.partition);
    if (partition == nullptr) {
      unread.push_back(reach.pair);
      continue;
    }
    if (!reach.reachable) {
      if (++partition->misses >= kMissesUntilUnreachable) LoseReach(*partition);
      continue;
    }
    partition->misses = 0;
    if (!std::exchange(partition->reachable, true)) partition->check_end = true;
  }
  SayReach();
  SayUnread(unread);
}

void StreamReader::SayUnread(const std::vector<TopicPartition>& unread) {
  if (unread.size() > unread_) counters_.partitions_added += unread.size() - unread_;
  unread_ = unread.size();
  if (unread.empty()) return ready_.Clear(kUnread, "kafka: no partition is left unread any more");
  std::string names;
  for (const TopicPartition& pair : unread) names += (names.empty() ? "" : ", ") + NameOf(pair);
  ready_.Set(kUnread, names,
             fmt::format("kafka: {} not read, since added while the stream ran: {}; restart to "
                         "read all partitions",
                         unread.size() == 1 ? "one partition is" : "some partitions are", names),
             LogSeverity::kError);
}

void StreamReader::LoseReach(Partition& partition) {
  partition.reachable = false;
  MarkBehind(partition);
}

void StreamReader::SayReach() {
  std::string names;
  std::size_t lost = 0;
  for (const Partition& partition : partitions_) {
    if (partition.reachable) continue;
    ++lost;
    names += (names.empty() ? "" : ", ") + NameOf(partition.pair);
  }
  if (lost == partitions_.size() && topic_refused_) {
    ready_.Clear(kBrokers, "kafka: the brokers can be reached again");
    ready_.Set(kPartitions, "topic", fmt::format("kafka: {}", connection_text_));
    return;
  }
  if (lost == partitions_.size()) {
    ready_.Set(kBrokers, "down",
               fmt::format("kafka: no broker can be reached: {}", connection_text_));
    return;
  }
  ready_.Clear(kBrokers, "kafka: the brokers can be reached again");
  if (lost > 0) {
    ready_.Set(kPartitions, names,
               fmt::format("kafka: the brokers of {} of {} partitions cannot be reached ({}): {}",
                           lost, partitions_.size(), names, connection_text_));
  } else {
    ready_.Clear(kPartitions, "kafka: all partitions can be reached again");
  }
}

// librdkafka tells an end once; after the loss of a broker nobody tells that it still is the end.
void StreamReader::CheckEnds() {
  for (Partition& partition : partitions_) {
    if (!partition.check_end || !partition.reachable || partition.caught_up) continue;
    const Result<LogBounds> bounds = consumer_.QueryBounds(partition.pair, kQuestionTimeout);
    if (!bounds) return;
    partition.check_end = false;
    partition.end = bounds.value().high;
    if (bounds.value().high == partition.position) MarkCaughtUp(partition);
  }
}

void StreamReader::RepositionLost() {
  for (Partition& partition : partitions_) {
    if (!partition.reposition) continue;
    const Result<LogBounds> bounds = consumer_.QueryBounds(partition.pair, kQuestionTimeout);
    const std::string name = NameOf(partition.pair);
    if (!bounds) {
      partition.failed = true;
      ready_.Set(name, "reposition",
                 fmt::format("kafka: {}: the next offset, {}, is out of range: {}", name,
                             partition.position, bounds.error().message));
      return;
    }
    const std::int64_t lost = bounds.value().low - partition.position;
    partition.headroom = partition.overtaken ? NextHeadroom(partition.headroom, lost) : 0;
    partition.overtaken = lost > 0;
    const StartDecision decision =
        DecideContinuation(partition.position, bounds.value(), partition.headroom);
    partition.reposition = false;
    partition.unreadable.reset();
    partition.end = bounds.value().high;
    partition.position = decision.offset;
    counters_.lost_records += static_cast<std::uint64_t>(decision.lost);
    if (decision.gap) batch_.AddMark(Mark::Kind::kGap, partition.index);
    if (!decision.remark.empty()) {
      log_.Log(LogSeverity::kError, fmt::format("kafka: {}: {}", name, decision.remark));
    }
    Reposition(partition);
  }
}

void StreamReader::Reposition(Partition& partition) {
  partition.delivers = false;
  if (consumer_.Seek({partition.pair, partition.position, {}})) return;
  // A partition whose fetcher stopped (offset out of range) cannot seek; it can be assigned anew.
  AssignAll();
}

void StreamReader::AssignAll() {
  std::vector<std::size_t> paused;
  std::vector<PartitionOffset> positions;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (partitions_[i].finished) continue;
    if (partitions_[i].paused) paused.push_back(i);
    partitions_[i].delivers = false;
    positions.push_back({partitions_[i].pair, partitions_[i].position, {}});
  }
  // A pause could outlive the assignment unseen; who is still ahead is paused again.
  SetPaused(paused, false);
  if (const Status status = consumer_.Assign(positions); !status) {
    log_.Log(LogSeverity::kError, fmt::format("kafka: {}", status.error().message));
  }
}

void StreamReader::HoldBack() {
  if (progress_.intake_held) return HoldAll();
  if (std::exchange(held_, false)) LetGo();
  if (partitions_.size() < 2) return;
  const SteadyTime now = clock_.Steady();
  std::vector<DriftControl::Partition> views;
  views.reserve(partitions_.size());
  for (const Partition& partition : partitions_) {
    views.push_back({.newest = partition.newest,
                     .caught_up = partition.caught_up,
                     .idle = partition.caught_up && now - partition.active_at >= policy_.idle_after,
                     .paused = partition.paused,
                     .awaited = partition.is_awaited()});
  }
  const DriftControl::Verdict verdict =
      drift_.Decide(views, progress_.open_events.load(std::memory_order_relaxed));
  SetPaused(verdict.resume, false);
  SetPaused(verdict.pause, true);
  counters_.pauses += verdict.pause.size();
}

// In every round, since an assignment anew ends pauses.
void StreamReader::HoldAll() {
  std::vector<std::size_t> reading;
  std::vector<std::size_t> awaited;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (partitions_[i].is_awaited()) {
      if (partitions_[i].paused) awaited.push_back(i);
      continue;
    }
    MarkBehind(partitions_[i]);
    partitions_[i].check_end = false;
    if (!partitions_[i].paused) reading.push_back(i);
  }
  SetPaused(awaited, false);
  SetPaused(reading, true);
  held_ = true;
}

// Drift control decides anew who is ahead. An end that was known is told by nobody again.
void StreamReader::LetGo() {
  std::vector<std::size_t> paused;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    partitions_[i].check_end = true;
    partitions_[i].active_at = clock_.Steady();
    if (partitions_[i].paused) paused.push_back(i);
  }
  SetPaused(paused, false);
}

void StreamReader::SetPaused(const std::vector<std::size_t>& places, bool paused) {
  if (places.empty()) return;
  std::vector<TopicPartition> pairs;
  for (const std::size_t place : places) {
    if (!partitions_[place].finished) pairs.push_back(partitions_[place].pair);
  }
  if (pairs.empty()) return;
  const Status status = paused ? consumer_.Pause(pairs) : consumer_.Resume(pairs);
  if (!status) {
    log_.Log(LogSeverity::kWarning, fmt::format("kafka: {}", status.error().message));
  }
  // Also after a failure: a partition that is thought resumed and is not is the watchdog's.
  for (const std::size_t place : places) {
    Partition& partition = partitions_[place];
    partition.paused = partition.finished || paused;
  }
}

void StreamReader::LookForStalls() {
  std::vector<StallWatchdog::Partition> views;
  views.reserve(partitions_.size());
  for (const Partition& partition : partitions_) {
    views.push_back(
        {.position = partition.position,
         .expected = !partition.paused && partition.reachable && !partition.reposition});
  }
  for (const std::size_t place : watchdog_.Suspects(views, clock_.Steady())) {
    Partition& partition = partitions_[place];
    const Result<LogBounds> bounds = consumer_.QueryBounds(partition.pair, kQuestionTimeout);
    if (!bounds) return;
    partition.end = bounds.value().high;
    if (bounds.value().low > partition.position || bounds.value().high < partition.position) {
      MarkBehind(partition);
      partition.reposition = true;
    } else if (bounds.value().high == partition.position) {
      MarkCaughtUp(partition);
    } else {
      ++counters_.stalls;
      SayStalled(partition, bounds.value().high);
      MarkBehind(partition);
      Reposition(partition);
    }
  }
}

// Until its next record. An error of its own tells more.
void StreamReader::SayStalled(Partition& partition, std::int64_t end) {
  if (std::exchange(partition.failed, true)) return;
  const std::string name = NameOf(partition.pair);
  ready_.Set(name, "stalled",
             fmt::format("kafka: {}: stalled at offset {} of {}, reading is started again there",
                         name, partition.position, end));
}

void StreamReader::FillStatus(SourceStatus& status, KafkaCounters& counters) {
  const bool look_up_ends = rounds_ % kRoundsBetweenEnds == 1;
  status.partitions.resize(partitions_.size());
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    Partition& partition = partitions_[i];
    if (look_up_ends) {
      const std::optional<std::int64_t> known = consumer_.KnownEnd(partition.pair);
      if (known && *known > partition.end.value_or(-1)) partition.end = known;
    }
    if (partition.end && *partition.end < partition.position) partition.end = partition.position;
    if (partition.finished) partition.end = partition.position;  // nothing is left to read
    PartitionStatus& seen = status.partitions[i];
    if (seen.topic.empty()) seen.topic = partition.pair.topic;
    seen.partition = partition.pair.partition;
    seen.position = partition.position;
    seen.end = partition.end;
    seen.paused = partition.paused && !partition.finished;
    seen.readable =
        partition.reachable && !partition.failed && !partition.reposition && !consumer_failed_;
  }
  status.held = held_;
  status.records = records_;
  status.bytes = bytes_;
  counters.lost_records = counters_.lost_records;
  counters.unreadable_batches = counters_.unreadable_batches;
  counters.duplicates_ignored = counters_.duplicates_ignored;
  counters.pauses = counters_.pauses;
  counters.stalls = counters_.stalls;
  counters.partitions_added = counters_.partitions_added;
  counters.refused = intake_.refused();
  counters.tombstones_ignored = intake_.tombstones_ignored();
}

}  // namespace sash
