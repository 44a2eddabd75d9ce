// IdTable: a hash table of ids with open addressing, by the hashes of their keys. It does not store
// the keys.
//
// Thread safety: like a vector.
//
// Invariants
//   (1) A slot holds the hash of its id's key, so moving and erasing do not read keys.
//   (2) No empty slot is between the slot that an id's hash names and the id's own slot: erasing
//       moves later ids up and leaves no tombstone.
//   (3) At most 70 % of the slots are taken; at least 17 %, unless there are only kFirstSlots.
//   (4) If keys are not chosen to collide (KeyedHash), a search reads at most 6 slots on average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"

namespace sash {

class IdTable {
 public:
  IdTable() : slots_(kFirstSlots) {}

  // The id that has `hash` and that is_it(id) accepts, or kNoVertex.
  template <typename IsIt>
  VertexId Find(std::uint32_t hash, const IsIt& is_it) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot].id != kNoVertex && (slots_[slot].hash != hash || !is_it(slots_[slot].id))) {
      slot = (slot + 1) & mask;
    }
    return slots_[slot].id;
  }

  // `id` is not in the table.
  void Insert(std::uint32_t hash, VertexId id);
  // `id` is in the table, with `hash`.
  void Erase(std::uint32_t hash, VertexId id);

  // Before a Find() of the same hash.
  void Prefetch(std::uint32_t hash) const {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  // The first id that a Find() would compare, or kNoVertex.
  VertexId First(std::uint32_t hash) const { return slots_[hash & (slots_.size() - 1)].id; }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }
  std::size_t LongestSearch() const;  // the most slots that finding one of the ids reads; O(slots)

 private:
  static constexpr std::size_t kFirstSlots = 1024;
  struct Slot {
    std::uint32_t hash = 0;
    VertexId id = kNoVertex;
  };

  void Resize(std::size_t slot_count);
  void Place(Slot placed);

  std::vector<Slot> slots_;  // their number is a power of two
  std::size_t size_ = 0;
};

}  // namespace sash
