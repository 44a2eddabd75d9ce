// PartitionTable: the (topic, partition) pairs of a stream and their dense indices.
//
// Thread safety: every member may be called from any thread. Pairs are only ever added.
//
// Invariants
//   (1) An index, once given, names the same pair for the life of the table.
//   (2) ranks() orders indices by topic (bytes), then partition: the order in which events of
//       equal time take effect.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/thread_annotations.h"

namespace sash {

struct TopicPartition {
  std::string topic;
  std::int32_t partition = 0;
  friend auto operator<=>(const TopicPartition&, const TopicPartition&) = default;
};

class PartitionTable {
 public:
  // The index of the pair, added if it is new.
  PartitionIndex Index(std::string_view topic, std::int32_t partition);
  // Nothing when the pair is not there.
  std::optional<PartitionIndex> Find(std::string_view topic, std::int32_t partition) const;

  TopicPartition At(PartitionIndex index) const;
  std::vector<TopicPartition> All() const;   // by index
  std::vector<std::uint32_t> Ranks() const;  // by index; see (2)
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::vector<TopicPartition> pairs_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
