// DriftControl: which partitions are held back because they run ahead of the others.
//
// Slices close when every active partition has passed them; what a fast partition delivers before
// that only fills memory. So a partition is paused when its newest event time is more than
// max_drift ahead of the slowest active one, and when the open slices hold more events than the
// credit, already when it is an eighth of that ahead. It is resumed at half of the limit that
// paused it.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The active partition with the least newest time is never paused, and is resumed if it was.
//   (2) A partition that is idle (caught up and silent) holds nobody back; one that is caught up is
//       not paused anew: there is nothing to hold back.
//   (3) One of which more is awaited is not paused, and is resumed if it was: whoever awaits it
//       lets nothing pass until it is there, so that the slowest one might never come nearer. One
//       that is early is paused until it is awaited.
//   (4) An active partition that has delivered no event yet counts as the least time seen when the
//       first event came.
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
    bool early = false;               // the same, but more of others is awaited before it
  };
  // Places in the span given to Decide().
  struct Verdict {
    std::vector<std::size_t> pause;
    std::vector<std::size_t> resume;
  };

  // Events in open slices beyond which partitions are held back earlier: 8 M events of 16 to 25
  // bytes and their keys are about a quarter of a gigabyte.
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
