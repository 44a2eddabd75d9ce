// What a source sends beside events: where its stream begins, and marks for what happens to its
// partitions.
//
// Thread safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

// A change in the state of a partition, in order with its events.
struct Mark {
  enum class Kind : std::uint8_t {
    kRefused,   // a record or an edge of one: counted in the slice of the newest event up to it
    kGap,       // records before the next event were never read (retention, or a late start)
    kCaughtUp,  // the partition's end is reached: silence from here on is idleness
    kBehind,    // there is more to read, or it cannot be read: silence is not idleness
    kJoins,     // the partition counts from now on; it begins empty and caught up
    kLeaves,    // nothing comes from it any more, and the engine does not wait for it
  };
  std::size_t before_event = 0;  // of the batch
  Kind kind = Kind::kRefused;
  PartitionIndex partition = 0;
  std::int64_t offset = 0;  // of the refused record; kJoins: the first offset that will be read
};

// A source sends it first: the partitions that count from now on, and where reading starts.
struct StreamStart {
  std::vector<PartitionIndex> partitions;
  // Where they start, as far as the source knows; the other members are empty when nothing was
  // committed before.
  RewindPoint resumed;
  // For an engine that was restored: the moment when its state was taken. Partitions have been
  // silent since then, and are caught up if they were then. Empty: as if a record of each partition
  // had just come.
  std::optional<SteadyTime> stood{};
  // The source continues at the offsets of the engine's saved state. If false, it continues
  // elsewhere, and an engine that waited for this starts without that state.
  bool from_state = false;
};

}  // namespace sash
