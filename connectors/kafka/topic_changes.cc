#include "connectors/kafka/topic_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

constexpr const char* kUnread = "unread";
constexpr const char* kUnmatched = "unmatched";
constexpr std::chrono::seconds kBetweenLooks{4};
// A broker answers the requests of a connection one after the other, so an answer may wait behind a
// fetch request, for fetch.wait.max.ms (500 ms).
constexpr std::chrono::milliseconds kListTimeout{1500};
constexpr int kAbsencesUntilGone = 2;

}  // namespace

bool TopicChanges::Look() {
  const SteadyTime now = clock_.Steady();
  if (has_span_ || now - looked_at_ < kBetweenLooks) return false;
  looked_at_ = now;
  const auto counts = choice_.is_pattern()
                          ? consumer_.brokers().AllPartitionCounts(kListTimeout)
                          : consumer_.brokers().PartitionCounts(Assignment::kQuestionTimeout);
  doubts_.Look(kListTimeout);
  if (!counts) return false;  // BrokerReach reports it
  const std::uint64_t joined = JoinAdded(counts.value());
  const auto deleted = FindDeleted(counts.value());
  const bool left = deleted && LeaveGone(counts.value(), *deleted);
  const bool changed = left || joined > 0;
  if (changed) assignment_.AssignAll();
  counters_.partitions_added += joined;
  has_changed_ = has_changed_ || changed;
  ReportUnmatched();
  return changed;
}

bool TopicChanges::IsRead(const std::string& topic) const {
  return std::ranges::any_of(
      partitions_, [&](const ReadPartition& partition) { return partition.pair.topic == topic; });
}

std::uint64_t TopicChanges::JoinAdded(const Counts& counts) {
  std::vector<TopicPartition> unread;
  std::string why;
  std::uint64_t joined = 0;
  for (const auto& [topic, count] : counts) {
    if (!choice_.Takes(topic)) continue;
    const bool is_new = !IsRead(topic);
    for (std::int32_t number = 0; number < count; ++number) {
      if (shard_ && !shard_->Has(number)) continue;
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
      Join(pair, bounds.value(), is_new);
      ++joined;
    }
  }
  doubts_.Look(Assignment::kQuestionTimeout);
  ReportUnread(unread, why);
  return joined;
}

void TopicChanges::Join(const TopicPartition& pair, const LogBounds& bounds, bool is_new_topic) {
  const PartitionIndex index =
      table_.Renew(pair.topic, pair.partition);  // the first life, or another
  ReadPartition partition =
      partitions_.Joining(pair, index, bounds.low, bounds.high, clock_.Steady());
  round_.last().AddMark(Mark::Kind::kJoins, partition.index, partition.position);
  if (bounds.low > 0) round_.last().AddMark(Mark::Kind::kGap, partition.index);
  log_.Log(kafka_events::kPartitionJoined,
           fmt::format("kafka: {}: {}, read from its beginning, offset {}", NameOf(pair),
                       is_new_topic ? "its topic is new" : "added to its topic", bounds.low),
           {{"topic", pair.topic}, {"partition", pair.partition}, {"offset", bounds.low}});
  partitions_.Insert(std::move(partition));
}

// Only topics that a pattern has found can be deleted for good. Nothing: no broker has answered.
std::optional<std::set<std::string>> TopicChanges::FindDeleted(const Counts& counts) {
  std::set<std::string> deleted;
  if (!choice_.is_pattern()) return deleted;
  const bool all_listed = std::ranges::all_of(partitions_, [&](const ReadPartition& partition) {
    return counts.contains(partition.pair.topic);
  });
  if (all_listed) return deleted;
  auto unknown = consumer_.brokers().UnknownTopics(kListTimeout);
  doubts_.Look(kListTimeout);
  if (!unknown) return std::nullopt;  // the next look asks again
  for (const std::string& topic : unknown.value()) {
    if (!counts.contains(topic)) deleted.insert(topic);
  }
  return deleted;
}

bool TopicChanges::LeaveGone(const Counts& counts, const std::set<std::string>& deleted) {
  std::set<std::string> left;  // topics
  bool any = false;
  for (auto partition = partitions_.begin(); partition != partitions_.end();) {
    const std::string topic = partition->pair.topic;
    const auto count = counts.find(topic);
    const bool is_deleted = deleted.contains(topic);
    const bool is_fewer = count != counts.end() && partition->pair.partition >= count->second;
    const bool is_silent =
        partition->failed || partition->identity.doubtful || !partition->reach.reachable;
    if (!(is_deleted || is_fewer) || !is_silent) {
      partition->reach.absences = 0;
    } else if (++partition->reach.absences >= kAbsencesUntilGone) {
      if (is_fewer) {
        log_.Log(kafka_events::kPartitionLeft,
                 fmt::format("kafka: {}: the topic has {} partitions now, this one is gone",
                             NameOf(partition->pair), count->second),
                 {{"topic", topic}, {"partition", partition->pair.partition}});
      } else if (left.insert(topic).second) {
        log_.Log(
            kafka_events::kTopicLeft,
            fmt::format("kafka: topic {} was deleted: its partitions leave, and its edges stay "
                        "until they leave the windows",
                        topic),
            {{"topic", topic}});
      }
      Leave(*partition);
      partition = partitions_.Erase(partition);
      any = true;
      continue;
    }
    ++partition;
  }
  return any;
}

void TopicChanges::Leave(ReadPartition& partition) {
  round_.last().AddMark(Mark::Kind::kLeaves, partition.index);
  partition.failed = true;
  partitions_.Recover(partition);  // clears its reason
}

void TopicChanges::ReportUnmatched() {
  if (!choice_.is_pattern() || shard_) return;  // a shard may have no partition
  if (partitions_.size() > 0) {
    return ready_.Clear(kUnmatched, kafka_events::kTopicsMatched,
                        "kafka: topics match the pattern again");
  }
  ready_.Set(kUnmatched, kafka_events::kTopicsUnmatched, "unmatched",
             fmt::format("kafka: no topic matches the pattern `{}` any more", pattern_));
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
