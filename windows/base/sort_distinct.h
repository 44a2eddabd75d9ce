// SortDistinct(): values in ascending order, each once.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/radix_sort.h"

namespace sash {
namespace sort_distinct {

template <typename Value>
void Sort(std::vector<Value>& values) {
  std::ranges::sort(values);
}

inline void Sort(std::vector<VertexId>& ids) {
  constexpr std::size_t kLong = 1 << 10;
  if (ids.size() < kLong) {
    std::ranges::sort(ids);
  } else {
    RadixSort(ids, [](VertexId v) { return v; });
  }
}

}  // namespace sort_distinct

// Puts values in ascending order, each once. Linear for values that are in order, and for ids.
template <typename Value>
void SortDistinct(std::vector<Value>& values) {
  if (!std::ranges::is_sorted(values)) sort_distinct::Sort(values);
  const auto surplus = std::ranges::unique(values);
  values.erase(surplus.begin(), surplus.end());
}

}  // namespace sash
