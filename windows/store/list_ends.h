// ListEnds: the lists of one direction that differ between two views of a window, and by how many
// edges. The figures come from the records of the slices that entered and aged out in between. This
// is possible where edges leave a list only at its front; no list has to be compared or read.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/store/counted_slices.h"

namespace sash {

class ListEnds {
 public:
  // A list that lost its first `left` edges, and whose last `came` edges are new.
  struct Ends {
    VertexId vertex = 0;
    std::uint32_t left = 0;
    std::uint32_t came = 0;
  };

  // `after`: of the same window, later. Returns nothing if it does not know all slices between.
  static std::optional<ListEnds> Between(const CountedSlices& before, const CountedSlices& after) {
    const auto slices = FindSlicesBetween(before, after);
    if (!slices) return std::nullopt;
    const Counts came = CountsIn(slices->came);
    const Counts left = CountsIn(slices->left);
    ListEnds ends;
    ends.lists_.reserve(came.size() + left.size());
    auto next = left.begin();
    for (const auto& [v, count] : came) {
      for (; next != left.end() && next->first < v; ++next) ends.Add(next->first, next->second, 0);
      const bool both = next != left.end() && next->first == v;
      ends.Add(v, both ? (next++)->second : 0, count);
    }
    for (; next != left.end(); ++next) ends.Add(next->first, next->second, 0);
    return ends;
  }

  // The lists of [first, last), ascending.
  std::span<const Ends> Of(VertexId first, VertexId last) const {
    const auto begin = std::ranges::lower_bound(lists_, first, {}, &Ends::vertex);
    const auto end = std::ranges::lower_bound(begin, lists_.end(), last, {}, &Ends::vertex);
    return {begin, end};
  }

 private:
  using Counts = std::vector<std::pair<VertexId, std::uint32_t>>;

  // The edges of these slices by vertex, ascending.
  static Counts CountsIn(std::span<const CountedSlice> slices) {
    Counts counts;
    for (const CountedSlice& slice : slices) {
      Counts more;
      slice.edges->ForEach([&](VertexId v, std::uint32_t edges) { more.emplace_back(v, edges); });
      counts = counts.empty() ? std::move(more) : Sum(counts, more);
    }
    return counts;
  }

  static Counts Sum(const Counts& a, const Counts& b) {
    Counts merged;
    merged.reserve(a.size() + b.size());
    std::ranges::merge(a, b, std::back_inserter(merged), {}, &Counts::value_type::first,
                       &Counts::value_type::first);
    auto sum = merged.begin();
    for (auto next = merged.begin(); next != merged.end(); ++next) {
      if (next == merged.begin()) continue;
      if (next->first == sum->first) {
        sum->second += next->second;
      } else {
        *++sum = *next;
      }
    }
    if (!merged.empty()) merged.erase(std::next(sum), merged.end());
    return merged;
  }

  void Add(VertexId v, std::uint32_t left, std::uint32_t came) {
    lists_.push_back({v, left, came});
  }

  std::vector<Ends> lists_;  // ascending
};

}  // namespace sash
