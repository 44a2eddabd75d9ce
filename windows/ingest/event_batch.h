// EventBatch: edge events on their way from a source to the engine, with what happened between
// them.
//
// Thread safety: a value; owned by one thread at a time.
//
// Invariants
//   (1) Events of one partition keep the order of their offsets.
//   (2) A Mark takes effect before events()[mark.before_event]; marks are in that order.
//   (3) TextRefs of the events point into this batch's arena and die with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/record_anchor.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

// Something to know of a partition, in order with its events.
struct Mark {
  enum class Kind : std::uint8_t {
    kRefused,   // a record that is no edge event: it is counted in the slice of the one before it
    kGap,       // records before the next event were never read (retention, or a late start)
    kCaughtUp,  // the partition's end is reached: silence from here on is idleness
    kBehind,    // there is more to read, or it cannot be read: silence is not idleness
    kJoins,     // the partition counts from now on; it begins empty and caught up
    kLeaves,    // nothing will come of it any more, and nobody waits for it
  };
  std::size_t before_event = 0;
  Kind kind = Kind::kRefused;
  PartitionIndex partition = 0;
  std::int64_t offset = 0;  // of the refused record; kJoins: the first that will be read
};

// What a record had beside its payload: for the dead letter of an event that the engine refuses.
struct RecordOrigin {
  EventTime timestamp{};  // of the record
  TextRef key{};
  bool has_key = false;
  bool has_value = false;  // else the event's payload is the key
};

// The first word of a source: the partitions that count from now on, and where they stand.
struct StreamStart {
  std::vector<PartitionIndex> partitions;
  // Where they start, as far as the source knows; the rest is empty when nothing was committed
  // before.
  RewindPoint resumed;
  // Of an engine that was restored: its state was taken at this moment, and partitions go on being
  // silent and caught up as they were then. Nothing: they are as if heard just now.
  std::optional<SteadyTime> stood{};
  // The source goes on from where it was told that a state was taken; else from elsewhere, and an
  // engine that waited for it begins anew.
  bool from_state = false;
};

class EventBatch {
 public:
  EventBatch() = default;
  // Empty, with the room that `other` fills: the next batch of a stream is often as large.
  static EventBatch AsLargeAs(const EventBatch& other) {
    EventBatch batch;
    batch.events_.reserve(other.events_.size());
    batch.origins_.reserve(other.origins_.size());
    batch.arena_.reserve(other.arena_.size());
    return batch;
  }

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
  // The event added, to be filled where it lies.
  EdgeEvent& Add() { return events_.emplace_back(); }
  // Of the event added last. A source tells it of every event, or of none.
  void AddOrigin(EventTime timestamp, std::optional<std::string_view> key, bool has_value) {
    RecordOrigin& origin = origins_.emplace_back();
    SASH_CHECK(origins_.size() == events_.size());
    origin.timestamp = timestamp;
    origin.has_key = key.has_value();
    origin.has_value = has_value;
    // The payload of an event without value is the key.
    if (key) origin.key = has_value ? Store(*key) : events_.back().payload;
  }
  // The event `index` of another batch, with its texts and what is known of its record.
  void AddCopy(const EventBatch& from, std::size_t index, KeyKind keys) {
    EdgeEvent copy = from.events_[index];
    if (keys == KeyKind::kString) {
      copy.source = KeyRef::Text(Store(from.Text(copy.source.text())));
      copy.target = copy.operation == Operation::kRemoveVertex
                        ? KeyRef()
                        : KeyRef::Text(Store(from.Text(copy.target.text())));
    }
    copy.payload = Store(from.Text(copy.payload));
    Add(copy);
    if (const RecordOrigin* const origin = from.OriginOf(from.events_[index])) {
      std::optional<std::string_view> key;
      if (origin->has_key) key = from.Text(origin->key);
      AddOrigin(origin->timestamp, key, origin->has_value);
    }
  }
  // Of the event added last.
  void SetLastTime(EventTime time) { events_.back().time = time; }
  void RefuseLastAsAhead() { events_.back().ahead = true; }
  // Of the arena, for DropLast().
  std::size_t text_bytes() const { return arena_.size(); }
  // Takes back the event added last, which no mark follows, and the text behind `text_bytes`.
  void DropLast(std::size_t text_bytes) {
    SASH_CHECK(!events_.empty() && text_bytes <= arena_.size());
    SASH_CHECK(marks_.empty() || marks_.back().before_event < events_.size());
    events_.pop_back();
    if (!origins_.empty()) origins_.pop_back();
    arena_.resize(text_bytes);
  }
  void DropLastMark() { marks_.pop_back(); }
  void AddMark(Mark::Kind kind, PartitionIndex partition, std::int64_t offset = 0) {
    marks_.push_back({events_.size(), kind, partition, offset});
  }

  // The newest record of a partition that is in this batch, or would be if it gave anything.
  void NoteAnchor(PartitionIndex partition, const RecordAnchor& anchor) {
    for (PartitionAnchor& known : anchors) {
      if (known.partition == partition) {
        known.anchor = anchor;
        return;
      }
    }
    anchors.push_back({partition, anchor});
  }

  const std::vector<EdgeEvent>& events() const { return events_; }
  const std::vector<Mark>& marks() const { return marks_; }
  // Null when the source does not tell. `event` is one of events().
  const RecordOrigin* OriginOf(const EdgeEvent& event) const {
    if (origins_.empty()) return nullptr;
    return &origins_[static_cast<std::size_t>(&event - events_.data())];
  }
  std::size_t bytes() const {
    return arena_.size() + events_.size() * sizeof(EdgeEvent) +
           origins_.size() * sizeof(RecordOrigin) + marks_.size() * sizeof(Mark);
  }
  // With the room kept for more.
  std::size_t allocated_bytes() const {
    return AllocatedBytes(arena_.capacity() + 1) + AllocatedBytes(events_) +
           AllocatedBytes(origins_) + AllocatedBytes(marks_);
  }
  bool empty() const {
    return events_.empty() && marks_.empty() && !start && !end_of_source && !caught_up;
  }

  std::optional<StreamStart> start;  // takes effect before everything else
  bool caught_up = false;            // after the events: every partition's end was reached
  bool end_of_source = false;        // after the events: a finite source has said everything
  // When the source compared the events with the wall clock. To the engine it is not earlier, even
  // if the clock has been set back since: what was in time stays so.
  std::optional<EventTime> compared_at;
  // By which partitions are known again; one for each at most.
  std::vector<PartitionAnchor> anchors;

 private:
  std::vector<EdgeEvent> events_;
  std::vector<RecordOrigin> origins_;  // one for each event, or none at all
  std::vector<Mark> marks_;
  std::string arena_;
};

}  // namespace sash
