#include "windows/slide/pane_closer.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "windows/ingest/axis_position.h"

namespace sash {

void PaneCloser::MoveWatermark() {
  if (time_.ended) return;
  const std::optional<EventTime> current = partitions_.watermark().Advance(time_.now, time_.wall);
  if (!current) return;
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEventTime) Close(lane, ToPosition(*current));
  }
  FindDue();
}

void PaneCloser::Reach(EventTime time) {
  if (time_.ended) return;
  partitions_.watermark().Reach(time);
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEventTime) Close(lane, ToPosition(time));
  }
  FindDue();
}

void PaneCloser::FindDue() {
  due_ = std::numeric_limits<Position>::max();
  for (const Lane& lane : lanes_) {
    if (lane.axis() != WindowAxis::kEventTime) continue;
    const Slicer& slicer = lane.slicer();
    if (slicer.closed_until() < due_ - slicer.pane()) due_ = slicer.closed_until() + slicer.pane();
    for (const Lane::Member& member : lane.members()) {
      due_ = std::min(due_, member.window.next_end().value_or(due_));
    }
  }
}

void PaneCloser::CloseByClock() {
  if (time_.ended) return;
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kProcessingTime) Close(lane, time_.processing_time);
  }
}

void PaneCloser::CloseFullPanes() {
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) Close(lane, static_cast<Position>(lane.accepted));
  }
}

void PaneCloser::Close(Lane& lane, Position position) {
  if (publisher_.abandoned()) return;
  const std::optional<Position> slice_end = lane.slicer().NextEnd();
  const bool anything_due =
      (slice_end && *slice_end <= position) ||
      std::ranges::any_of(lane.members(), [&](const Lane::Member& member) {
        return member.window.next_end() && *member.window.next_end() <= position;
      });
  if (!anything_due && PaneBegin(position, lane.slicer().pane()) <= lane.slicer().closed_until()) {
    return;
  }
  interner_.Release();
  // Windows by event time close after the watermark has advanced. Other windows report the
  // watermark too, so it advances here. That depends only on the ends of panes, not on what windows
  // hold or publish.
  if (lane.axis() != WindowAxis::kEventTime) partitions_.watermark().Advance(time_.now, time_.wall);
  lane.CloseUntil(position, closing());
  publisher_.NoteAllPassed(lane, position);
}

void PaneCloser::End() {
  MoveWatermark();  // the last results report it
  time_.ended = true;
  for (Lane& lane : lanes_) {
    lane.CloseAll(closing());
    publisher_.NoteAllPassed(lane, std::numeric_limits<Position>::max());
  }
}

}  // namespace sash
