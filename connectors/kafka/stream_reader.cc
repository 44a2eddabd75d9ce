#include "connectors/kafka/stream_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRound{20};
constexpr milliseconds kBetweenQuestions{500};
// A fetcher that has stopped is woken this soon after its records have run out.
constexpr milliseconds kUntilNudge{2};
constexpr std::uint64_t kRoundsBetweenEnds = 16;

}  // namespace

StreamReader::StreamReader(ConsumerHandle& consumer, PartitionTable& table, DecodeTeam& team,
                           ReadyState& ready, EventLog& log, const Clock& clock,
                           const StreamProgress& progress, const TimePolicy& policy, KeyKind keys,
                           const KafkaSpec& spec, SchemaHold schema_hold)
    : consumer_(consumer),
      ready_(ready),
      clock_(clock),
      partitions_(round_, ready),
      doubts_(consumer, partitions_, round_, clock, spec.span.has_value()),
      assignment_(consumer, partitions_, round_, doubts_, counters_, log, clock, policy, keys,
                  spec.span),
      unreadable_(partitions_, round_, counters_, ready, log),
      decoding_(consumer, team, partitions_, round_, doubts_, assignment_, policy,
                spec.span.has_value()),
      judge_(partitions_, round_, doubts_, assignment_, table, counters_, ready, log, clock, spec),
      changes_(consumer, partitions_, round_, doubts_, assignment_, table, counters_, ready, log,
               clock, spec),
      reach_(consumer, partitions_, ready, log),
      repair_(partitions_, round_, assignment_, counters_, ready, log, clock, spec.stall_after),
      nudge_(consumer, partitions_, assignment_),
      clock_hold_(partitions_, round_, counters_, ready, log, policy, keys, spec.span.has_value()),
      intake_hold_(partitions_, assignment_, clock_hold_.gate(), counters_, clock, progress,
                   policy),
      schema_hold_(std::move(schema_hold)) {}

Status StreamReader::Begin(const OpenedStream& stream) {
  changes_.Begin();
  return assignment_.Begin(stream);
}

void StreamReader::Collect() {
  const auto deadline = std::chrono::steady_clock::now() + kRound;
  round_.Begin(clock_);
  doubts_.Look();
  // The records that wait in librdkafka were mostly fetched before the break, so they stay there
  // for a while.
  if (doubts_.HoldsReading()) return judge_.Resolve(kRound);
  if (schema_hold_.holding() && !MayReadWhileHeld()) return;
  // The first poll waits for a record; later polls only take records that are there.
  milliseconds patience = kUntilNudge;
  const bool is_held = schema_hold_.holding();
  for (std::size_t polls = 1; decoding_.HasRoom(); ++polls) {
    const Polled* polled = consumer_.Poll(patience);
    if (polled == nullptr && polls == 1) {
      nudge_.Serve();
      polled = consumer_.Poll(kRound - kUntilNudge);
    }
    const bool broke = doubts_.Look();
    if (polled == nullptr) break;
    Handle(*polled);
    if (broke || (!is_held && schema_hold_.holding())) break;
    patience = milliseconds(0);
    if (polls % 64 == 0 && std::chrono::steady_clock::now() >= deadline) break;
  }
  decoding_.DecodeWaiting();
  doubts_.SumUp();
}

// Asks for the schema that records wait for; false: all partitions wait for it.
bool StreamReader::MayReadWhileHeld() {
  const bool all = std::ranges::all_of(partitions_, &ReadPartition::awaits_schema);
  if (!schema_hold_.Resolve(all ? kRound : milliseconds(0))) return !all;
  for (ReadPartition& partition : partitions_) {
    if (!std::exchange(partition.awaits_schema, false)) continue;
    partition.repair.check_end = true;  // librdkafka does not report an end a second time
    partition.active_at = clock_.Steady();
  }
  assignment_.AssignAll();  // the record that waited, and what librdkafka had fetched behind it
  return true;
}

