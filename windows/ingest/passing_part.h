// The part of a slice that a filter of windows lets pass: a slice of the same pane and number, with
// those events alone, in their order.
//
// Thread safety: PassingPart() is a pure function; PassingParts belongs to one thread.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/ingest/type_filters.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// The slice itself if every event passes. The part has no account.
std::shared_ptr<const Slice> PassingPart(const std::shared_ptr<const Slice>& slice,
                                         FilterBits filter);

// Adds the events of `slice` that pass one of the filters to `part`, which has none yet.
void TakePassing(const Slice& slice, const NumberedTypeFilters& filters, Slice& part);

// The filters that at least one event of the slice passes.
FilterBits PassedByAny(const Slice& slice);

// The parts of one slice; each is made once. Refers to the pointer `slice`, which outlives it.
class PassingParts {
 public:
  explicit PassingParts(const std::shared_ptr<const Slice>& slice) : slice_(slice) {}

  std::shared_ptr<const Slice> Of(FilterBits filter) {
    if (filter == kNoFilter) return slice_;
    for (const auto& [known, part] : parts_) {
      if (known == filter) return part;
    }
    return parts_.emplace_back(filter, PassingPart(slice_, filter)).second;
  }

 private:
  const std::shared_ptr<const Slice>& slice_;
  std::vector<std::pair<FilterBits, std::shared_ptr<const Slice>>> parts_;
};

}  // namespace sash
