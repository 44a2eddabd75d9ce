// PaneCloser: closes the panes of a stream's lanes when their axis has passed them, and lets the
// windows move.
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

  // No lane by event time closes anything before the watermark is here.
  Position due() const { return due_; }
  // Windows may have come or gone.
  void FindDue();

  // By event time; after an event that may have moved the watermark, or for the clock.
  void MoveWatermark();
  // By processing time.
  void CloseByClock();
  // By events, when everything has been read: a full pane waits for the next event only while more
  // is to be read, since records refused meanwhile belong to it.
  void CloseFullPanes();
  // What ends at or before `position` in one lane.
  void Close(Lane& lane, Position position);
  // Everything: the source has said all.
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
