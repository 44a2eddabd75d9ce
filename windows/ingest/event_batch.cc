#include "windows/ingest/event_batch.h"

#include "windows/base/allocated_bytes.h"

namespace sash {

EventBatch EventBatch::AsLargeAs(const EventBatch& other) {
  EventBatch batch;
  batch.filters = other.filters;
  batch.events_.reserve(other.events_.size());
  batch.origins_.reserve(other.origins_.size());
  batch.passes_.reserve(other.passes_.size());
  batch.ids_.reserve(other.ids_.size());
  batch.types_.reserve(other.types_.size());
  batch.places_.reserve(other.places_.size());
  batch.arena_.reserve(other.arena_.size());
  return batch;
}

void EventBatch::AddCopy(const EventBatch& from, std::size_t index, KeyKind keys) {
  if (filters != from.filters) MeetSetOf(from);
  EdgeEvent copy = from.events_[index];
  if (keys == KeyKind::kString) {
    copy.source = KeyRef::Text(Store(from.Text(copy.source.text())));
    copy.target = copy.operation == Operation::kRemoveVertex
                      ? KeyRef()
                      : KeyRef::Text(Store(from.Text(copy.target.text())));
  }
  copy.further = copy.further && !events_.empty() && events_.back().partition == copy.partition &&
                 events_.back().offset == copy.offset;
  copy.payload = copy.further ? events_.back().payload : Store(from.Text(copy.payload));
  Add(copy);
  CopyPasses(from, from.events_[index]);
  if (!from.ids_.empty()) NoteId(events_.size() - 1, from.IdOf(from.events_[index]));
  if (const auto place = from.PlaceOf(from.events_[index])) {
    NotePlace(events_.size() - 1, *place);
  }
  const TextRef type = from.TypeOf(from.events_[index]);
  if (type.length > 0) NoteType(events_.size() - 1, Store(from.Text(type)));
  if (const RecordOrigin* const origin = from.OriginOf(from.events_[index])) {
    if (copy.further) {
      const RecordOrigin known = origins_.back();
      origins_.push_back(known);
      return;
    }
    std::optional<std::string_view> key;
    if (origin->has_key) key = from.Text(origin->key);
    AddOrigin(origin->timestamp, key, origin->has_value);
  }
}

void EventBatch::JoinRecord(std::size_t first, KeyKind keys) {
  SASH_CHECK(first > 0 && first < events_.size() && origins_.size() <= first);
  const TextRef kept = events_[first - 1].payload;
  const TextRef copy = events_[first].payload;
  SASH_CHECK(kept.length == copy.length && kept.begin <= copy.begin);
  const auto moved = [&](TextRef text) -> TextRef {
    if (text.begin < copy.begin) return text;
    const bool is_inside = text.begin + text.length <= copy.begin + copy.length;
    const std::uint32_t shift = is_inside ? copy.begin - kept.begin : copy.length;
    return {text.begin - shift, text.length};
  };
  events_[first].further = true;
  for (std::size_t i = first; i < events_.size(); ++i) {
    EdgeEvent& event = events_[i];
    event.payload = kept;
    if (i < types_.size() && types_[i].length > 0) types_[i] = moved(types_[i]);
    if (keys == KeyKind::kInteger) continue;
    event.source = KeyRef::Text(moved(event.source.text()));
    event.target = KeyRef::Text(moved(event.target.text()));
  }
  arena_.erase(copy.begin, copy.length);
}

void EventBatch::DropAfter(std::size_t events, std::size_t text_bytes) {
  SASH_CHECK(events <= events_.size() && text_bytes <= arena_.size());
  SASH_CHECK(marks_.empty() || marks_.back().before_event <= events);
  events_.resize(events);
  if (origins_.size() > events) origins_.resize(events);
  if (passes_.size() > events) passes_.resize(events);
  if (ids_.size() > events) ids_.resize(events);
  if (types_.size() > events) types_.resize(events);
  if (places_.size() > events) places_.resize(events);
  arena_.resize(text_bytes);
}

void EventBatch::NoteAnchor(PartitionIndex partition, const RecordAnchor& anchor) {
  for (PartitionAnchor& known : anchors) {
    if (known.partition == partition) {
      known.anchor = anchor;
      return;
    }
  }
  anchors.push_back({partition, anchor});
}

void EventBatch::NumberAs(const FilterSetPtr& set) {
  const FilterNumbers numbers = NumbersFrom(filters, set);
  filters = set;
  if (events_.empty()) {
    unjudged = 0;
    return;
  }
  passes_.resize(events_.size(), kPassesAll);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const EdgeEvent& event = events_[i];
    passes_[i] = numbers.OfEvent(passes_[i], event.operation, Text(TypeOf(event)));
  }
  unjudged = numbers.OfSome(unjudged) | numbers.unknown();
}

FilterNumbers EventBatch::NumbersFrom(const FilterSetPtr& from, const FilterSetPtr& to) {
  static const FilterTexts kNone;
  return {from == nullptr ? kNone : from->texts, to == nullptr ? kNone : to->texts};
}

void EventBatch::MeetSetOf(const EventBatch& from) {
  const std::uint64_t theirs = GenerationOf(from.filters);
  if (theirs > GenerationOf(filters)) {
    NumberAs(from.filters);
  } else if (filters == nullptr) {
    filters = from.filters;
  }
}

void EventBatch::CopyPasses(const EventBatch& from, const EdgeEvent& event) {
  const std::size_t last = events_.size() - 1;
  if (GenerationOf(from.filters) == GenerationOf(filters)) {
    unjudged |= from.unjudged;
    if (from.passes_.empty()) return;
    const FilterBits bits = from.PassesOf(event);
    return NotePasses(last, bits, bits);
  }
  const FilterNumbers numbers = NumbersFrom(from.filters, filters);
  unjudged |= numbers.OfSome(from.unjudged) | numbers.unknown();
  const FilterBits bits =
      numbers.OfEvent(from.PassesOf(event), event.operation, from.Text(from.TypeOf(event)));
  NotePasses(last, bits, bits);
}

std::size_t EventBatch::allocated_bytes() const {
  return AllocatedBytes(arena_.capacity() + 1) + AllocatedBytes(events_) +
         AllocatedBytes(origins_) + AllocatedBytes(passes_) + AllocatedBytes(types_) +
         AllocatedBytes(ids_) + AllocatedBytes(places_) + AllocatedBytes(marks_);
}

}  // namespace sash
