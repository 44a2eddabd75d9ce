// PaneCloser: closes the panes of a stream's lanes when their axis has passed them, and moves the
// windows.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) after Publisher::Abandon() nothing closes.
#pragma once

#include <limits>

#include "windows/base/clock.h"
#include "windows/slide/closing.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/interner.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/publisher.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"

namespace sash {

class PaneCloser {
 public:
  // All outlive it.
  PaneCloser(const EngineSurroundings& around, StreamTime& time, StreamPartitions& partitions,
             LaneSet& lanes, Interner& interner, Publisher& publisher)
      : around_(around),
        time_(time),
        partitions_(partitions),
        lanes_(lanes),
        interner_(interner),
        publisher_(publisher) {}

  // Lanes by event time close nothing until the watermark reaches this position.
  Position due() const { return due_; }
  // Computes due() again, after windows may have joined or left.
  void FindDue();

  // Closes lanes by event time. Call it after an event that may have moved the watermark, and
  // because the clock moves.
  void MoveWatermark();
  // Closes lanes by event time up to this time, which is complete.
  void Reach(EventTime time);
  // Closes lanes by processing time.
  void CloseByClock();
  // Closes full panes of lanes by events, when everything has been read. While there is more to
  // read, a full pane waits for the next event, because records refused before that event belong to
  // the pane.
  void CloseFullPanes();
  // Closes the panes of one lane that end at or before `position`.
  void Close(Lane& lane, Position position);
  // Closes everything: the source has ended.
  void End();

 private:
  Closing closing() {
    return {partitions_.ranks(), around_.keys.id_limit(), around_.clock, publisher_};
  }

  const EngineSurroundings& around_;
  StreamTime& time_;
  StreamPartitions& partitions_;
  LaneSet& lanes_;
  Interner& interner_;
  Publisher& publisher_;
  Position due_ = std::numeric_limits<Position>::min();
};

}  // namespace sash
