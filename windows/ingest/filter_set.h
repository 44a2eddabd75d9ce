// FilterSet: the filters of windows by which a source judges events, and their numbers. While the
// stream runs, a set replaces the one before it: a filter that is new gets a number that no window
// uses.
//
// A source switches between two batches, and batches of the set before may still be on their way.
// So each batch says which set its bits belong to (EventBatch::filters).
//
// Thread safety: plain values.
//
// Invariant: (1) a filter that is in a set and in the next one has the same number in both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "windows/ingest/window_filters.h"

namespace sash {

struct FilterSet {
  std::uint64_t generation = 0;  // 0: that of the first windows; then ascending
  FilterTexts texts{};           // by number
};
// Null: generation 0, and no filter is known.
using FilterSetPtr = std::shared_ptr<const FilterSet>;

inline std::uint64_t GenerationOf(const FilterSetPtr& set) {
  return set == nullptr ? 0 : set->generation;
}

// The set after `now` with the filters `wanted`, some of which may be in `now`. The filters `held`
// keep their numbers; others of `now` lose theirs only if a new filter needs it. Empty if there
// would be more than kMostFilters.
std::optional<FilterSet> NextSet(const FilterSet& now, const FilterTexts& held,
                                 const FilterTexts& wanted);

}  // namespace sash
