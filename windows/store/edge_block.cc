#include "windows/store/edge_block.h"

#include <algorithm>

namespace sash {

void EdgeBlock::Copy(const EdgeBlock& from, std::uint32_t first, std::uint32_t count,
                     std::uint32_t to) {
  SASH_CHECK(to + count <= capacity_ && from.layout_.weights <= layout_.weights);
  std::copy_n(&from.neighbours_[first], count, &neighbours_[to]);
  if (lives_) {
    // The writer is the only one that changes lives: its own reads need no atomics.
    std::copy_n(&from.lives_[first], count, &lives_[to]);
  }
  if (links_) std::copy_n(&from.links_[first], count, &links_[to]);
  if (!weights_) return;
  if (!from.weights_) {
    std::fill_n(&weights_[to], count, 1);
  } else {
    std::copy_n(&from.weights_[first], count, &weights_[to]);
  }
  if (!reals_) return;
  if (!from.reals_) {
    std::fill_n(&reals_[to], count, false);
  } else {
    std::copy_n(&from.reals_[first], count, &reals_[to]);
  }
}

}  // namespace sash
