#include "windows/store/lists/edge_block.h"

#include <algorithm>

namespace sash {

void EdgeBlock::CopyWeights(const EdgeBlock& from, std::uint32_t first, std::uint32_t count,
                            std::uint32_t to) {
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

void EdgeBlock::CopyTypes(const EdgeBlock& from, std::uint32_t first, std::uint32_t count,
                          std::uint32_t to) {
  for (std::uint32_t i = 0; i < count; ++i) {
    WriteType(types(), layout_.types, to + i, from.type(first + i));
  }
}

}  // namespace sash