void StreamReader::Handle(const Polled& polled) {
  ReadPartition* partition = partitions_.Find(polled.record.topic, polled.record.partition);
  // The batch gets the partition's earlier records before anything else about it.
  if (polled.kind != Polled::Kind::kRecord) decoding_.DecodeWaiting();
  if (polled.kind == Polled::Kind::kError) {
    HandleError(polled, partition);
  } else if (partition == nullptr) {
    return;  // from an earlier assignment
  } else if (partition->identity.doubtful && polled.kind != Polled::Kind::kOutOfRange) {
    partition->identity.skipped = true;
  } else if (partition->awaits_schema && polled.kind != Polled::Kind::kOutOfRange) {
    return;  // fetched before the pause; it is read again
  } else if (polled.kind == Polled::Kind::kRecord) {
    HandleRecord(polled.record, *partition);
  } else if (polled.kind == Polled::Kind::kEnd) {
    HandleEnd(polled.record.offset, *partition);
  } else if (polled.kind == Polled::Kind::kUnreadable) {
    unreadable_.Note(polled, *partition);
  } else {
    partitions_.MarkBehind(*partition);
    partition->repair.reposition = true;
    doubts_.Doubt(*partition);
  }
}

void StreamReader::HandleRecord(const KafkaRecord& record, ReadPartition& partition) {
  if (partition.finished) return;
  if (record.offset < partition.position) {
    ++counters_.duplicates_ignored;
    return;
  }
  if (partition.until && record.offset >= *partition.until) return assignment_.Finish(partition);
  if (schema_hold_.Holds(record)) return partitions_.MarkBehind(partition);
  unreadable_.Pass(record.offset, partition);
  partition.position = record.offset + 1;
  if (partition.IsAtEnd()) partition.live_until = round_.steady() + clock_hold_.live_for();
  partition.caught_up = false;
  partition.repair.delivers = true;
  partition.repair.overtaken = false;
  partitions_.NoteAllCaughtUp(false);
  if (partition.failed || partitions_.consumer_failed()) partitions_.Recover(partition);
  // Records of partitions that cannot be read yet are missing in every window.
  decoding_.Take(record, changes_.has_unread(), partition);
}

void StreamReader::HandleEnd(std::int64_t offset, ReadPartition& partition) {
  if (partition.finished || offset < partition.position) return;
  unreadable_.Pass(offset, partition);
  partition.position = offset;  // beyond the last record if transactions ended there
  partition.end = offset;
  partition.repair.overtaken = false;
  // Before the end that it had at the start, an unfinished transaction holds the rest back.
  if (!partition.until || offset >= *partition.until) assignment_.MarkCaughtUp(partition);
  if (partition.failed || partitions_.consumer_failed()) partitions_.Recover(partition);
}

void StreamReader::HandleError(const Polled& polled, ReadPartition* partition) {
  if (partition == nullptr) {
    partitions_.NoteConsumerFailed();
    ready_.Set(kConsumerSubject, kafka_events::kReadingFailed, polled.identity,
               fmt::format("kafka: {}", polled.text));
    return;
  }
  partitions_.MarkBehind(*partition);
  partition->failed = true;
  const std::string name = NameOf(partition->pair);
  ready_.Set(name, kafka_events::kPartitionFailed, polled.identity,
             fmt::format("kafka: {}: {}", name, polled.text),
             {{"topic", partition->pair.topic}, {"partition", partition->pair.partition}});
}

void StreamReader::Upkeep() {
  ++rounds_;
  NoteActivity();
  consumer_.ServeCallbacks();
  reach_.ReadInbox();
  doubts_.Look();
  judge_.Resolve(milliseconds(0));
  // Questions wait for a broker's answer, so they are asked seldom.
  const auto steady = std::chrono::steady_clock::now();
  if (steady - asked_at_ >= kBetweenQuestions) {
    asked_at_ = steady;
    AskBrokers();
  }
  if (schema_hold_.holding()) {  // partitions may have joined since the last round
    for (ReadPartition& partition : partitions_) {
      partition.awaits_schema = schema_hold_.NamesSchemas(partition.pair.topic);
    }
  }
  intake_hold_.Serve();
  clock_hold_.Serve(intake_hold_.is_memory_full());
  MarkCaughtUp();
}

