// Radix sort by unsigned keys: stable, and linear for short keys such as vertices and edges.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/large_array.h"

namespace sash {

// The digits of keys: ranges of the bits in which keys differ, the least significant first. Bits
// that all keys share cost nothing: ids below 2^22 have two digits, and pairs of them four.
template <typename Number>
class RadixDigits {
 public:
  static_assert(std::is_unsigned_v<Number>);
  // Bits of a digit. The counters and the cache lines being written fit in a second-level cache.
  static constexpr unsigned kBits = 11;
  static constexpr std::size_t kValues = std::size_t{1} << kBits;
  static constexpr unsigned kMost = (8 * sizeof(Number) + kBits - 1) / kBits;

  explicit RadixDigits(Number varying) {
    while (varying != 0) {
      const auto shift = static_cast<unsigned>(std::countr_zero(varying));
      shifts_[count_++] = shift;
      varying &= ~(static_cast<Number>(kValues - 1) << shift);
    }
  }

  std::span<const unsigned> shifts() const { return std::span(shifts_).first(count_); }
  static std::size_t Value(Number key, unsigned shift) { return (key >> shift) & (kValues - 1); }

 private:
  std::array<unsigned, kMost> shifts_{};
  unsigned count_ = 0;
};

// Sorts fewer than 2^32 elements by key(element), an unsigned integer, least significant digit
// first. Returns the place of the sorted elements: `elements`, or `scratch`, which is allocated if
// there are many elements.
template <typename T, typename Key>
T* RadixSort(T* elements, std::size_t size, LargeArray<T>& scratch, const Key& key) {
  using Number = std::remove_cvref_t<std::invoke_result_t<const Key&, const T&>>;
  using Digits = RadixDigits<Number>;
  constexpr std::size_t kSmall = 512;  // below, clearing the counters costs more than comparing
  SASH_CHECK(size <= std::numeric_limits<std::uint32_t>::max());
  if (size < kSmall) {
    std::stable_sort(elements, elements + size,
                     [&](const T& a, const T& b) { return key(a) < key(b); });
    return elements;
  }
  Number varying = 0;
  for (std::size_t i = 0; i < size; ++i) varying |= key(elements[i]) ^ key(elements[0]);
  const Digits digits(varying);
  if (digits.shifts().empty()) return elements;
  std::array<std::array<std::uint32_t, Digits::kValues>, Digits::kMost> counts;
  for (std::size_t d = 0; d < digits.shifts().size(); ++d) counts[d].fill(0);
  for (std::size_t i = 0; i < size; ++i) {
    const Number k = key(elements[i]);
    for (std::size_t d = 0; d < digits.shifts().size(); ++d) {
      ++counts[d][Digits::Value(k, digits.shifts()[d])];
    }
  }
  scratch = LargeArray<T>(size);
  T* other = scratch.data();
  for (std::size_t d = 0; d < digits.shifts().size(); ++d) {
    std::array<std::uint32_t, Digits::kValues>& places = counts[d];
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) place += std::exchange(count, place);
    const unsigned shift = digits.shifts()[d];
    for (std::size_t i = 0; i < size; ++i) {
      other[places[Digits::Value(key(elements[i]), shift)]++] = elements[i];
    }
    std::swap(elements, other);
  }
  return elements;
}

template <typename T, typename Key>
void RadixSort(LargeArray<T>& elements, const Key& key) {
  LargeArray<T> scratch;
  const T* const sorted = RadixSort(elements.data(), elements.size(), scratch, key);
  if (sorted != elements.data()) std::swap(elements, scratch);
}

template <typename T, typename Key>
void RadixSort(std::vector<T>& elements, const Key& key) {
  LargeArray<T> scratch;
  const T* const sorted = RadixSort(elements.data(), elements.size(), scratch, key);
  if (sorted != elements.data()) std::copy_n(sorted, elements.size(), elements.data());
}

}  // namespace sash
