// PartitionWait: a partition as engine and source know it, and whether a window waits for it.
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
  std::optional<EventTime> passed;  // its own watermark: its newest event less the disorder
  std::optional<std::int64_t> lag;  // records that are not read yet, if the source tells
  std::uint64_t held_ahead = 0;  // PartitionStatus
  std::optional<EventTime> ahead_time;
  bool paused = false;
  bool readable = true;
  bool holds = false;  // the watermark cannot reach what a window waits for before it has

  // "interactions/3".
  std::string name() const;
  // In one word: not_assigned, unreadable, ahead, paused, idle, no_event or active.
  std::string_view state() const;
};

// All that the engine knows. Those that hold the watermark before `needed` come first, the one
// that is furthest behind in front; then the others, in the order of topic and partition. Without
// `needed`, none holds it.
std::vector<PartitionWait> GatherPartitions(const std::vector<PartitionStanding>& standings,
                                            const std::vector<TopicPartition>& pairs,
                                            const SourceStatus& source, const TimePolicy& policy,
                                            std::optional<EventTime> needed);

}  // namespace sash
