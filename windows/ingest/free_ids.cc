#include "windows/ingest/free_ids.h"

#include <bit>

#include "windows/base/check.h"

namespace sash {

void FreeIds::Insert(VertexId id) {
  std::size_t place = id;
  for (std::vector<std::uint64_t>& level : levels_) {
    const std::size_t word = place / 64;
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    if (word >= level.size()) level.resize(word + 1);
    SASH_CHECK(&level != &levels_[0] || (level[word] & bit) == 0);
    level[word] |= bit;
    place = word;
  }
  ++size_;
}

VertexId FreeIds::TakeLowest() {
  SASH_CHECK(size_ > 0);
  std::size_t place = 0;
  for (unsigned level = kLevels; level-- > 0;) {
    place = place * 64 + static_cast<std::size_t>(std::countr_zero(levels_[level][place]));
  }
  const auto lowest = static_cast<VertexId>(place);
  for (std::vector<std::uint64_t>& level : levels_) {
    std::uint64_t& word = level[place / 64];
    word &= ~(std::uint64_t{1} << (place % 64));
    if (word != 0) break;
    place /= 64;
  }
  --size_;
  return lowest;
}

std::size_t FreeIds::bytes() const {
  std::size_t bytes = 0;
  for (const auto& level : levels_) bytes += level.capacity() * sizeof(std::uint64_t);
  return bytes;
}

}  // namespace sash
