// Positions on an axis: conversion from and to event time, the ends of panes, and lateness.
//
// Thread safety: pure functions.
#pragma once

#include <optional>

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"

namespace sash {

inline Position ToPosition(EventTime time) { return time.time_since_epoch().count(); }
inline EventTime ToTime(Position position) { return EventTime(Duration(position)); }

// The end of the pane that holds `position`.
inline Position PaneEnd(Position position, Position pane) {
  return PaneBegin(position, pane) + pane;
}

// Whether a partition has passed the whole pane of one of its events. `passed`: the time that the
// partition has passed (Watermark::Passed).
inline bool IsLate(EventTime time, std::optional<EventTime> passed, Position pane) {
  // The common case, without a division.
  if (!passed || time >= *passed) return false;
  return PaneEnd(ToPosition(time), pane) <= ToPosition(*passed);
}

}  // namespace sash
