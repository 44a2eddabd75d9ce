#include "windows/ingest/event_batch.h"

namespace sash {

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

}  // namespace sash
