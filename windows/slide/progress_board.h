// ProgressBoard: the progress of a stream's partitions and windows. It explains why there is no
// result yet.
//
// The engine writes it once for each batch, tick and advance; an event costs two counters at most.
//
// Thread safety: only the engine thread calls Update(); any thread may call Read().
//
// Invariant: (1) one Read() shows the state of the engine at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/partition_standing.h"
#include "windows/ingest/slice.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct WindowStanding {
  std::string name;
  WindowAxis by = WindowAxis::kEventTime;
  // The end of its next result: the end that it waits for, or will wait for when the open slices
  // close. Empty: no result is expected.
  std::optional<Position> next_end{};
  // Up to this end the window is rebuilt without results: they were published before a restart.
  std::optional<Position> rebuilt_until{};

  bool operator==(const WindowStanding&) const = default;
};

struct StreamStanding {
  std::optional<EventTime> watermark;
  EventTime wall;                             // when the engine last read the clock
  Position processing_time = 0;               // the position of the processing-time axis
  std::uint64_t accepted = 0;                 // the position of the axis by events
  std::vector<PartitionStanding> partitions;  // by index; those that the source has named
  std::vector<WindowStanding> windows;
  bool ended = false;  // the source has ended

  // Null if there is no such window, or if it is not on the board yet.
  const WindowStanding* Find(const std::string& window) const;
};

class ProgressBoard {
 public:
  // Swaps `standing` with the previous one, whose memory the caller can use again.
  void Update(StreamStanding& standing);

  StreamStanding Read() const;

 private:
  mutable Mutex mutex_;
  StreamStanding standing_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
