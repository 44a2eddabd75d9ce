#include "windows/ingest/open_ids.h"

#include <algorithm>
#include <optional>

namespace sash {

// The events with this id. Times and order are those of effect.
std::vector<OpenIds::Copy> OpenIds::CopiesOf(EdgeId id) const {
  std::vector<Copy> copies;
  for (std::uint32_t slice = 0; slice < tails_.size(); ++slice) {
    const OpenTail& open = tails_[slice];
    const EventTime begin{Duration(open.begin)};
    open.tail->ForEachOfId(id, open.count, [&](const TailEvent& event, const TailId& of) {
      copies.push_back({PlaceInEffect(slice, event, of.event, *ranks_),
                        {.id = id,
                         .time = std::max(event.time, begin),
                         .offset = of.offset,
                         .partition = event.partition}});
    });
  }
  std::ranges::sort(copies, {}, &Copy::place);
  return copies;
}

std::vector<OpenIds::Place> OpenIds::DuplicatesOf(EdgeId id, std::vector<Copy> copies) const {
  std::vector<Place> duplicates;
  std::optional<IdentifiedEdge> newest = closed_->Newest(id, closed_slices_);
  for (const Copy& copy : copies) {
    if (newest && MakesDuplicate(*newest, copy.edge, within_)) {
      duplicates.emplace_back(copy.place.slice, copy.place.number);
    } else {
      newest = copy.edge;
    }
  }
  std::ranges::sort(duplicates);
  return duplicates;
}

bool OpenIds::Counts(std::size_t slice, std::uint32_t number) const {
  const std::optional<EdgeId> id = tails_[slice].tail->IdOf(number);
  if (!id) return true;
  const Place place{static_cast<std::uint32_t>(slice), number};
  {
    const MutexLock lock(mutex_);
    const auto known = judged_.find(*id);
    if (known != judged_.end()) return !std::ranges::binary_search(known->second, place);
  }
  std::vector<Copy> copies = CopiesOf(*id);
  const bool is_one = copies.size() == 1;
  std::vector<Place> duplicates = DuplicatesOf(*id, std::move(copies));
  const bool counts = !std::ranges::binary_search(duplicates, place);
  if (is_one) return counts;
  const MutexLock lock(mutex_);
  judged_.try_emplace(*id, std::move(duplicates));
  return counts;
}

}  // namespace sash
