#include "connectors/kafka/start_wishes.h"

#include <variant>

#include "connectors/kafka/lag_report.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {

Result<StartWishes> FindWishes(ConsumerHandle& consumer, const StartPolicy& policy,
                               const std::vector<TopicPartition>& pairs) {
  StartWishes wishes;
  if (const auto* wanted = std::get_if<StartExplicit>(&policy)) {
    for (const auto& [topic, offsets] : wanted->offsets) {
      for (const auto& [partition, offset] : offsets) wishes.offsets[{topic, partition}] = offset;
    }
  } else if (pairs.empty()) {
    return wishes;  // a shard may have no partition
  } else if (const auto* timestamp = std::get_if<StartTimestamp>(&policy)) {
    const auto found = consumer.brokers().OffsetsAt(pairs, timestamp->time, kOpeningTimeout);
    if (!found) return found.error();
    for (const PartitionOffset& position : found.value()) {
      if (position.offset >= 0) wishes.offsets[position.pair] = position.offset;
    }
  } else if (std::holds_alternative<StartCommitted>(policy)) {
    const auto commits = consumer.brokers().Committed(pairs, kOpeningTimeout);
    if (!commits) return commits.error();
    for (const PartitionOffset& commit : commits.value()) {
      if (commit.metadata == LagReport::kMark) continue;  // of another instance
      wishes.offsets[commit.pair] = commit.offset;
      wishes.metadata[commit.pair] = ParseRewindMetadata(commit.metadata);
    }
  }
  return wishes;
}

}  // namespace sash
