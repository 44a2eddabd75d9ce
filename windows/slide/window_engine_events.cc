// What becomes of an event: refused, late, or counted in a slice of each lane.
#include <algorithm>
#include <utility>

#include "windows/ingest/axis_position.h"
#include "windows/slide/window_engine.h"

namespace sash {
namespace {

// Of a number that the engine thread alone writes: no locked instruction.
void Count(std::atomic<std::uint64_t>& number) {
  number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

bool WindowEngine::IsLate(const Lane& lane, const EdgeEvent& event) const {
  if (lane.axis() != WindowAxis::kEventTime) return false;
  // A pane may have closed without its partition, while that was idle.
  if (lane.slicer().IsClosed(ToPosition(event.time))) return true;
  return sash::IsLate(event.time, watermark_.Passed(event.partition), lane.slicer().pane());
}

Position WindowEngine::PositionOf(const Lane& lane, const EdgeEvent& event) const {
  switch (lane.axis()) {
    case WindowAxis::kEventTime:
      return ToPosition(event.time);
    case WindowAxis::kProcessingTime:
      return processing_time_;
    case WindowAxis::kEvents:
      break;
  }
  return static_cast<Position>(lane.accepted);
}

void WindowEngine::Intern(const EventBatch& batch, const EdgeEvent& event,
                          const KeyLookahead::Hashes& hashes, BufferedEvent& buffered) {
  const bool has_target = event.operation != Operation::kRemoveVertex;
  if (!writer_) writer_.emplace(around_.keys);
  if (around_.keys.kind() == KeyKind::kString) {
    buffered.source = writer_->Intern(batch.Text(event.source.text()), hashes.source);
    buffered.target = has_target ? writer_->Intern(batch.Text(event.target.text()), hashes.target)
                                 : buffered.source;
  } else {
    buffered.source = writer_->Intern(event.source.integer(), hashes.source);
    buffered.target =
        has_target ? writer_->Intern(event.target.integer(), hashes.target) : buffered.source;
  }
  buffered.time = event.time;
  buffered.offset = event.offset;
  if (event.operation == Operation::kAdd) buffered.weight = event.weight;
  buffered.partition = event.partition;
  buffered.operation = event.operation;
}

// Source and target each, even where they are one: so CountEndPoints() counts them.
void WindowEngine::Refer(const BufferedEvent& event) {
  lives_.Refer(event.source);
  lives_.Refer(event.target);
}

void WindowEngine::ReleaseOpen(const Lane& lane) {
  lane.slicer().VisitOpenEvents([this](VertexId source, VertexId target) {
    lives_.Release(source);
    lives_.Release(target);
  });
}

void WindowEngine::Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
                          const std::string& detail) {
  writer_.reset();
  const TopicPartition place = around_.partitions.At(event.partition);
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

void WindowEngine::RefuseAhead(const EventBatch& batch, const EdgeEvent& event) {
  Count(around_.stats.ahead);
  Refuse(batch, event, RefusalReason::kAhead,
         event.ahead ? "its time is beyond what follows it in the input by more than ahead_limit"
                     : "its time is ahead of the clock by more than ahead_limit");
  for (Lane& lane : lanes_) {
    lane.slicer().CountRefused(event.partition, event.offset, watermark_.Newest(event.partition));
  }
  watermark_.Heard(event.partition, now_);
  ++places_[event.partition].refused;
}

void WindowEngine::Accept(const EventBatch& batch, const EdgeEvent& event,
                          const KeyLookahead::Hashes& hashes) {
  PartitionPlace& place = places_[event.partition];
  place.next_offset = event.offset + 1;
  if (event.ahead || event.time > latest_) return RefuseAhead(batch, event);
  BufferedEvent buffered;  // once it is interned
  bool is_interned = false;
  bool late = false;
  for (Lane& lane : lanes_) {
    const bool late_here = IsLate(lane, event);
    late = late || late_here;
    if (late_here && policy_.late != LatePolicy::kNextSlice) {
      lane.slicer().CountLate(event.partition, event.offset, watermark_.Newest(event.partition));
      continue;
    }
    if (!std::exchange(is_interned, true)) Intern(batch, event, hashes, buffered);
    Refer(buffered);  // before it enters, which may publish a window
    if (late_here) {
      EnterLate(lane, event, buffered);
    } else {
      Enter(lane, event, buffered);
    }
  }
  ++numbered_;
  if (is_interned) CountAccepted(event.operation);
  if (late) {
    Count(around_.stats.late);
    NoteLateness(event);
    ++place.late;
    watermark_.Heard(event.partition, now_);
    if (policy_.late == LatePolicy::kDeadLetter) {
      Refuse(batch, event, RefusalReason::kLate, "its slice had closed when it came");
    }
    return;
  }
  place.gap = false;
  place.late = 0;
  place.refused = 0;
  if (watermark_.Observe(event.partition, event.time, now_, ToTime(due_))) MoveWatermark();
}

// A pane closes because its partition has passed it, or the watermark has without it.
void WindowEngine::NoteLateness(const EdgeEvent& event) {
  const EventTime passed = watermark_.Passed(event.partition).value_or(EventTime::min());
  const EventTime reached = std::max(passed, watermark_.Current().value_or(passed));
  around_.stats.lateness.Note(reached, event.time);
}

void WindowEngine::CountAccepted(Operation operation) {
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

void WindowEngine::Enter(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  const Position position = PositionOf(lane, event);
  // A pane of events closes when the event after its last one comes.
  if (lane.axis() == WindowAxis::kEvents) CloseLane(lane, position);
  ++lane.accepted;
  lane.slicer().Add(position, buffered, lane.accepted, watermark_.Newest(event.partition));
  lane.NoteOnTime(position);
  if (places_[event.partition].gap) {
    lane.slicer().MarkGap(position);
    gap_until_ = std::max(gap_until_.value_or(event.time), event.time);
  }
}

void WindowEngine::EnterLate(Lane& lane, const EdgeEvent& event, const BufferedEvent& buffered) {
  Count(around_.stats.moved);
  ++lane.accepted;
  const std::optional<EventTime> newest = watermark_.Newest(event.partition);
  const std::optional<EventTime> passed = watermark_.Passed(event.partition);
  lane.slicer().CountLate(event.partition, event.offset, newest);
  lane.slicer().AddLate(ToPosition(std::max(passed.value_or(event.time), event.time)), buffered,
                        lane.accepted, newest);
}

}  // namespace sash
