// ProgressBoard: how far the partitions and the windows of a stream are, for whoever asks why there
// is no result yet.
//
// The engine writes it once for each batch, tick and advance; an event costs two counters at most.
//
// Thread safety: the engine thread alone calls Update(); Read() may be called by any.
//
// Invariant: (1) what one Read() answers was true at one moment of the engine.
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
  // The end of its next result: what it waits for, or what the open slices would make it wait for
  // next. None: only silence is ahead.
  std::optional<Position> next_end{};
  // Up to there it is rebuilt without a result: they were published before a restart.
  std::optional<Position> rebuilt_until{};

  bool operator==(const WindowStanding&) const = default;
};

struct StreamStanding {
  std::optional<EventTime> watermark;
  EventTime wall;                             // when the engine last looked
  Position processing_time = 0;               // how far the axes are
  std::uint64_t accepted = 0;                 // number of the next event, by events
  std::vector<PartitionStanding> partitions;  // by index; those that a source has spoken of
  std::vector<WindowStanding> windows;
  bool ended = false;  // the source has said everything

  // Null when there is no such window, or not yet.
  const WindowStanding* Find(const std::string& window) const;
};

class ProgressBoard {
 public:
  // Takes `standing` and leaves the one before, whose room can be used again.
  void Update(StreamStanding& standing);

  StreamStanding Read() const;

 private:
  mutable Mutex mutex_;
  StreamStanding standing_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
