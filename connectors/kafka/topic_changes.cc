#include "connectors/kafka/topic_changes.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "connectors/kafka/log_events.h"

namespace sash {
namespace {

constexpr const char* kUnread = "unread";
constexpr std::chrono::seconds kBetweenLooks{4};
constexpr int kAbsencesUntilGone = 2;

}  // namespace

bool TopicChanges::Look() {
  const SteadyTime now = clock_.Steady();
  if (has_span_ || now - looked_at_ < kBetweenLooks) return false;
  looked_at_ = now;
  const auto counts = consumer_.PartitionCounts(Assignment::kQuestionTimeout);
  doubts_.Look(Assignment::kQuestionTimeout);
  if (!counts) return false;  // BrokerReach reports it
  std::vector<TopicPartition> unread;
  std::string why;
  std::uint64_t joined = 0;
  for (const auto& [topic, count] : counts.value()) {
    if (!topics_.contains(topic)) continue;
    for (std::int32_t number = 0; number < count; ++number) {
      if (partitions_.Find(topic, number) != nullptr) continue;
      const TopicPartition pair{topic, number};
      // After one has not answered, the others are not asked: each question would delay reading.
      Result<LogBounds> bounds = LogBounds();
      if (unread.empty()) bounds = consumer_.QueryBounds(pair, Assignment::kQuestionTimeout);
      if (!bounds) why = bounds.error().message;
      if (!unread.empty() || !bounds) {
        unread.push_back(pair);
        continue;
      }
      Join(pair, bounds.value());
      ++joined;
    }
  }
  doubts_.Look(Assignment::kQuestionTimeout);
  const bool changed = LeaveGone(counts.value()) || joined > 0;
  if (changed) assignment_.AssignAll();
  counters_.partitions_added += joined;
  ReportUnread(unread, why);
  return changed;
}

void TopicChanges::Join(const TopicPartition& pair, const LogBounds& bounds) {
  const PartitionIndex index =
      table_.Renew(pair.topic, pair.partition);  // the first life, or another
  ReadPartition partition =
      partitions_.Joining(pair, index, bounds.low, bounds.high, clock_.Steady());
  round_.last().AddMark(Mark::Kind::kJoins, partition.index, partition.position);
  if (bounds.low > 0) round_.last().AddMark(Mark::Kind::kGap, partition.index);
  log_.Log(kafka_events::kPartitionJoined,
           fmt::format("kafka: {}: added to its topic, read from its beginning, offset {}",
                       NameOf(pair), bounds.low),
           {{"topic", pair.topic}, {"partition", pair.partition}, {"offset", bounds.low}});
  partitions_.Insert(std::move(partition));
}

bool TopicChanges::LeaveGone(const std::map<std::string, std::int32_t>& counts) {
  bool any = false;
  for (auto partition = partitions_.begin(); partition != partitions_.end();) {
    const auto count = counts.find(partition->pair.topic);
    const bool is_silent =
        partition->failed || partition->identity.doubtful || !partition->reach.reachable;
    if (count == counts.end() || partition->pair.partition < count->second || !is_silent) {
      partition->reach.absences = 0;
    } else if (++partition->reach.absences >= kAbsencesUntilGone) {
      Leave(*partition, count->second);
      partition = partitions_.Erase(partition);
      any = true;
      continue;
    }
    ++partition;
  }
  return any;
}

void TopicChanges::Leave(ReadPartition& partition, std::int32_t left) {
  round_.last().AddMark(Mark::Kind::kLeaves, partition.index);
  log_.Log(kafka_events::kPartitionLeft,
           fmt::format("kafka: {}: the topic has {} partitions now, this one is gone",
                       NameOf(partition.pair), left),
           {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
  partition.failed = true;
  partitions_.Recover(partition);  // clears its reason
}

void TopicChanges::ReportUnread(const std::vector<TopicPartition>& unread, const std::string& why) {
  unread_ = unread.size();
  if (unread.empty()) {
    return ready_.Clear(kUnread, kafka_events::kPartitionsAllRead,
                        "kafka: all added partitions are read now");
  }
  std::string names;
  for (const TopicPartition& pair : unread) names += (names.empty() ? "" : ", ") + NameOf(pair);
  ready_.Set(kUnread, kafka_events::kPartitionsAdded, names,
             fmt::format("kafka: added while the stream runs, and cannot be read yet: {}: {}",
                         names, why));
}

}  // namespace sash
