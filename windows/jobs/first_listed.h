// The beginning of a list in order, without sorting the rest.
//
// Thread safety: a pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sash {

// The first `count` of `candidates` by `before`, in order.
template <typename T, typename Before>
void KeepFirst(std::vector<T>& candidates, std::size_t count, const Before& before) {
  count = std::min(count, candidates.size());
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(candidates, middle, before);
  candidates.resize(count);
}

}  // namespace sash
