#include "windows/slide/event_intake.h"

#include <optional>
#include <utility>
#include <vector>

#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

// In a record of many edges, the dictionary's lock is released for others after this number.
constexpr std::uint32_t kEdgesALock = 256;

}  // namespace

// Only if the id matters, because an id takes memory in open slices.
void EventIntake::Identify(const EventBatch& batch, const EdgeEvent& event,
                           BufferedEvent& buffered) const {
  if (keeps_ids_) buffered.id = batch.IdOf(event);
}

void EventIntake::RefuseAhead(const EventBatch& batch, const EdgeEvent& event) {
  EngineStats::Count(around_.stats.ahead);
  refusals_.RefuseAlone(batch, event, RefusalReason::kAhead);
  CountRefused(event.partition, event.offset);
}

void EventIntake::CountRefused(PartitionIndex partition, std::int64_t offset,
                               std::optional<EventTime> here) {
  entry_.CountRefused(partition, offset, here);
  watermark_.Heard(partition, time_.now);
  ++partitions_[partition].refused;
}

// Takes a filtered event.
void EventIntake::Pass(const EdgeEvent& event) {
  // A time that may be wrong makes no other event late.
  if (judge_.IsAhead(event)) return watermark_.Heard(event.partition, time_.now);
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
  // A window by events may advance before the event enters: the record is still to be read.
  place.next_offset = event.offset;
  if (event.filtered || judge_.IsAhead(event)) {
    place.next_offset = event.offset + 1;
    return event.filtered ? Pass(event) : RefuseAhead(batch, event);
  }
  const std::optional<TypeNumber> type = judge_.TypeOf(batch, event);
  if (!type) {
    place.next_offset = event.offset + 1;
    refusals_.RefuseAlone(batch, event, RefusalReason::kTypes);
    return CountRefused(event.partition, event.offset);
  }
  BufferedEvent buffered;  // filled when is_interned
  bool is_interned = false;
  bool late = false;
  for (Lane& lane : lanes_) {
    const bool late_here = judge_.IsLate(lane, event);
    if (late_here) entry_.CountLate(lane, event);
    late = late || late_here;
    if (late_here && policy_.late != LatePolicy::kNextSlice) continue;
    if (!std::exchange(is_interned, true)) {
      interner_.Intern(batch, event, hashes, buffered);
      Identify(batch, event, buffered);
      buffered.type = *type;
    }
    if (late_here) {
      entry_.EnterLate(lane, event, buffered);
    } else {
      entry_.Enter(lane, event, buffered);
    }
  }
  place.next_offset = event.offset + 1;
  ++time_.numbered;
  if (is_interned) entry_.CountAccepted(event.operation);
  if (late) {
    judge_.CountLate(event);
    ++place.late;
    watermark_.Heard(event.partition, time_.now);
    if (policy_.late == LatePolicy::kDeadLetter) {
      refusals_.RefuseAlone(batch, event, RefusalReason::kLate);
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

void EventIntake::AcceptStored(const EventBatch& batch, const EdgeEvent& event,
                               const KeyLookahead::Hashes& hashes) {
  partitions_[event.partition].next_offset = event.offset + 1;
  const std::optional<TypeNumber> type = judge_.TypeOf(batch, event);
  if (!type) {
    refusals_.RefuseAlone(batch, event, RefusalReason::kTypes);
    return CountRefused(event.partition, event.offset);
  }
  BufferedEvent buffered;
  interner_.Intern(batch, event, hashes, buffered);
  Identify(batch, event, buffered);
  buffered.type = *type;
  buffered.edges_before = batch.PlaceOf(event).value_or(EdgePlace()).edge;
  for (Lane& lane : lanes_) {
    if (lane.axis() != WindowAxis::kEventTime) continue;
    entry_.EnterStored(lane, batch.pane->begin, buffered);
  }
  ++time_.numbered;
  if (event.time < batch.pane->begin) EngineStats::Count(around_.stats.moved);
  entry_.CountAccepted(event.operation);
  (void)watermark_.Observe(event.partition, event.time, time_.now);  // for statuses
}

void EventIntake::CountStored(const StoredPane& pane) {
  for (Lane& lane : lanes_) {
    if (lane.axis() != WindowAxis::kEventTime) continue;
    if (pane.late + pane.refused > 0) {
      lane.slicer().CountStored(ToPosition(pane.begin), pane.late, pane.refused);
    }
    if (pane.gap) lane.slicer().MarkGap(ToPosition(pane.begin));
  }
  if (pane.gap) partitions_.NoteGap(pane.begin + Duration(1));
  EngineStats::Count(around_.stats.late, pane.late);
}

void EventIntake::AcceptRecord(const EventBatch& batch, std::size_t first, std::size_t end,
                               std::size_t refused, KeyLookahead& ahead) {
  const std::span<const EdgeEvent> edges = std::span(batch.events()).subspan(first, end - first);
  const PartitionIndex partition = edges.front().partition;
  StreamPartitions::Place& place = partitions_[partition];
  // Within the record a window by events may advance: its rewind point begins at the record.
  place.next_offset = edges.front().offset;
  const Verdicts verdicts = judge_.Judge(batch, edges);
  RefuseSome(batch, edges, verdicts);
  std::uint32_t edges_before = 0;
  for (const EdgeEvent& edge : edges) {
    const KeyLookahead::Hashes hashes = ahead.Next();
    if (edge.filtered || judge_.IsAhead(edge)) continue;
    const std::optional<TypeNumber> type = judge_.TypeOf(batch, edge);
    if (!type) continue;
    BufferedEvent buffered;  // filled when is_interned
    bool is_interned = false;
    for (Lane& lane : lanes_) {
      // As in Judge(): what decides it does not change before Settle().
      const bool late_here = judge_.IsLate(lane, edge);
      if (late_here && policy_.late != LatePolicy::kNextSlice) continue;
      if (!std::exchange(is_interned, true)) {
        interner_.Intern(batch, edge, hashes, buffered);
        Identify(batch, edge, buffered);
        buffered.type = *type;
        buffered.edges_before = edges_before;
      }
      if (late_here) {
        entry_.EnterLate(lane, edge, buffered);
      } else {
        entry_.Enter(lane, edge, buffered);
      }
    }
    ++edges_before;
    ++time_.numbered;
    if (is_interned) entry_.CountAccepted(edge.operation);
    if (edges_before % kEdgesALock == 0) interner_.Release();
  }
  CountLateAndRefused(edges.front(), verdicts, refused);
  place.next_offset = edges.front().offset + 1;
  Settle(place, partition, verdicts);
}

// Counts what is late or refused of the record of `edge`, after its other edges have entered: in no
// pane before theirs, so an engine that reads those panes again counts it in the same pane.
void EventIntake::CountLateAndRefused(const EdgeEvent& edge, const Verdicts& verdicts,
                                      std::size_t refused) {
  for (std::size_t i = 0; i < refused + verdicts.ahead + verdicts.of_types; ++i) {
    CountRefused(edge.partition, edge.offset, verdicts.newest);
  }
  Lane* const lane = lanes_.Find(WindowAxis::kEventTime);
  for (std::size_t i = 0; i < verdicts.late; ++i) {
    entry_.CountLate(*lane, edge, verdicts.newest);
  }
}

// One dead letter for everything of the record that is refused here.
void EventIntake::RefuseSome(const EventBatch& batch, std::span<const EdgeEvent> edges,
                             const Verdicts& verdicts) {
  const std::size_t late = policy_.late == LatePolicy::kDeadLetter ? verdicts.late : 0;
  if (verdicts.ahead + verdicts.of_types + late == 0) return;
  const auto reason_of = [&](const EdgeEvent& edge) -> std::optional<RefusalReason> {
    if (edge.filtered) return std::nullopt;
    if (judge_.IsAhead(edge)) return RefusalReason::kAhead;
    if (!judge_.TypeOf(batch, edge)) return RefusalReason::kTypes;
    if (late > 0 && judge_.IsLateSomewhere(edge)) return RefusalReason::kLate;
    return std::nullopt;
  };
  std::vector<EdgeRefusals::RefusedEdge> refused;
  for (const EdgeEvent& edge : edges) {
    if (const auto reason = reason_of(edge)) refused.push_back({&edge, *reason});
  }
  const RefusalReason reason = verdicts.ahead > 0      ? RefusalReason::kAhead
                               : verdicts.of_types > 0 ? RefusalReason::kTypes
                                                       : RefusalReason::kLate;
  refusals_.RefuseSome(batch, edges.size(), refused, reason);
}

// All edges of the record have entered. Now it counts as the newest of its partition.
void EventIntake::Settle(StreamPartitions::Place& place, PartitionIndex partition,
                         const Verdicts& verdicts) {
  const std::optional<EventTime> newest = watermark_.Newest(partition);
  const bool passed = verdicts.passed && (!newest || *verdicts.passed >= *newest);
  if (verdicts.on_time) {
    place.gap = false;
  } else if (passed && place.gap && lanes_.Find(WindowAxis::kEvents) == nullptr) {
    partitions_.NoteGap(*verdicts.passed);
    place.gap = false;
  }
  if (verdicts.on_time || passed) {
    place.late = 0;
    place.refused = 0;
  } else {
    place.late += verdicts.late;
  }
  if (!verdicts.newest) return watermark_.Heard(partition, time_.now);
  if (watermark_.Observe(partition, *verdicts.newest, time_.now, ToTime(closer_.due()))) {
    closer_.MoveWatermark();
  }
}

}  // namespace sash
