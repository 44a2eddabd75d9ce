#include "windows/base/vertex_table.h"

namespace sash {

void VertexTable::Grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.vertex != kNoVertex) slots_[PlaceOf(slot.vertex)] = slot;
  }
}

}  // namespace sash
