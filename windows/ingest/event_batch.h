// EventBatch: edge events on their way from a source to the engine, and marks for what happened
// between them.
//
// Thread safety: a value; owned by one thread at a time.
//
// Invariants
//   (1) Events of one partition keep the order of their offsets. The events of one record follow
//       each other, in the order of their places in it; they have one offset and one payload.
//   (2) A Mark takes effect before events()[mark.before_event]; marks are in that order.
//   (3) TextRefs of the events point into this batch's arena and die with it.
//   (4) An event passes every filter of windows unless NotePasses() says otherwise.
//   (5) An event has no id, no type and no place, unless NoteId(), NoteType() and NotePlace() give
//       it one.
//   (6) Between batches of different sets of filters, bits are translated by the texts of filters.
//
// It has more methods than other classes: most of them note or read one property of an event.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/edge_id.h"
#include "windows/ingest/edge_places.h"
#include "windows/ingest/filter_numbers.h"
#include "windows/ingest/filter_set.h"
#include "windows/ingest/record_anchor.h"
#include "windows/ingest/stored_pane.h"
#include "windows/ingest/stream_marks.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// The parts of a record beside its payload, for the dead letter if the engine refuses the event.
struct RecordOrigin {
  EventTime timestamp{};  // of the record
  TextRef key{};
  bool has_key = false;
  bool has_value = false;  // else the event's payload is the key
};

class EventBatch {
 public:
  EventBatch() = default;
  // An empty batch with the filters of `other`, and capacity for its content: the next batch is
  // often as large.
  static EventBatch AsLargeAs(const EventBatch& other);

  // Copies `text` into the arena. A batch holds less than 4 GiB of text.
  TextRef Store(std::string_view text) {
    SASH_CHECK(arena_.size() + text.size() < std::numeric_limits<std::uint32_t>::max());
    const TextRef ref{static_cast<std::uint32_t>(arena_.size()),
                      static_cast<std::uint32_t>(text.size())};
    arena_.append(text);
    return ref;
  }
  std::string_view Text(TextRef ref) const {
    return std::string_view(arena_).substr(ref.begin, ref.length);
  }

  void Add(const EdgeEvent& event) { events_.push_back(event); }
  // Adds an event, which the caller fills in place.
  EdgeEvent& Add() { return events_.emplace_back(); }
  // For the `events` events of one record, which were added last. A source calls it for every
  // record, or for none.
  void AddOrigins(std::size_t events, EventTime timestamp, std::optional<std::string_view> key,
                  bool has_value) {
    RecordOrigin origin{.timestamp = timestamp, .has_key = key.has_value(), .has_value = has_value};
    // The payload of an event without value is the key.
    if (key) origin.key = has_value ? Store(*key) : events_.back().payload;
    origins_.push_back(origin);
    if (events > 1) origins_.insert(origins_.end(), events - 1, origin);
    SASH_CHECK(origins_.size() == events_.size());
  }
  void AddOrigin(EventTime timestamp, std::optional<std::string_view> key, bool has_value) {
    AddOrigins(1, timestamp, key, has_value);
  }
  // Copies event `index` of another batch, with its texts and its RecordOrigin. If it was a further
  // event of its record, and the event added last is of the same record, it is a further event here
  // too, and the payload and the origin's key are not stored a second time. The batch then has the
  // newer of both sets of filters.
  void AddCopy(const EventBatch& from, std::size_t index, KeyKind keys);
  // The filters of windows that the events from `first` on pass: adds and removals of edges; those
  // of vertices pass all.
  void NotePasses(std::size_t first, FilterBits adds, FilterBits removals = kPassesAll) {
    passes_.resize(first, kPassesAll);
    for (std::size_t i = first; i < events_.size(); ++i) {
      const Operation operation = events_[i].operation;
      passes_.push_back(operation == Operation::kAdd      ? adds
                        : operation == Operation::kRemove ? removals
                                                          : kPassesAll);
    }
  }
  // Gives the bits of all events the numbers that `set` has. Filters that were not in the set so
  // far judge by types, if they can. Otherwise they let only removals pass, and are `unjudged`.
  void NumberAs(const FilterSetPtr& set);
  // Gives the events from `first` on an id. No earlier call gave them one.
  void NoteId(std::size_t first, EdgeId id) {
    SASH_CHECK(ids_.size() <= first);
    ids_.resize(first);
    ids_.resize(events_.size(), id);
  }
  // The type of the events from `first` on; without it they have none.
  void NoteType(std::size_t first, TextRef type) {
    types_.resize(first);
    types_.resize(events_.size(), type);
  }
  // The place of the events from `first` on in their record, which may give several.
  void NotePlace(std::size_t first, EdgePlace place) {
    places_.resize(first, kNoPlace);
    places_.resize(events_.size(), place);
  }
  // For the event added last.
  void SetLastTime(EventTime time) { events_.back().time = time; }
  void RefuseLastAsAhead() { events_.back().ahead = true; }
  // The size of the arena, for DropAfter().
  std::size_t text_bytes() const { return arena_.size(); }
  // Removes all but the first `events` events, and the text after `text_bytes`. No mark follows the
  // removed events.
  void DropAfter(std::size_t events, std::size_t text_bytes);
  // The events from `first` on come from this mapping. Called only if the source has several.
  void SetMapping(std::size_t first, std::uint8_t mapping) {
    for (std::size_t i = first; i < events_.size(); ++i) events_[i].mapping = mapping;
  }
  // The events from `first` on become further events of the record of the event before them. Their
  // payload is a second copy of that record; it is dropped, and they use the first copy.
  void JoinRecord(std::size_t first, KeyKind keys);
  void DropLastMark() { marks_.pop_back(); }
  void AddMark(Mark::Kind kind, PartitionIndex partition, std::int64_t offset = 0) {
    marks_.push_back({events_.size(), kind, partition, offset});
  }
  // `number` refused edges of a record whose other events are those from `first` on, if it has any.
  // No mark follows these.
  void AddRefused(std::size_t number, PartitionIndex partition, std::int64_t offset,
                  std::size_t first) {
    marks_.insert(marks_.end(), number, {first, Mark::Kind::kRefused, partition, offset});
  }

