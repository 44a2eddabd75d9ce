// The filters of windows (configuration: windows[].types and where). The engine does not interpret
// their texts: it numbers the different ones, and each edge event has a bit for each number, which
// says whether the event passes.
//
// Thread safety: plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// From the numbers that filters had in another run of the engine, or in another FilterSet, to those
// that they have now.
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
  }

  bool are_same() const { return are_same_; }
  // The filters that had no number before.
  FilterBits unknown() const { return new_; }

  // Whether an event passes a filter that is new now is not known: it does not.
  FilterBits Translate(FilterBits bits) const {
    FilterBits translated = unused_;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i]) translated |= (bits >> *places_[i] & 1) << i;
    }
    return translated;
  }
  // The same, for bits of some filters: those of no filter are not set.
  FilterBits OfSome(FilterBits bits) const { return Translate(bits) & ~unused_; }
  // A removal passes the filters that are new: it has nothing to remove there.
  FilterBits OfEvent(FilterBits bits, Operation operation) const {
    return operation == Operation::kAdd ? Translate(bits) : Translate(bits) | new_;
  }

 private:
  bool are_same_;
  FilterBits unused_;
  FilterBits new_ = 0;
  std::vector<std::optional<std::size_t>> places_;  // by number now: the number before
};

}  // namespace sash
