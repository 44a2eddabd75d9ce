// The filters of windows (configuration: windows[].types and where). The engine numbers the
// different texts, and each edge event has a bit for each number, which says whether the event
// passes. It interprets only texts of types alone (TypeFilters).
//
// Thread safety: plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/check.h"
#include "windows/ingest/edge_event.h"

namespace sash {

// The filters that an event passes, or one filter alone. Bits that belong to no filter are set in
// events. Removals of vertices, and removals of edges without a type, pass every filter.
using FilterBits = std::uint64_t;
inline constexpr FilterBits kPassesAll = ~FilterBits{0};
// In place of a filter: all events are shown.
inline constexpr FilterBits kNoFilter = 0;

inline constexpr std::size_t kMostFilters = 64;

// The texts of all filters, by number.
using FilterTexts = std::vector<std::string>;

// The bit of a filter; kNoFilter if the text is empty. REQUIRES: the text is known.
inline FilterBits FilterOf(std::string_view text, const FilterTexts& filters) {
  if (text.empty()) return kNoFilter;
  const auto known = std::ranges::find(filters, text);
  SASH_CHECK(known != filters.end());
  return FilterBits{1} << (known - filters.begin());
}

}  // namespace sash
