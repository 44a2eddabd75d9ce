#include "windows/slide/event_intake.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

// Increments a counter that only the engine thread writes, without a locked instruction.
void Count(std::atomic<std::uint64_t>& number) {
  number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

bool EventIntake::IsLate(const Lane& lane, const EdgeEvent& event) const {
  if (lane.axis() != WindowAxis::kEventTime) return false;
  // The pane may have closed while the event's partition was idle.
  if (lane.slicer().IsClosed(ToPosition(event.time))) return true;
  return sash::IsLate(event.time, watermark_.Passed(event.partition), lane.slicer().pane());
}

// The position of the partition's newest event, if filtered events have one.
std::optional<Position> EventIntake::Reached(const Lane& lane, PartitionIndex partition) const {
  const std::optional<EventTime> newest = watermark_.Newest(partition);
  if (!newest || lane.axis() != WindowAxis::kEventTime) return std::nullopt;
  return ToPosition(*newest);
}

Position EventIntake::PositionOf(const Lane& lane, const EdgeEvent& event) const {
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

// Refers to source and target separately, even if they are the same vertex, because
// CountEndPoints() counts them so.
void EventIntake::Refer(const BufferedEvent& event) {
  lives_.Refer(event.source);
  lives_.Refer(event.target);
}

void EventIntake::Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
                         const std::string& detail) {
  interner_.Release();
  const TopicPartition place = partitions_.PairOf(event.partition);
  RefusedRecord record{.topic = place.topic,
                       .partition = place.partition,
                       .offset = event.offset,
                       .timestamp = event.time,
                       .reason = reason,
                       .detail = detail,
                       .stage = "window",
                       .payload = batch.Text(event.payload)};
  if (const RecordOrigin* const origin = batch.OriginOf(event)) {
    record.timestamp = origin->timestamp;
    if (origin->has_key) record.key = batch.Text(origin->key);
    if (!origin->has_value) record.payload.reset();
  }
  around_.refusals.Refuse(record);
}

void EventIntake::RefuseAhead(const EventBatch& batch, const EdgeEvent& event) {
  Count(around_.stats.ahead);
  Refuse(batch, event, RefusalReason::kAhead,
         event.ahead ? "its time is ahead of the events after it by more than ahead_limit"
                     : "its time is ahead of the clock by more than ahead_limit");
  CountRefused(event.partition, event.offset);
}

void EventIntake::CountRefused(PartitionIndex partition, std::int64_t offset) {
  for (Lane& lane : lanes_) {
    lane.slicer().CountRefused(partition, offset, watermark_.Newest(partition),
                               Reached(lane, partition));
  }
  watermark_.Heard(partition, time_.now);
  ++partitions_[partition].refused;
}

// Takes a filtered event.
void EventIntake::Pass(const EdgeEvent& event) {
  // A time that may be wrong makes no other event late.
  if (event.ahead || event.time > time_.latest) return watermark_.Heard(event.partition, time_.now);
  StreamPartitions::Place& place = partitions_[event.partition];
  const std::optional<EventTime> newest = watermark_.Newest(event.partition);
  if (!newest || event.time >= *newest) {
    // A window by events knows only the times of accepted events, so it waits for the next of them.
    if (place.gap && lanes_.Find(WindowAxis::kEvents) == nullptr) {
      partitions_.NoteGap(event.time);
      place.gap = false;
    }
    place.late = 0;
    place.refused = 0;
  }
  if (watermark_.Observe(event.partition, event.time, time_.now, ToTime(closer_.due()))) {
    closer_.MoveWatermark();
  }
}

void EventIntake::Accept(const EventBatch& batch, const EdgeEvent& event,
                         const KeyLookahead::Hashes& hashes) {
  StreamPartitions::Place& place = partitions_[event.partition];
  place.next_offset = event.offset + 1;
  if (event.filtered) return Pass(event);
  if (event.ahead || event.time > time_.latest) return RefuseAhead(batch, event);
  BufferedEvent buffered;  // filled when is_interned
  bool is_interned = false;
  bool late = false;
  for (Lane& lane : lanes_) {
    const bool late_here = IsLate(lane, event);
    late = late || late_here;
    if (late_here && policy_.late != LatePolicy::kNextSlice) {
      lane.slicer().CountLate(event.partition, event.offset, watermark_.Newest(event.partition),
                              Reached(lane, event.partition));
      continue;
    }
    if (!std::exchange(is_interned, true)) interner_.Intern(batch, event, hashes, buffered);
    Refer(buffered);  // before Enter(), which may publish a window
    if (late_here) {
      EnterLate(lane, event, buffered);
    } else {
      Enter(lane, event, buffered);
    }
  }
  ++time_.numbered;
  if (is_interned) CountAccepted(event.operation);
  if (late) {
    Count(around_.stats.late);
    NoteLateness(event);
    ++place.late;
    watermark_.Heard(event.partition, time_.now);
    if (policy_.late == LatePolicy::kDeadLetter) {
      Refuse(batch, event, RefusalReason::kLate, "its slice had closed when it came");
    }
    return;
  }
  place.gap = false;
  place.late = 0;
  place.refused = 0;
  if (watermark_.Observe(event.partition, event.time, time_.now, ToTime(closer_.due()))) {
    closer_.MoveWatermark();
  }
}

// An event is late because its own partition has passed its pane, or because the watermark has. Its
// lateness is measured from the later of the two.
void EventIntake::NoteLateness(const EdgeEvent& event) {
  const EventTime passed = watermark_.Passed(event.partition).value_or(EventTime::min());
  const EventTime reached = std::max(passed, watermark_.Current().value_or(passed));
  around_.stats.lateness.Note(reached, event.time);
}

void EventIntake::CountAccepted(Operation operation) {
  Count(around_.stats.accepted);
  switch (operation) {
    case Operation::kAdd:
      return Count(around_.stats.added);
    case Operation::kRemove:
      return Count(around_.stats.removed);
    case Operation::kRemoveVertex:
      return Count(around_.stats.vertices_removed);
  }
}

void EventIntake::Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  const Position position = PositionOf(lane, event);
  // A pane of a lane by events closes when the event after its last one comes.
  if (lane.axis() == WindowAxis::kEvents) closer_.Close(lane, position);
  ++lane.accepted;
  lane.slicer().Add(position, buffered, lane.accepted, watermark_.Newest(event.partition));
  lane.NoteOnTime(position);
  if (partitions_[event.partition].gap) {
    lane.slicer().MarkGap(position);
    partitions_.NoteGap(event.time);
  }
}

void EventIntake::EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  Count(around_.stats.moved);
  ++lane.accepted;
  const std::optional<EventTime> newest = watermark_.Newest(event.partition);
  const std::optional<EventTime> passed = watermark_.Passed(event.partition);
  lane.slicer().CountLate(event.partition, event.offset, newest, Reached(lane, event.partition));
  lane.slicer().AddLate(ToPosition(std::max(passed.value_or(event.time), event.time)), buffered,
                        lane.accepted, newest);
}

}  // namespace sash
