#include "windows/ingest/newest_events.h"

#include <utility>

namespace sash {

std::uint32_t NewestEvents::Put(VertexId v, std::uint32_t event) {
  if (2 * (used_ + 1) > slots_.size()) Grow();
  Slot& slot = slots_[PlaceOf(v)];
  if (slot.vertex != v) ++used_;
  slot.vertex = v;
  return std::exchange(slot.event, event);
}

void NewestEvents::Grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.vertex != kNoVertex) slots_[PlaceOf(slot.vertex)] = slot;
  }
}

}  // namespace sash
