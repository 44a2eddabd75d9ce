// Closing: what a lane needs in order to close panes, and the listener for windows that move.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <cstdint>
#include <span>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/slide/lane_windows.h"
#include "windows/slide/sliding_window.h"

namespace sash {

class Lane;

class MoveListener {
 public:
  // When an advance was due, and the time it took.
  struct Timing {
    SteadyTime due;
    AdvancePhases phases;
  };

  // `member`, a window of `lane`, has moved. Returning false ends the closing at once; the lane
  // cannot be used any more after that.
  virtual bool OnMoved(const Lane& lane, LaneWindows::Member& member, SlidingWindow::Moved moved,
                       const Timing& timing) = 0;

 protected:
  ~MoveListener() = default;
};

struct Closing {
  std::span<const std::uint32_t> ranks;  // of the partitions (PartitionTable::Ranks)
  VertexId id_limit = 0;                 // greater than the ids of all vertices
  const Clock& clock;
  MoveListener& listener;
};

}  // namespace sash
