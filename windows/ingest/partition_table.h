// PartitionTable: the partitions of a stream and their dense indices.
//
// A topic that is deleted and made anew has the same names, and other records at the same offsets.
// So a partition has lives, each with an index of its own.
//
// Thread safety: every member may be called from any thread. Partitions are only ever added.
//
// Invariants
//   (1) An index, once given, names the same life of a partition for the life of the table.
//   (2) ranks() orders indices by topic (bytes), then partition, then life: the order in which
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
  std::uint32_t life = 0;  // how often it has begun anew since it was first seen
  friend auto operator<=>(const TopicPartition&, const TopicPartition&) = default;
};

class PartitionTable {
 public:
  // The index of its newest life, added if it is new.
  PartitionIndex Index(std::string_view topic, std::int32_t partition);
  // The index of that very life, added if it is new.
  PartitionIndex Index(const TopicPartition& pair);
  // It begins anew: the index of a life after the newest.
  PartitionIndex Renew(std::string_view topic, std::int32_t partition);
  // Nothing when that very life is not there.
  std::optional<PartitionIndex> Find(const TopicPartition& pair) const;
  // The newest life of a partition; the first when none is there.
  TopicPartition Newest(std::string_view topic, std::int32_t partition) const;
  // Whether there is no newer life of the same partition.
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
