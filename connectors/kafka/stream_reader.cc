#include "connectors/kafka/stream_reader.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRound{20};
constexpr milliseconds kBetweenQuestions{500};
// A fetcher that has stopped is woken this soon after its records have run out, and no more often.
constexpr milliseconds kUntilNudge{2};
constexpr milliseconds kBetweenNudges{20};
constexpr std::uint64_t kRoundsBetweenEnds = 16;
constexpr std::chrono::minutes kLiveFor{1};

}  // namespace

StreamReader::StreamReader(ConsumerHandle& consumer, PartitionTable& table, DecodeTeam& team,
                           ReadyState& ready, EventLog& log, const Clock& clock,
                           const StreamProgress& progress, const TimePolicy& policy, KeyKind keys,
                           const KafkaSpec& spec)
    : consumer_(consumer),
      table_(table),
      team_(team),
      ready_(ready),
      log_(log),
      clock_(clock),
      progress_(progress),
      policy_(policy),
      keys_(keys),
      span_(spec.span),
      checks_ahead_(policy.check_ahead && !spec.span),
      live_for_(std::min<Duration>(policy.ahead_limit, kLiveFor)),
      topics_(spec.topics.begin(), spec.topics.end()),
      drift_(policy.max_drift),
      gate_(policy, keys),
      watchdog_(spec.stall_after),
      witness_(spec) {}

Status StreamReader::Begin(const OpenedStream& stream) {
  partitions_.clear();
  batches_ = std::vector<EventBatch>(1);
  filled_ = 1;
  StreamStart start{
      .partitions = {}, .resumed = stream.resumed, .stood = {}, .from_state = stream.from_state};
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
    partition.anchor = opened.anchor;
    if (span_) partition.span = std::make_unique<SpanIntake>(*span_, policy_, keys_);
    if (opened.renewed) ++counters_.partitions_renewed;
    partitions_.push_back(std::move(partition));
    looked_for_added_ = clock_.Steady();
    start.partitions.push_back(opened.index);
    if (opened.start.gap) last_batch().AddMark(Mark::Kind::kGap, opened.index);
    counters_.lost_records += static_cast<std::uint64_t>(opened.start.lost);
  }
  std::ranges::sort(start.partitions);
  last_batch().start = std::move(start);
  breaks_ = consumer_.breaks();
  looked_at_ = {};
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
  steady_ = clock_.Steady();
  any_ahead_ = false;
  LookForBreaks();
  // What waits in librdkafka was mostly fetched before the break; so it is left there, for a while.
  if (WaitsForWitness()) return ResolveDoubts(kRound);
  // The first poll waits for a record to come; later ones only take what is there.
  milliseconds patience = kUntilNudge;
  for (std::size_t polls = 1; HasRoom(); ++polls) {
    const Polled* polled = consumer_.Poll(patience);
    if (polled == nullptr && polls == 1) {
      Nudge();
      polled = consumer_.Poll(kRound - kUntilNudge);
    }
    const bool broke = LookForBreaks();
    if (polled == nullptr) break;
    Handle(*polled);
    if (broke) break;
    patience = milliseconds(0);
    if (polls % 64 == 0 && std::chrono::steady_clock::now() >= deadline) break;
  }
  DecodeWaiting();
  SumUp();
}

bool StreamReader::HasRoom() const {
  const EventBatch& batch = batches_.front();
  const std::size_t threads = DecodesTogether() ? team_.threads() : 1;
  return filled_ == 1 && batch.marks().size() < kMaxBatchEvents &&
         batch.events().size() + team_.waiting().size() < kMaxBatchEvents * threads &&
         batch.bytes() + team_.waiting_bytes() < kMaxBatchBytes * threads;
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
    if (partition.paused || !partition.reachable || partition.reposition || partition.doubtful) {
      continue;
    }
    // Where nothing has come yet the fetcher is on its way, and questions would hold it up.
    if (!partition.delivers) continue;
    const std::optional<std::int64_t> end = consumer_.KnownEnd(partition.pair);
    if (!end || *end <= partition.position) continue;
    nudged_at_ = now;
    nudged_ = place;
    // Where nobody answers, the thread must not wait most of the time.
    if (!AskForBounds(partition)) nudged_at_ += 2 * kQuestionTimeout;
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
  LookForBreaks();
  ResolveDoubts(milliseconds(0));
  // Questions wait for a broker's answer, so they are asked seldom.
  const auto steady = std::chrono::steady_clock::now();
  if (steady - asked_at_ >= kBetweenQuestions) {
    asked_at_ = steady;
    CheckEnds();
    RepositionLost();
    LookForStalls();
    JoinAdded();
  }
  HoldBack();
  if (checks_ahead_) HoldAhead();
  const bool caught_up =
      !gate_.holding() && std::ranges::all_of(partitions_, &Partition::caught_up);
  // Said with every batch that leaves it so, and alone when it has just become so.
  if (caught_up && (!all_caught_up_ || !std::ranges::all_of(batches(), &EventBatch::empty))) {
    last_batch().caught_up = true;
  }
  all_caught_up_ = caught_up;
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
    if (seen.topic != partition.pair.topic) seen.topic = partition.pair.topic;
    seen.partition = partition.pair.partition;
    seen.position = partition.position;
    seen.end = partition.end;
    seen.paused = partition.paused && !partition.finished;
    const std::optional<AheadGate::Head> head = gate_.HeadOf(partition.index);
    if (head) seen.position = head->offset;  // what waits has not been read, for whoever asks
    seen.held_ahead = head ? head->events : 0;
    seen.ahead_time = head ? std::optional(head->time) : std::nullopt;
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
  counters.partitions_renewed = counters_.partitions_renewed;
  counters.refused = team_.refused();
  counters.tombstones_ignored = team_.tombstones_ignored();
}

}  // namespace sash
