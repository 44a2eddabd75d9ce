// Positions on an axis: from and to event time, and the ends of windows.
#pragma once

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"

namespace sash {

inline Position ToPosition(EventTime time) { return time.time_since_epoch().count(); }
inline EventTime ToTime(Position position) { return EventTime(Duration(position)); }

// The end of the first window that holds `position`.
inline Position EndAfter(Position position, Position slide) {
  return PaneBegin(position, slide) + slide;
}

}  // namespace sash
