#include "windows/slide/lane_entry.h"

#include <algorithm>

namespace sash {

void LaneEntry::EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  Refer(buffered);
  EngineStats::Count(around_.stats.moved);
  ++lane.accepted;
  const std::optional<EventTime> newest = watermark_.Newest(event.partition);
  const std::optional<EventTime> passed = watermark_.Passed(event.partition);
  lane.slicer().AddLate(ToPosition(std::max(passed.value_or(event.time), event.time)), buffered,
                        lane.accepted, newest);
}

void LaneEntry::EnterStored(Lane& lane, EventTime begin, const BufferedEvent& buffered) {
  Refer(buffered);
  ++lane.accepted;
  if (buffered.time < begin) {
    lane.slicer().AddLate(ToPosition(begin), buffered, lane.accepted, {});
  } else {
    lane.slicer().Add(ToPosition(buffered.time), buffered, lane.accepted, {});
    lane.NoteOnTime(ToPosition(buffered.time));
  }
}

void LaneEntry::CountLate(Lane& lane, const EdgeEvent& event, std::optional<EventTime> here) {
  lane.slicer().CountLate(event.partition, event.offset, watermark_.Newest(event.partition),
                          Reached(lane, event.partition, here));
}

void LaneEntry::CountRefused(PartitionIndex partition, std::int64_t offset,
                             std::optional<EventTime> here) {
  for (Lane& lane : lanes_) {
    lane.slicer().CountRefused(partition, offset, watermark_.Newest(partition),
                               Reached(lane, partition, here));
  }
}

// The position of the newest of the partition's events and `here`, if filtered events have one.
std::optional<Position> LaneEntry::Reached(const Lane& lane, PartitionIndex partition,
                                           std::optional<EventTime> here) const {
  const std::optional<EventTime> newest = std::max(watermark_.Newest(partition), here);
  if (!newest || lane.axis() != WindowAxis::kEventTime) return std::nullopt;
  return ToPosition(*newest);
}

}  // namespace sash