  // The newest record of a partition that was read for this batch, even if it became no event.
  void NoteAnchor(PartitionIndex partition, const RecordAnchor& anchor);

  const std::vector<EdgeEvent>& events() const { return events_; }
  // Whether the mark is for a refused edge, and the next event is of the same record.
  bool IsOfNextRecord(const Mark& mark) const {
    if (mark.kind != Mark::Kind::kRefused || mark.before_event == events_.size()) return false;
    const EdgeEvent& next = events_[mark.before_event];
    return next.partition == mark.partition && next.offset == mark.offset;
  }
  // The place after the last event of the record whose first event is events()[first].
  std::size_t RecordEnd(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < events_.size() && events_[end].further) ++end;
    return end;
  }
  // The newest time of the events of a record, from its first to the place before `end`.
  EventTime NewestOf(std::size_t first, std::size_t end) const {
    EventTime newest = events_[first].time;
    for (std::size_t i = first + 1; i < end; ++i) newest = std::max(newest, events_[i].time);
    return newest;
  }
  const std::vector<Mark>& marks() const { return marks_; }
  // Null if the source does not provide origins. `event` is one of events().
  const RecordOrigin* OriginOf(const EdgeEvent& event) const {
    if (origins_.empty()) return nullptr;
    return &origins_[static_cast<std::size_t>(&event - events_.data())];
  }
  // `event` is one of events().
  FilterBits PassesOf(const EdgeEvent& event) const {
    if (passes_.empty()) return kPassesAll;
    const auto place = static_cast<std::size_t>(&event - events_.data());
    return place < passes_.size() ? passes_[place] : kPassesAll;
  }
  // `event` is one of events().
  EdgeId IdOf(const EdgeEvent& event) const {
    if (ids_.empty()) return {};
    const auto place = static_cast<std::size_t>(&event - events_.data());
    return place < ids_.size() ? ids_[place] : EdgeId();
  }
  // Whether an event may have a type.
  bool has_types() const { return !types_.empty(); }
  // Empty if the event, one of events(), has no type.
  TextRef TypeOf(const EdgeEvent& event) const {
    const auto place = static_cast<std::size_t>(&event - events_.data());
    return place < types_.size() ? types_[place] : TextRef();
  }
  // `event` is one of events().
  std::optional<EdgePlace> PlaceOf(const EdgeEvent& event) const {
    const auto place = static_cast<std::size_t>(&event - events_.data());
    if (place >= places_.size() || places_[place] == kNoPlace) return std::nullopt;
    return places_[place];
  }
  std::size_t bytes() const {
    return arena_.size() + events_.size() * sizeof(EdgeEvent) +
           origins_.size() * sizeof(RecordOrigin) + passes_.size() * sizeof(FilterBits) +
           types_.size() * sizeof(TextRef) + ids_.size() * sizeof(EdgeId) +
           places_.size() * sizeof(EdgePlace) + marks_.size() * sizeof(Mark);
  }
  // Includes unused capacity.
  std::size_t allocated_bytes() const;
  bool empty() const {
    return events_.empty() && marks_.empty() && !start && !end_of_source && !caught_up &&
           !begins_filters && !pane;
  }

  std::optional<StreamStart> start;  // takes effect before everything else
  bool caught_up = false;            // after the events: every partition's end was reached
  bool end_of_source = false;        // after the events: a finite source has sent everything
  // The filters by which the events were judged; NotePasses() has their numbers.
  FilterSetPtr filters;
  // Those of the filters that did not judge all of the events.
  FilterBits unjudged = 0;
  bool begins_filters = false;  // sent even if it has no events: the first batch of its set
  // The wall clock when the source compared the events with it. The engine uses no earlier time,
  // even if the clock has been set back since: an event that was in time stays in time.
  std::optional<EventTime> compared_at;
  // All events are of this slice, which an earlier run cut: only with windows by event time. The
  // batch then has no marks.
  std::optional<StoredPane> pane;
  // To recognise partitions after a restart; at most one for each partition.
  std::vector<PartitionAnchor> anchors;

 private:
  static constexpr EdgePlace kNoPlace{std::numeric_limits<std::uint32_t>::max(), 0};

  static FilterNumbers NumbersFrom(const FilterSetPtr& from, const FilterSetPtr& to);
  void MeetSetOf(const EventBatch& from);
  void CopyPasses(const EventBatch& from, const EdgeEvent& event);

  std::vector<EdgeEvent> events_;
  std::vector<RecordOrigin> origins_;  // one for each event, or none at all
  std::vector<FilterBits> passes_;     // of the first events; none without filters
  std::vector<EdgeId> ids_;            // of the first events; none without ids
  std::vector<TextRef> types_;         // of the first events; none without types
  std::vector<EdgePlace> places_;      // of the first events; none if no record gives several
  std::vector<Mark> marks_;
  std::string arena_;
};

}  // namespace sash
