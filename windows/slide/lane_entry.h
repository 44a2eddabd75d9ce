// LaneEntry: lets events into the lanes, and counts late and refused records in the lanes' panes.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) an event refers to its vertices before it enters a lane, because its entry may
// publish a window.
#pragma once

#include <cstdint>
#include <optional>

#include "windows/ingest/axis_position.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/pane_closer.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"

namespace sash {

class LaneEntry {
 public:
  // All outlive it.
  LaneEntry(const EngineSurroundings& around, const StreamTime& time, StreamPartitions& partitions,
            LaneSet& lanes, VertexLifetimes& lives, PaneCloser& closer)
      : around_(around),
        time_(time),
        partitions_(partitions),
        watermark_(partitions.watermark()),
        lanes_(lanes),
        lives_(lives),
        closer_(closer) {}

  // `buffered` is `event` with its ids, and is in time in this lane. In a lane by events, a full
  // pane closes first.
  void Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
    Refer(buffered);
    const Position position = PositionOf(lane, event);
    if (lane.axis() == WindowAxis::kEvents) closer_.Close(lane, position);
    ++lane.accepted;
    lane.slicer().Add(position, buffered, lane.accepted, watermark_.Newest(event.partition));
    lane.NoteOnTime(position);
    if (partitions_[event.partition].gap) {
      lane.slicer().MarkGap(position);
      partitions_.NoteGap(event.time);
    }
  }
  // The event is late: it enters a later pane.
  void EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered);
  // An event of an open stored slice, which begins at `begin`. Events before it were moved there.
  void EnterStored(Lane& lane, EventTime begin, const BufferedEvent& buffered);

  // Counts an event that has entered a lane in the engine's numbers.
  void CountAccepted(Operation operation) {
    EngineStats::Count(around_.stats.accepted);
    switch (operation) {
      case Operation::kAdd:
        return EngineStats::Count(around_.stats.added);
      case Operation::kRemove:
        return EngineStats::Count(around_.stats.removed);
      case Operation::kRemoveVertex:
        return EngineStats::Count(around_.stats.vertices_removed);
    }
  }

  // Count a record that does not enter. `here`: the newest time of its record, if other edges of it
  // have entered.
  void CountLate(Lane& lane, const EdgeEvent& event, std::optional<EventTime> here = {});
  void CountRefused(PartitionIndex partition, std::int64_t offset, std::optional<EventTime> here);

 private:
  // Refers to source and target separately, even if they are the same vertex, because
  // CountEndPoints() counts them so.
  void Refer(const BufferedEvent& event) {
    lives_.Refer(event.source);
    lives_.Refer(event.target);
  }
  Position PositionOf(const Lane& lane, const EdgeEvent& event) const {
    switch (lane.axis()) {
      case WindowAxis::kEventTime:
        return ToPosition(event.time);
      case WindowAxis::kProcessingTime:
        return time_.processing_time;
      case WindowAxis::kEvents:
        break;
    }
    return static_cast<Position>(lane.accepted);
  }
  std::optional<Position> Reached(const Lane& lane, PartitionIndex partition,
                                  std::optional<EventTime> here) const;

  const EngineSurroundings& around_;
  const StreamTime& time_;
  StreamPartitions& partitions_;
  const Watermark& watermark_;
  LaneSet& lanes_;
  VertexLifetimes& lives_;
  PaneCloser& closer_;
};

}  // namespace sash
