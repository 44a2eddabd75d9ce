// Totals over several slices: WindowTotal, for the results of a window; LiveTotal, for what a live
// view says; RewindTotal, for the offsets to read again from. All are totals of a SlidingFold.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "windows/ingest/rewind_point.h"
#include "windows/ingest/slice.h"
#include "windows/slide/retained_slice.h"

namespace sash {

struct WindowTotal {
  // Offsets of a partition's events; none while least > greatest.
  struct Offsets {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  };

  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t last_accepted = 0;
  bool gap = false;
  std::optional<EventTime> least_time;
  std::optional<EventTime> greatest_time;
  std::vector<Offsets> offsets;  // by partition

  void Take(const RetainedSlice& slice);
  void Take(const WindowTotal& other);
};

// Late and refused records; the least and the greatest event time.
struct LiveTotal {
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::optional<EventTime> least;
  std::optional<EventTime> greatest;

  void Take(EventTime time);
  void Take(const RetainedSlice& slice);
  void Take(const LiveTotal& other);
};

// The positions from which a slice that ends at `end` must be read again.
struct SliceRewind {
  Position end = 0;
  std::vector<RewindPosition> positions;
};

struct RewindTotal {
  std::vector<std::optional<RewindPosition>> first;  // by partition

  void Take(PartitionIndex partition, const PartitionShare& share);
  void Take(const RetainedSlice& slice);
  void Take(const SliceRewind& slice);
  void Take(const RewindTotal& other);

 private:
  void Take(const RewindPosition& position);
};

}  // namespace sash
