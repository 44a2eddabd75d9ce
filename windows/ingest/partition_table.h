// PartitionTable: the partitions of a stream and their dense indices.
//
// A topic that is deleted and created again has the same names, and other records at the same
// offsets. So a partition has lives (see the glossary), each with its own index.
//
// Thread safety: every member may be called from any thread. Partitions are only ever added.
//
// Invariants
//   (1) An index, once assigned, names the same life of a partition as long as the table exists.
//   (2) Ranks() orders indices by topic (bytes), then partition, then life: the order in which
//       events of equal time take effect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/mutex.h"

namespace sash {

struct TopicPartition {
  std::string topic;
  std::int32_t partition = 0;
  std::uint32_t life = 0;  // how often the topic was created again since it was first seen
  friend auto operator<=>(const TopicPartition&, const TopicPartition&) = default;
};

class PartitionTable {
 public:
  // The index of the partition's newest life, added if the partition is new.
  PartitionIndex Index(std::string_view topic, std::int32_t partition);
  // The index of exactly this life, added if it is new.
  PartitionIndex Index(const TopicPartition& pair);
  // Begins a new life after the newest, and returns its index.
  PartitionIndex Renew(std::string_view topic, std::int32_t partition);
  // The index of exactly this life; empty if it is not in the table.
  std::optional<PartitionIndex> Find(const TopicPartition& pair) const;
  // The newest life of a partition; the first if the partition is not in the table.
  TopicPartition Newest(std::string_view topic, std::int32_t partition) const;
  // Whether the same partition has no newer life.
  bool IsNewest(PartitionIndex index) const;

  TopicPartition At(PartitionIndex index) const;
  std::vector<TopicPartition> All() const;   // by index
  std::vector<std::uint32_t> Ranks() const;  // by index; see (2)
  std::size_t size() const;

 private:
  mutable Mutex mutex_;
  std::vector<TopicPartition> pairs_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