void StreamReader::NoteActivity() {
  const SteadyTime now = clock_.Steady();
  for (ReadPartition& partition : partitions_) {
    if (std::exchange(partition.position_last_round, partition.position) != partition.position) {
      partition.active_at = now;
    }
  }
}

void StreamReader::AskBrokers() {
  repair_.Serve();
  if (changes_.Look()) repair_.ForgetPlaces();
}

std::vector<std::string> StreamReader::Topics() const {
  std::vector<std::string> topics;
  for (const ReadPartition& partition : partitions_) {  // by topic
    if (topics.empty() || topics.back() != partition.pair.topic) {
      topics.push_back(partition.pair.topic);
    }
  }
  return topics;
}

// A batch that leaves the stream caught up says so. If nothing was read, it says so only when the
// stream has just become caught up.
void StreamReader::MarkCaughtUp() {
  const bool caught_up =
      !clock_hold_.gate().holding() && std::ranges::all_of(partitions_, &ReadPartition::caught_up);
  if (caught_up &&
      (!partitions_.all_caught_up() || !std::ranges::all_of(batches(), &EventBatch::empty))) {
    last_batch().caught_up = true;
  }
  partitions_.NoteAllCaughtUp(caught_up);
}

void StreamReader::FillStatus(SourceStatus& status, KafkaCounters& counters) {
  const bool look_up_ends = rounds_ % kRoundsBetweenEnds == 1;
  status.partitions.resize(partitions_.size());
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    FillPartition(status.partitions[i], partitions_[i], look_up_ends);
  }
  status.held = intake_hold_.holds_all();
  status.records = decoding_.records();
  status.bytes = decoding_.bytes();
  status.filtered = decoding_.filtered();
  status.unmapped = decoding_.unmapped();
  status.mappings = decoding_.mapping_counts();
  counters.lost_records = counters_.lost_records;
  counters.unreadable_batches = counters_.unreadable_batches;
  counters.duplicates_ignored = counters_.duplicates_ignored;
  counters.pauses = counters_.pauses;
  counters.stalls = counters_.stalls;
  counters.partitions_added = counters_.partitions_added;
  counters.partitions_renewed = counters_.partitions_renewed;
  counters.refused = decoding_.refused();
  counters.tombstones_ignored = decoding_.tombstones_ignored();
  counters.decoded = decoding_.decode_counts();
  counters.registry_holds = schema_hold_.holds();
  counters.registry_requests = schema_hold_.counts().requests;
  counters.registry_failures = schema_hold_.counts().failures;
}

void StreamReader::FillPartition(PartitionStatus& status, ReadPartition& partition,
                                 bool look_up_end) const {
  if (look_up_end) {
    const std::optional<std::int64_t> known = consumer_.KnownEnd(partition.pair);
    if (known && *known > partition.end.value_or(-1)) partition.end = known;
  }
  if (partition.end && *partition.end < partition.position) partition.end = partition.position;
  if (partition.finished) partition.end = partition.position;  // nothing is left to read
  if (status.topic != partition.pair.topic) status.topic = partition.pair.topic;
  status.partition = partition.pair.partition;
  status.position = partition.position;
  status.end = partition.end;
  status.paused = partition.paused && !partition.finished;
  const std::optional<AheadGate::Head> head = clock_hold_.gate().HeadOf(partition.index);
  if (head) status.position = head->offset;  // events that wait do not count as read
  status.held_ahead = head ? head->events : 0;
  status.ahead_time = head ? std::optional(head->time) : std::nullopt;
  status.readable = partition.reach.reachable && !partition.failed &&
                    !partition.repair.reposition && !partitions_.consumer_failed();
}

}  // namespace sash
