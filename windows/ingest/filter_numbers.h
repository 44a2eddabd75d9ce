// FilterNumbers: translates the bits of an event (FilterBits) when filters get other numbers.
//
// Thread safety: plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "windows/ingest/edge_event.h"
#include "windows/ingest/type_filters.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// Translates the numbers that filters had in another run of the engine, or in another FilterSet, to
// those that they have now.
class FilterNumbers {
 public:
  FilterNumbers(const FilterTexts& from, const FilterTexts& to)
      : are_same_(from == to),
        unused_(to.size() == kMostFilters ? 0 : kPassesAll << to.size()),
        places_(to.size()) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto known = std::ranges::find(from, to[i]);
      if (known != from.end()) {
        places_[i] = static_cast<std::size_t>(known - from.begin());
      } else {
        new_ |= FilterBits{1} << i;
      }
    }
    by_type_ = TypeFilters(to, new_);
  }

  bool are_same() const { return are_same_; }
  // The filters that had no number before, and that do not judge by types alone.
  FilterBits unknown() const { return new_ & ~by_type_.bits(); }

  // Events pass no filter that is new now.
  FilterBits Translate(FilterBits bits) const {
    FilterBits translated = unused_;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i]) translated |= (bits >> *places_[i] & 1) << i;
    }
    return translated;
  }
  // The same, but bits that belong to no filter are not set.
  FilterBits OfSome(FilterBits bits) const { return Translate(bits) & ~unused_; }
  // `type`: empty if the event has none. Filters that are new now judge by it, if they can. An add
  // passes none of the others. A removal passes them: there is nothing that it could remove.
  FilterBits OfEvent(FilterBits bits, Operation operation, std::string_view type) const {
    const FilterBits translated =
        operation == Operation::kAdd ? Translate(bits) : Translate(bits) | unknown();
    return translated | by_type_.Of(operation, type);
  }

 private:
  bool are_same_;
  FilterBits unused_;
  FilterBits new_ = 0;
  TypeFilters by_type_;                             // of the new ones
  std::vector<std::optional<std::size_t>> places_;  // by number now: the number before
};

}  // namespace sash
