// FreeIds: a set of ids from which the lowest is taken. It has one bit for each id up to the
// greatest that was ever in the set, and levels of bits above, which say which words are not
// zero.
//
// Thread safety: like a vector.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"

namespace sash {

class FreeIds {
 public:
  // `id` is not in the set.
  void Insert(VertexId id);
  // The set is not empty.
  VertexId TakeLowest();

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const;

 private:
  static constexpr unsigned kLevels = 6;  // a factor of 64 each: 2^36 ids

  // Bit i of a level says whether word i of the level below is not zero; the bits of level 0 are
  // the ids.
  std::array<std::vector<std::uint64_t>, kLevels> levels_;
  std::size_t size_ = 0;
};

}  // namespace sash
