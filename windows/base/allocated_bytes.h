// AllocatedBytes: the bytes that an allocation really takes, for memory accounting.
//
// Allocators round sizes up to a size class. jemalloc, which sashd is linked with, has multiples of
// 16 up to 128, and from there four classes per doubling. So rounding takes up to a fifth of an
// array, and a tenth of the memory over many arrays of odd sizes.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace sash {

constexpr std::size_t AllocatedBytes(std::size_t bytes) {
  if (bytes == 0) return 0;
  if (bytes <= 8) return 8;
  const std::size_t step = std::max<std::size_t>(16, std::bit_ceil(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

// The bytes of an object made by std::make_shared, which adds two counts and a vtable pointer.
template <typename T>
constexpr std::size_t kSharedBytes = AllocatedBytes(sizeof(T) + 16);

// The bytes of a node of a std::map beside its element, about.
inline constexpr std::size_t kMapNodeBytes = 48;

template <typename T>
std::size_t AllocatedBytes(const std::vector<T>& vector) {
  return AllocatedBytes(vector.capacity() * sizeof(T));
}

}  // namespace sash
