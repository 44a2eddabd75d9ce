// DriftControl: which partitions are held back because they run ahead of the others.
//
// A slice closes when every active partition has passed it. Events that a fast partition delivers
// before that only fill memory. So a partition is paused when its newest event time is more than
// max_drift ahead of the slowest active partition. When the open slices hold more events than the
// credit, the limit is an eighth of max_drift. A partition is resumed at half of the limit that
// paused it.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The active partition with the least newest time is never paused, and is resumed if it was.
//   (2) An idle partition (caught up and silent) holds no other partition back. A partition that is
//       caught up is not paused: it has no records to hold back.
//   (3) A partition that recovery still needs is never paused, and is resumed if it was. Recovery
//       applies no other records before it has that partition's, so the slowest partition might
//       otherwise never advance. A partition that recovery needs only later (`early`) is paused
//       until then.
//   (4) An active partition that has delivered no event yet counts with the least event time that
//       was known when the first event came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

class DriftControl {
 public:
  struct Partition {
    std::optional<EventTime> newest;  // of the events decoded so far
    bool caught_up = false;           // its end was reached, and nothing came since
    bool idle = false;                // caught up, and silent for idle_after
    bool paused = false;              // by us
    bool awaited = false;             // ResumedPartition::awaited_until has not been reached
    bool early = false;               // the same, but records of others are needed first
  };
  // Places in the span given to Decide().
  struct Verdict {
    std::vector<std::size_t> pause;
    std::vector<std::size_t> resume;
  };

  // With more events in open slices than this, partitions are paused earlier. 8 M events of 16 to
  // 25 bytes with their keys are about a quarter of a gigabyte.
  static constexpr std::uint64_t kOpenEventsCredit = 8'000'000;

  explicit DriftControl(Duration max_drift, std::uint64_t credit = kOpenEventsCredit)
      : max_drift_(max_drift), credit_(credit) {}

  Verdict Decide(std::span<const Partition> partitions, std::uint64_t open_events);

 private:
  std::optional<EventTime> Slowest(std::span<const Partition> partitions) const;

  const Duration max_drift_;
  const std::uint64_t credit_;
  std::optional<EventTime> first_;
  bool over_credit_ = false;
};

}  // namespace sash
