// Radix sort by 64-bit keys: stable, linear for the short keys that edges are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sash {

// Sorts by key(element), a uint64. Least significant byte first; bytes that all keys share are
// skipped, so ids below 2^20 cost six passes a pair.
template <typename T, typename Key>
void RadixSort(std::vector<T>& elements, const Key& key) {
  constexpr std::size_t kSmall = 256;  // below it, clearing the counters costs more than comparing
  if (elements.size() < kSmall) {
    std::ranges::stable_sort(elements, {}, key);
    return;
  }
  std::array<std::array<std::size_t, 256>, 8> counts{};
  for (const T& element : elements) {
    const std::uint64_t k = key(element);
    for (unsigned byte = 0; byte < 8; ++byte) ++counts[byte][(k >> (8 * byte)) & 0xFF];
  }
  std::vector<T> scratch(elements.size());
  for (unsigned byte = 0; byte < 8; ++byte) {
    std::array<std::size_t, 256>& places = counts[byte];
    if (std::ranges::find(places, elements.size()) != places.end()) continue;
    std::size_t place = 0;
    for (std::size_t& count : places) {
      const std::size_t next = place + count;
      count = place;
      place = next;
    }
    for (const T& element : elements) {
      scratch[places[(key(element) >> (8 * byte)) & 0xFF]++] = element;
    }
    elements.swap(scratch);
  }
}

}  // namespace sash
