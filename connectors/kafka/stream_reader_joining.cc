// Partitions that are added to topics while these are read.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/stream_reader.h"

namespace sash {
namespace {

constexpr const char* kUnread = "unread";
constexpr std::chrono::seconds kBetweenLooks{4};
constexpr int kAbsencesUntilGone = 2;

}  // namespace

void StreamReader::JoinAdded() {
  const SteadyTime now = clock_.Steady();
  if (span_ || now - looked_for_added_ < kBetweenLooks) return;
  looked_for_added_ = now;
  const auto counts = consumer_.PartitionCounts(kQuestionTimeout);
  LookForBreaks(kQuestionTimeout);
  if (!counts) return;  // which is said by who reads
  std::vector<TopicPartition> unread;
  std::string why;
  std::uint64_t joined = 0;
  for (const auto& [topic, count] : counts.value()) {
    if (!topics_.contains(topic)) continue;
    for (std::int32_t number = 0; number < count; ++number) {
      if (Find(topic, number) != nullptr) continue;
      const TopicPartition pair{topic, number};
      // Where one does not answer, the others would be asked in vain, and reading waits.
      Result<LogBounds> bounds = LogBounds();
      if (unread.empty()) bounds = consumer_.QueryBounds(pair, kQuestionTimeout);
      if (!bounds) why = bounds.error().message;
      if (!unread.empty() || !bounds) {
        unread.push_back(pair);
        continue;
      }
      Join(pair, bounds.value());
      ++joined;
    }
  }
  LookForBreaks(kQuestionTimeout);
  if (LeaveGone(counts.value()) || joined > 0) AssignAll();
  counters_.partitions_added += joined;
  SayUnread(unread, why);
}

// It begins caught up, so the windows wait for it no longer than for one that has fallen silent.
void StreamReader::Join(const TopicPartition& pair, const LogBounds& bounds) {
  Partition partition;
  partition.pair = pair;
  partition.index = table_.Renew(pair.topic, pair.partition);  // the first life, or another
  partition.position = partition.position_last_round = bounds.low;
  partition.end = bounds.high;
  partition.newest = LeastNewest();
  partition.active_at = clock_.Steady();
  partition.caught_up = true;
  partition.begins = bounds.low < bounds.high;
  last_batch().AddMark(Mark::Kind::kJoins, partition.index, partition.position);
  if (bounds.low > 0) last_batch().AddMark(Mark::Kind::kGap, partition.index);
  log_.Log(kafka_events::kPartitionJoined,
           fmt::format("kafka: {}: added to its topic, read from its beginning, offset {}",
                       NameOf(pair), bounds.low),
           {{"topic", pair.topic}, {"partition", pair.partition}, {"offset", bounds.low}});
  const auto place = std::ranges::lower_bound(partitions_, pair, {}, &Partition::pair);
  partitions_.insert(place, std::move(partition));
  watchdog_.Forget();
}

// A single look may be of a broker that has not heard of what was added.
bool StreamReader::LeaveGone(const std::map<std::string, std::int32_t>& counts) {
  bool any = false;
  for (auto partition = partitions_.begin(); partition != partitions_.end();) {
    const auto count = counts.find(partition->pair.topic);
    const bool is_silent = partition->failed || partition->doubtful || !partition->reachable;
    if (count == counts.end() || partition->pair.partition < count->second || !is_silent) {
      partition->absences = 0;
    } else if (++partition->absences >= kAbsencesUntilGone) {
      Leave(*partition, count->second);
      partition = partitions_.erase(partition);
      any = true;
      continue;
    }
    ++partition;
  }
  if (any) watchdog_.Forget();
  return any;
}

void StreamReader::Leave(Partition& partition, std::int32_t left) {
  last_batch().AddMark(Mark::Kind::kLeaves, partition.index);
  log_.Log(kafka_events::kPartitionLeft,
           fmt::format("kafka: {}: the topic has {} partitions now, this one is gone",
                       NameOf(partition.pair), left),
           {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
  partition.failed = true;
  Recovered(partition);
}

// Who has shown nothing yet counts as no slower than the slowest, so that nobody is paused for it.
std::optional<EventTime> StreamReader::LeastNewest() const {
  std::optional<EventTime> least;
  for (const Partition& partition : partitions_) {
    if (partition.newest && (!least || *partition.newest < *least)) least = partition.newest;
  }
  return least;
}

void StreamReader::SayUnread(const std::vector<TopicPartition>& unread, const std::string& why) {
  unread_ = unread.size();
  if (unread.empty()) {
    return ready_.Clear(kUnread, kafka_events::kPartitionsAllRead,
                        "kafka: no partition is left unread any more");
  }
  std::string names;
  for (const TopicPartition& pair : unread) names += (names.empty() ? "" : ", ") + NameOf(pair);
  ready_.Set(kUnread, kafka_events::kPartitionsAdded, names,
             fmt::format("kafka: added while the stream runs, and cannot be read yet: {}: {}",
                         names, why));
}

}  // namespace sash
