#include "windows/ingest/partition_table.h"

#include <algorithm>
#include <numeric>

#include "windows/base/check.h"

namespace sash {
namespace {

std::optional<PartitionIndex> FindIn(const std::vector<TopicPartition>& pairs,
                                     std::string_view topic, std::int32_t partition) {
  const auto found = std::ranges::find_if(pairs, [&](const TopicPartition& pair) {
    return pair.partition == partition && pair.topic == topic;
  });
  if (found == pairs.end()) return std::nullopt;
  return static_cast<PartitionIndex>(found - pairs.begin());
}

}  // namespace

std::optional<PartitionIndex> PartitionTable::Find(std::string_view topic,
                                                   std::int32_t partition) const {
  const std::lock_guard lock(mutex_);
  return FindIn(pairs_, topic, partition);
}

PartitionIndex PartitionTable::Index(std::string_view topic, std::int32_t partition) {
  const std::lock_guard lock(mutex_);
  if (const auto found = FindIn(pairs_, topic, partition)) return *found;
  pairs_.push_back({std::string(topic), partition});
  return static_cast<PartitionIndex>(pairs_.size() - 1);
}

TopicPartition PartitionTable::At(PartitionIndex index) const {
  const std::lock_guard lock(mutex_);
  SASH_CHECK(index < pairs_.size());
  return pairs_[index];
}

std::vector<TopicPartition> PartitionTable::All() const {
  const std::lock_guard lock(mutex_);
  return pairs_;
}

std::vector<std::uint32_t> PartitionTable::Ranks() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> order(pairs_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {},
                    [&](std::uint32_t index) -> const TopicPartition& { return pairs_[index]; });
  std::vector<std::uint32_t> ranks(pairs_.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  return ranks;
}

std::size_t PartitionTable::size() const {
  const std::lock_guard lock(mutex_);
  return pairs_.size();
}

}  // namespace sash
