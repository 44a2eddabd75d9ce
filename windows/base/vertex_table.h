// VertexTable: a number for each of some vertices. Open addressing; at most half of it is full.
//
// Thread safety: like a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"

namespace sash {

class VertexTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  // kNone for a vertex without a number; the caller then sets it.
  std::uint32_t& operator[](VertexId v) {
    if (2 * (used_ + 1) > slots_.size()) Grow();
    Slot& slot = slots_[PlaceOf(v)];
    if (slot.vertex != v) ++used_;
    slot.vertex = v;
    return slot.number;
  }
  // kNone: the vertex has none.
  std::uint32_t Find(VertexId v) const { return slots_[PlaceOf(v)].number; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    VertexId vertex = kNoVertex;
    std::uint32_t number = kNone;
  };

  std::size_t PlaceOf(VertexId v) const {
    std::size_t place = (v * std::uint64_t{0x9E37'79B9'7F4A'7C15}) >> shift_;
    while (slots_[place].vertex != v && slots_[place].vertex != kNoVertex) {
      place = (place + 1) % slots_.size();
    }
    return place;
  }
  void Grow();

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  int shift_ = 64 - 6;
  std::size_t used_ = 0;
};

}  // namespace sash
