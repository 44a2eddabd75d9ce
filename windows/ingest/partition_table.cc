#include "windows/ingest/partition_table.h"

#include <algorithm>
#include <numeric>

#include "windows/base/check.h"

namespace sash {
namespace {

using Pairs = std::vector<TopicPartition>;

std::optional<PartitionIndex> FindIn(const Pairs& pairs, const TopicPartition& pair) {
  const auto found = std::ranges::find(pairs, pair);
  if (found == pairs.end()) return std::nullopt;
  return static_cast<PartitionIndex>(found - pairs.begin());
}

std::optional<PartitionIndex> NewestIn(const Pairs& pairs, std::string_view topic,
                                       std::int32_t partition) {
  std::optional<PartitionIndex> newest;
  for (PartitionIndex i = 0; i < pairs.size(); ++i) {
    if (pairs[i].partition != partition || pairs[i].topic != topic) continue;
    if (!newest || pairs[i].life > pairs[*newest].life) newest = i;
  }
  return newest;
}

PartitionIndex Add(Pairs& pairs, TopicPartition pair) {
  pairs.push_back(std::move(pair));
  return static_cast<PartitionIndex>(pairs.size() - 1);
}

}  // namespace

std::optional<PartitionIndex> PartitionTable::Find(const TopicPartition& pair) const {
  const MutexLock lock(mutex_);
  return FindIn(pairs_, pair);
}

PartitionIndex PartitionTable::Index(std::string_view topic, std::int32_t partition) {
  const MutexLock lock(mutex_);
  if (const auto found = NewestIn(pairs_, topic, partition)) return *found;
  return Add(pairs_, {std::string(topic), partition});
}

PartitionIndex PartitionTable::Index(const TopicPartition& pair) {
  const MutexLock lock(mutex_);
  if (const auto found = FindIn(pairs_, pair)) return *found;
  return Add(pairs_, pair);
}

PartitionIndex PartitionTable::Renew(std::string_view topic, std::int32_t partition) {
  const MutexLock lock(mutex_);
  const auto newest = NewestIn(pairs_, topic, partition);
  return Add(pairs_, {std::string(topic), partition, newest ? pairs_[*newest].life + 1 : 0});
}

TopicPartition PartitionTable::Newest(std::string_view topic, std::int32_t partition) const {
  const MutexLock lock(mutex_);
  if (const auto newest = NewestIn(pairs_, topic, partition)) return pairs_[*newest];
  return {std::string(topic), partition};
}

bool PartitionTable::IsNewest(PartitionIndex index) const {
  const MutexLock lock(mutex_);
  SASH_CHECK(index < pairs_.size());
  return NewestIn(pairs_, pairs_[index].topic, pairs_[index].partition) == index;
}

TopicPartition PartitionTable::At(PartitionIndex index) const {
  const MutexLock lock(mutex_);
  SASH_CHECK(index < pairs_.size());
  return pairs_[index];
}

std::vector<TopicPartition> PartitionTable::All() const {
  const MutexLock lock(mutex_);
  return pairs_;
}

std::vector<std::uint32_t> PartitionTable::Ranks() const {
  const MutexLock lock(mutex_);
  std::vector<std::uint32_t> order(pairs_.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto pair = [&](std::uint32_t index)
                        SASH_REQUIRES(mutex_) -> const TopicPartition& { return pairs_[index]; };
  std::ranges::sort(order, {}, pair);
  std::vector<std::uint32_t> ranks(pairs_.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  return ranks;
}

std::size_t PartitionTable::size() const {
  const MutexLock lock(mutex_);
  return pairs_.size();
}

}  // namespace sash
