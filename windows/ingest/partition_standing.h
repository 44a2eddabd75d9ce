// PartitionStanding: how far a partition has come. It explains the position of the watermark.
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <optional>

#include "windows/base/clock.h"

namespace sash {

struct PartitionStanding {
  bool assigned = false;              // else it does not count
  bool caught_up = false;             // read to its end, and nothing has come since
  bool idle = false;                  // caught up for idle_after: it does not hold the watermark
  std::optional<EventTime> newest{};  // of its events that were in time
  Duration silent{};                  // since its newest record, or its assignment
  // Records since its newest event that was in time.
  std::uint64_t late = 0;
  std::uint64_t refused = 0;

  bool operator==(const PartitionStanding&) const = default;
};

}  // namespace sash
