// EventJudge: decides whether an event is ahead of the clock, late or in time, or has a new type
// when no more types are held.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) the edges of one record are judged by the records before it, not by each other;
// but a type that is new with one of them is known when the others are judged.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "windows/ingest/axis_position.h"
#include "windows/ingest/event_batch.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"

namespace sash {

class EventJudge {
 public:
  // What the edges of a record are, after all of them were judged.
  struct Verdicts {
    std::size_t late = 0;
    std::size_t ahead = 0;
    std::size_t of_types = 0;         // refused, because there are too many types
    bool on_time = false;             // at least one edge was in time
    std::optional<EventTime> newest;  // of the edges that were in time, and of filtered ones
    std::optional<EventTime> passed;  // of the filtered ones
  };

  // All outlive it.
  EventJudge(const EngineSurroundings& around, const StreamTime& time,
             const StreamPartitions& partitions, const LaneSet& lanes)
      : around_(around), time_(time), watermark_(partitions.watermark()), lanes_(lanes) {}

  bool IsAhead(const EdgeEvent& event) const { return event.ahead || event.time > time_.latest; }
  // Empty: the type is new, and no more types are held.
  std::optional<TypeNumber> TypeOf(const EventBatch& batch, const EdgeEvent& event) const {
    if (!batch.has_types() || event.operation == Operation::kRemoveVertex) return kNoType;
    return around_.keys.types().Intern(batch.Text(batch.TypeOf(event)));
  }
  bool IsLate(const Lane& lane, const EdgeEvent& event) const {
    if (lane.axis() != WindowAxis::kEventTime) return false;
    // The pane may have closed while the event's partition was idle.
    if (lane.slicer().IsClosed(ToPosition(event.time))) return true;
    return sash::IsLate(event.time, watermark_.Passed(event.partition), lane.slicer().pane());
  }
  bool IsLateSomewhere(const EdgeEvent& event) const;

  // Judges all edges of a record. Counts those that are ahead or late in the engine's numbers.
  Verdicts Judge(const EventBatch& batch, std::span<const EdgeEvent> edges);

  // Counts a late event in the engine's numbers. It is late because its own partition has passed
  // its pane, or because the watermark has: its lateness is measured from the later of the two.
  void CountLate(const EdgeEvent& event);

 private:
  const EngineSurroundings& around_;
  const StreamTime& time_;
  const Watermark& watermark_;
  const LaneSet& lanes_;
};

}  // namespace sash
