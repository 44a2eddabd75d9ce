#include "windows/ingest/id_table.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {

void IdTable::Insert(std::uint32_t hash, VertexId id) {
  if ((size_ + 1) * 10 > slots_.size() * 7) Resize(slots_.size() * 2);
  Place({hash, id});
  ++size_;
}

void IdTable::Erase(std::uint32_t hash, VertexId id) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t hole = hash & mask;
  while (slots_[hole].id != id) {
    SASH_CHECK(slots_[hole].id != kNoVertex);
    hole = (hole + 1) & mask;
  }
  for (std::size_t slot = (hole + 1) & mask; slots_[slot].id != kNoVertex;
       slot = (slot + 1) & mask) {
    // The id may move up to the hole, but not before the slot that its hash names.
    const std::size_t strayed = (slot - slots_[slot].hash) & mask;
    if (strayed < ((slot - hole) & mask)) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole] = Slot();
  --size_;
  // Half as many slots are 35 % full: far from both bounds.
  if (slots_.size() > kFirstSlots && size_ * 40 < slots_.size() * 7) Resize(slots_.size() / 2);
}

std::size_t IdTable::LongestSearch() const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t longest = 0;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].id == kNoVertex) continue;
    longest = std::max(longest, ((slot - slots_[slot].hash) & mask) + 1);
  }
  return longest;
}

void IdTable::Resize(std::size_t slot_count) {
  SASH_CHECK(slot_count <= std::size_t{1} << 32);  // the hash cannot name more slots
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slot_count));
  for (const Slot& slot : old) {
    if (slot.id != kNoVertex) Place(slot);
  }
}

void IdTable::Place(Slot placed) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = placed.hash & mask;
  while (slots_[slot].id != kNoVertex) slot = (slot + 1) & mask;
  slots_[slot] = placed;
}

}  // namespace sash
