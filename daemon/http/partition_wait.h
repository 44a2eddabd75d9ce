// PartitionWait: the state of a partition in engine and source, and whether a window waits for it.
//
// Thread safety: a value; the functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/partition_standing.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"

namespace sash {

struct PartitionWait {
  TopicPartition pair;
  PartitionStanding standing;
  std::optional<EventTime> passed;  // its own watermark: newest event minus disorder
  std::optional<std::int64_t> lag;  // unread records, if the source knows
  std::uint64_t held_ahead = 0;  // PartitionStatus
  std::optional<EventTime> ahead_time;
  bool paused = false;
  bool readable = true;
  bool holds = false;  // a window waits for this partition's watermark

  // "interactions/3".
  std::string name() const;
  // One of: not_assigned, unreadable, ahead, paused, idle, no_event, active.
  std::string_view state() const;
};

// All partitions that the engine knows. Partitions that hold the watermark back before `needed`
// come first, the furthest behind in front; then the others, ordered by topic and partition.
// Without `needed`, no partition holds the watermark back.
std::vector<PartitionWait> GatherPartitions(const std::vector<PartitionStanding>& standings,
                                            const std::vector<TopicPartition>& pairs,
                                            const SourceStatus& source, const TimePolicy& policy,
                                            std::optional<EventTime> needed);

}  // namespace sash
