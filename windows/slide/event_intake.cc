#include "windows/slide/event_intake.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "windows/ingest/axis_position.h"
#include "windows/ingest/letter_places.h"

namespace sash {
namespace {

// In a record of many edges, the dictionary's lock is released for others after this number.
constexpr std::uint32_t kEdgesALock = 256;

// Increments a counter that only the engine thread writes, without a locked instruction.
void Count(std::atomic<std::uint64_t>& number) {
  number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

const char* WhyAhead(const EdgeEvent& event) {
  return event.ahead ? "its time is ahead of the events after it by more than ahead_limit"
                     : "its time is ahead of the clock by more than ahead_limit";
}

constexpr const char* kWhyLate = "its slice had closed when it came";

std::string WhyRefused(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason) {
  if (reason == RefusalReason::kAhead) return WhyAhead(event);
  if (reason == RefusalReason::kLate) return kWhyLate;
  const std::string type(batch.Text(batch.TypeOf(event)));
  return "its type \"" + type + "\" is new, and there are " +
         std::to_string(TypeTable::kMostTypes) +
         " types already, the most that are held; take the type from a field with fewer values";
}

}  // namespace

bool EventIntake::IsLate(const Lane& lane, const EdgeEvent& event) const {
  if (lane.axis() != WindowAxis::kEventTime) return false;
  // The pane may have closed while the event's partition was idle.
  if (lane.slicer().IsClosed(ToPosition(event.time))) return true;
  return sash::IsLate(event.time, watermark_.Passed(event.partition), lane.slicer().pane());
}

bool EventIntake::IsLateSomewhere(const EdgeEvent& event) const {
  return std::ranges::any_of(lanes_, [&](const Lane& lane) { return IsLate(lane, event); });
}

// The position of the newest of the partition's events and `here`, if filtered events have one.
std::optional<Position> EventIntake::Reached(const Lane& lane, PartitionIndex partition,
                                             std::optional<EventTime> here) const {
  const std::optional<EventTime> newest = std::max(watermark_.Newest(partition), here);
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

// Only if the id matters, because an id takes memory in open slices.
void EventIntake::Identify(const EventBatch& batch, const EdgeEvent& event,
                           BufferedEvent& buffered) const {
  if (keeps_ids_) buffered.id = batch.IdOf(event);
}

// Where a refused edge is in its record, for the letter; nothing if the record gives no other.
// Both directions of an edge are one place.
void EventIntake::NotePlace(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
                            std::vector<RefusedPlace>& places) const {
  const std::optional<EdgePlace> at = batch.PlaceOf(event);
  const std::vector<std::string>& mappings = around_.mappings;
  if ((!at && mappings.empty()) || places.size() == kMostLetterPlaces) return;
  RefusedPlace place{.place = at.value_or(EdgePlace()),
                     .reason = reason,
                     .detail = WhyRefused(batch, event, reason),
                     .is_whole = !at};
  if (event.mapping < mappings.size()) place.mapping = mappings[event.mapping];
  if (!places.empty() && places.back().mapped() == place.mapped()) return;
  places.push_back(std::move(place));
}

void EventIntake::Refuse(const EventBatch& batch, const EdgeEvent& event, RefusalReason reason,
                         const std::string& detail, std::span<const RefusedPlace> places) {
  interner_.Release();
  const TopicPartition place = partitions_.PairOf(event.partition);
  RefusedRecord record{.topic = place.topic,
                       .partition = place.partition,
                       .offset = event.offset,
                       .timestamp = event.time,
                       .reason = reason,
                       .detail = detail,
                       .stage = "window",
                       .payload = batch.Text(event.payload),
                       .places = places};
  if (const RecordOrigin* const origin = batch.OriginOf(event)) {
    record.timestamp = origin->timestamp;
    if (origin->has_key) record.key = batch.Text(origin->key);
    if (!origin->has_value) record.payload.reset();
  }
  around_.refusals.Refuse(record);
}

// A record of one event.
void EventIntake::RefuseAlone(const EventBatch& batch, const EdgeEvent& event,
                              RefusalReason reason) {
  std::vector<RefusedPlace> places;
  NotePlace(batch, event, reason, places);
  Refuse(batch, event, reason, WhyRefused(batch, event, reason), places);
}

void EventIntake::RefuseAhead(const EventBatch& batch, const EdgeEvent& event) {
  Count(around_.stats.ahead);
  RefuseAlone(batch, event, RefusalReason::kAhead);
  CountRefused(event.partition, event.offset);
}

void EventIntake::CountRefused(PartitionIndex partition, std::int64_t offset,
                               std::optional<EventTime> here) {
  for (Lane& lane : lanes_) {
    lane.slicer().CountRefused(partition, offset, watermark_.Newest(partition),
                               Reached(lane, partition, here));
  }
  watermark_.Heard(partition, time_.now);
  ++partitions_[partition].refused;
}

// Takes a filtered event.
void EventIntake::Pass(const EdgeEvent& event) {
  // A time that may be wrong makes no other event late.
  if (IsAhead(event)) return watermark_.Heard(event.partition, time_.now);
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
  if (event.filtered || IsAhead(event)) {
    place.next_offset = event.offset + 1;
    return event.filtered ? Pass(event) : RefuseAhead(batch, event);
  }
  const std::optional<TypeNumber> type = TypeOf(batch, event);
  if (!type) {
    place.next_offset = event.offset + 1;
    RefuseAlone(batch, event, RefusalReason::kTypes);
    return CountRefused(event.partition, event.offset);
  }
  BufferedEvent buffered;  // filled when is_interned
  bool is_interned = false;
  bool late = false;
  for (Lane& lane : lanes_) {
    const bool late_here = CountIfLate(lane, event);
    late = late || late_here;
    if (late_here && policy_.late != LatePolicy::kNextSlice) continue;
    if (!std::exchange(is_interned, true)) {
      interner_.Intern(batch, event, hashes, buffered);
      Identify(batch, event, buffered);
      buffered.type = *type;
    }
    Refer(buffered);  // before Enter(), which may publish a window
    if (late_here) {
      EnterLate(lane, event, buffered);
    } else {
      Enter(lane, event, buffered);
    }
  }
  place.next_offset = event.offset + 1;
  ++time_.numbered;
  if (is_interned) CountAccepted(event.operation);
  if (late) {
    Count(around_.stats.late);
    NoteLateness(event);
    ++place.late;
    watermark_.Heard(event.partition, time_.now);
    if (policy_.late == LatePolicy::kDeadLetter) {
      RefuseAlone(batch, event, RefusalReason::kLate);
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
  const std::optional<TypeNumber> type = TypeOf(batch, event);
  if (!type) {
    RefuseAlone(batch, event, RefusalReason::kTypes);
    return CountRefused(event.partition, event.offset);
  }
  BufferedEvent buffered;
  interner_.Intern(batch, event, hashes, buffered);
  Identify(batch, event, buffered);
  buffered.type = *type;
  buffered.edges_before = batch.PlaceOf(event).value_or(EdgePlace()).edge;
  const bool was_moved = event.time < batch.pane->begin;
  for (Lane& lane : lanes_) {
    if (lane.axis() != WindowAxis::kEventTime) continue;
    Refer(buffered);
    ++lane.accepted;
    if (was_moved) {
      lane.slicer().AddLate(ToPosition(batch.pane->begin), buffered, lane.accepted, {});
    } else {
      lane.slicer().Add(ToPosition(event.time), buffered, lane.accepted, {});
      lane.NoteOnTime(ToPosition(event.time));
    }
  }
  ++time_.numbered;
  if (was_moved) Count(around_.stats.moved);
  CountAccepted(event.operation);
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
  std::atomic<std::uint64_t>& late = around_.stats.late;
  late.store(late.load(std::memory_order_relaxed) + pane.late, std::memory_order_relaxed);
}

void EventIntake::AcceptRecord(const EventBatch& batch, std::size_t first, std::size_t end,
                               std::size_t refused, KeyLookahead& ahead) {
  const std::span<const EdgeEvent> edges = std::span(batch.events()).subspan(first, end - first);
  const PartitionIndex partition = edges.front().partition;
  StreamPartitions::Place& place = partitions_[partition];
  // Within the record a window by events may advance: its rewind point begins at the record.
  place.next_offset = edges.front().offset;
  const Verdicts verdicts = Judge(batch, edges);
  RefuseSome(batch, edges, verdicts);
  std::uint32_t edges_before = 0;
  for (const EdgeEvent& edge : edges) {
    const KeyLookahead::Hashes hashes = ahead.Next();
    if (edge.filtered || IsAhead(edge)) continue;
    const std::optional<TypeNumber> type = TypeOf(batch, edge);
    if (!type) continue;
    BufferedEvent buffered;  // filled when is_interned
    bool is_interned = false;
    for (Lane& lane : lanes_) {
      // As in Judge(): what decides it does not change before Settle().
      const bool late_here = IsLate(lane, edge);
      if (late_here && policy_.late != LatePolicy::kNextSlice) continue;
      if (!std::exchange(is_interned, true)) {
        interner_.Intern(batch, edge, hashes, buffered);
        Identify(batch, edge, buffered);
        buffered.type = *type;
        buffered.edges_before = edges_before;
      }
      Refer(buffered);
      if (late_here) {
        EnterLate(lane, edge, buffered);
      } else {
        Enter(lane, edge, buffered);
      }
    }
    ++edges_before;
    ++time_.numbered;
    if (is_interned) CountAccepted(edge.operation);
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
    lane->slicer().CountLate(edge.partition, edge.offset, watermark_.Newest(edge.partition),
                             Reached(*lane, edge.partition, verdicts.newest));
  }
}

// Judges all edges of a record by what was before it; but types that are new with one of them are
// known to the others.
EventIntake::Verdicts EventIntake::Judge(const EventBatch& batch,
                                         std::span<const EdgeEvent> edges) {
  Verdicts verdicts;
  for (const EdgeEvent& edge : edges) {
    if (edge.filtered) {
      if (!IsAhead(edge)) verdicts.passed = std::max(verdicts.passed, std::optional(edge.time));
      continue;
    }
    if (IsAhead(edge)) {
      Count(around_.stats.ahead);
      ++verdicts.ahead;
      continue;
    }
    if (!TypeOf(batch, edge)) {
      ++verdicts.of_types;
      continue;
    }
    if (IsLateSomewhere(edge)) {
      Count(around_.stats.late);
      NoteLateness(edge);
      ++verdicts.late;
    } else {
      verdicts.on_time = true;
      verdicts.newest = std::max(verdicts.newest, std::optional(edge.time));
    }
  }
  verdicts.newest = std::max(verdicts.newest, verdicts.passed);
  return verdicts;
}

// One dead letter for everything of the record that is refused here.
void EventIntake::RefuseSome(const EventBatch& batch, std::span<const EdgeEvent> edges,
                             const Verdicts& verdicts) {
  const std::size_t late = policy_.late == LatePolicy::kDeadLetter ? verdicts.late : 0;
  const std::size_t refused = verdicts.ahead + verdicts.of_types + late;
  if (refused == 0) return;
  const auto reason_of = [&](const EdgeEvent& edge) -> std::optional<RefusalReason> {
    if (edge.filtered) return std::nullopt;
    if (IsAhead(edge)) return RefusalReason::kAhead;
    if (!TypeOf(batch, edge)) return RefusalReason::kTypes;
    if (late > 0 && IsLateSomewhere(edge)) return RefusalReason::kLate;
    return std::nullopt;
  };
  const RefusalReason reason = verdicts.ahead > 0      ? RefusalReason::kAhead
                               : verdicts.of_types > 0 ? RefusalReason::kTypes
                                                       : RefusalReason::kLate;
  const EdgeEvent& example = *std::ranges::find(edges, std::optional(reason), reason_of);
  std::vector<RefusedPlace> places;
  for (const EdgeEvent& edge : edges) {
    if (const auto why = reason_of(edge)) NotePlace(batch, edge, *why, places);
  }
  const std::string which = edges.size() == 1 ? ""
                                              : std::to_string(refused) + " of its " +
                                                    std::to_string(edges.size()) + " edges: ";
  Refuse(batch, example, reason, which + WhyRefused(batch, example, reason), places);
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

bool EventIntake::CountIfLate(Lane& lane, const EdgeEvent& event) {
  if (!IsLate(lane, event)) return false;
  lane.slicer().CountLate(event.partition, event.offset, watermark_.Newest(event.partition),
                          Reached(lane, event.partition));
  return true;
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
  lane.slicer().AddLate(ToPosition(std::max(passed.value_or(event.time), event.time)), buffered,
                        lane.accepted, newest);
}

}  // namespace sash
