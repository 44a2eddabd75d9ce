#include "connectors/kafka/topic_partitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "connectors/kafka/topic_choice.h"

namespace sash {
namespace {

Result<std::vector<TopicPartition>> FindMatching(ConsumerHandle& consumer, const KafkaSpec& spec) {
  const auto counts = consumer.brokers().AllPartitionCounts(kOpeningTimeout);
  if (!counts) return counts.error();
  const TopicChoice choice(spec);
  std::vector<TopicPartition> pairs;
  for (const auto& [topic, count] : counts.value()) {
    if (!choice.Takes(topic)) continue;
    for (std::int32_t partition = 0; partition < count; ++partition) {
      pairs.push_back({topic, partition});
    }
  }
  if (!pairs.empty()) return pairs;
  return Error{ErrorCode::kNotFound,
               fmt::format("no topic matches the pattern `{}`", spec.topic_pattern)};
}

}  // namespace

std::string NameOf(const TopicPartition& pair) {
  return fmt::format("{} [{}]", pair.topic, pair.partition);
}

Result<std::vector<TopicPartition>> FindPartitions(ConsumerHandle& consumer,
                                                   const KafkaSpec& spec) {
  Result<std::vector<TopicPartition>> pairs = FindAllPartitions(consumer, spec);
  if (pairs && spec.shard) {
    std::erase_if(pairs.value(),
                  [&](const TopicPartition& pair) { return !spec.shard->Has(pair.partition); });
  }
  return pairs;
}

Result<std::vector<TopicPartition>> FindAllPartitions(ConsumerHandle& consumer,
                                                      const KafkaSpec& spec) {
  if (!spec.topic_pattern.empty()) return FindMatching(consumer, spec);
  std::vector<TopicPartition> pairs;
  std::string missing;
  for (const std::string& topic : std::set(spec.topics.begin(), spec.topics.end())) {
    const Result<std::int32_t> count = consumer.brokers().PartitionCount(topic, kOpeningTimeout);
    if (!count) {
      if (count.error().code != ErrorCode::kNotFound) return count.error();
      missing += (missing.empty() ? "" : "; ") + count.error().message;
      continue;
    }
    for (std::int32_t partition = 0; partition < count.value(); ++partition) {
      pairs.push_back({topic, partition});
    }
  }
  if (!missing.empty()) return Error{ErrorCode::kNotFound, std::move(missing)};
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace sash
