// Radix sort by unsigned keys: stable, linear for the short keys that vertices and edges are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "windows/base/large_array.h"

namespace sash {

// Sorts by key(element), an unsigned integer. Least significant byte first; bytes that all keys
// share are skipped, so ids below 2^20 cost three passes, and six a pair. Returns where the sorted
// elements are: in `elements`, or in `scratch`, which is made when there are many.
template <typename T, typename Key>
T* RadixSort(T* elements, std::size_t size, LargeArray<T>& scratch, const Key& key) {
  using Number = std::remove_cvref_t<std::invoke_result_t<const Key&, const T&>>;
  static_assert(std::is_unsigned_v<Number>);
  constexpr unsigned kBytes = sizeof(Number);
  constexpr std::size_t kSmall = 256;  // below it, clearing the counters costs more than comparing
  if (size < kSmall) {
    std::stable_sort(elements, elements + size,
                     [&](const T& a, const T& b) { return key(a) < key(b); });
    return elements;
  }
  std::array<std::array<std::size_t, 256>, kBytes> counts{};
  for (std::size_t i = 0; i < size; ++i) {
    const Number k = key(elements[i]);
    for (unsigned byte = 0; byte < kBytes; ++byte) ++counts[byte][(k >> (8 * byte)) & 0xFF];
  }
  scratch = LargeArray<T>(size);
  T* other = scratch.data();
  for (unsigned byte = 0; byte < kBytes; ++byte) {
    std::array<std::size_t, 256>& places = counts[byte];
    if (std::ranges::find(places, size) != places.end()) continue;
    std::size_t place = 0;
    for (std::size_t& count : places) {
      const std::size_t next = place + count;
      count = place;
      place = next;
    }
    for (std::size_t i = 0; i < size; ++i) {
      other[places[(key(elements[i]) >> (8 * byte)) & 0xFF]++] = elements[i];
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
