// NewestEvents: the newest event of each vertex that has one. Open addressing; at most half of it
// is full.
//
// Thread safety: like a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"

namespace sash {

class NewestEvents {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  // Sets the newest event of v; returns the one before it.
  std::uint32_t Put(VertexId v, std::uint32_t event);
  std::uint32_t Find(VertexId v) const { return slots_[PlaceOf(v)].event; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    VertexId vertex = kNoVertex;
    std::uint32_t event = kNone;
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
