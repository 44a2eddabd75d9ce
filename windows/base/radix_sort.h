// Radix sort by unsigned keys: stable, linear for the short keys that vertices and edges are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace sash {

// Sorts by key(element), an unsigned integer. Least significant byte first; bytes that all keys
// share are skipped, so ids below 2^20 cost three passes, and six a pair.
template <typename T, typename Key>
void RadixSort(std::vector<T>& elements, const Key& key) {
  using Number = std::remove_cvref_t<std::invoke_result_t<const Key&, const T&>>;
  static_assert(std::is_unsigned_v<Number>);
  constexpr unsigned kBytes = sizeof(Number);
  constexpr std::size_t kSmall = 256;  // below it, clearing the counters costs more than comparing
  if (elements.size() < kSmall) {
    std::ranges::stable_sort(elements, {}, key);
    return;
  }
  std::array<std::array<std::size_t, 256>, kBytes> counts{};
  for (const T& element : elements) {
    const Number k = key(element);
    for (unsigned byte = 0; byte < kBytes; ++byte) ++counts[byte][(k >> (8 * byte)) & 0xFF];
  }
  std::vector<T> scratch(elements.size());
  for (unsigned byte = 0; byte < kBytes; ++byte) {
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
