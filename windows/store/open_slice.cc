#include "windows/store/open_slice.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sash {
namespace {

struct PlacedEvent {
  TailPlace place{};
  TailEvent event{};
};

// What the window sees of the tail, in the order of effect.
std::vector<PlacedEvent> EventsOf(const LiveParts& parts, std::size_t place) {
  std::vector<PlacedEvent> events;
  std::uint32_t number = 0;
  parts.tails[place].tail->ForEach(parts.tails[place].count, [&](const TailEvent& event) {
    if (parts.Passes(event)) events.push_back({parts.PlaceOf(place, event, number), event});
    ++number;
  });
  std::erase_if(events, [&](const PlacedEvent& each) { return !parts.Counts(each.place); });
  std::ranges::sort(events, {}, &PlacedEvent::place);
  return events;
}

}  // namespace

std::shared_ptr<const ArchivedSlice> ArchiveOpenSlice(const LiveParts& parts, std::size_t place,
                                                      Position pane) {
  const std::vector<PlacedEvent> events = EventsOf(parts, place);
  auto weights = WeightColumn::Kind::kOnes;
  auto types = TypeWidth::kNone;
  bool removes = false;
  for (const auto& [_, event] : events) {
    weights = std::max(weights, WeightColumn::KindOf(event.weight));
    types = std::max(types, WidthOf(event.type));
    removes = removes || event.operation != Operation::kAdd;
  }
  auto slice = std::make_shared<Slice>();
  slice->begin = parts.tails[place].begin;
  slice->end = slice->begin + pane;
  slice->weights = WeightColumn(events.size(), weights);
  slice->types = TypeColumn(events.size(), types);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TailEvent& event = events[i].event;
    slice->sources.push_back(event.source);
    slice->targets.push_back(event.target);
    slice->weights.Set(i, event.weight);
    slice->types.Set(i, event.type);
    if (removes) slice->operations.push_back(event.operation);
  }
  return std::make_shared<const ArchivedSlice>(std::move(slice), parts.duplicates, parts.identity);
}

}  // namespace sash
