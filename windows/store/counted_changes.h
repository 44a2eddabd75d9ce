// CountedChanges: by how much the lists of one direction differ between two views of a window. The
// figures come from the records of the slices that entered and aged out in between; no list is
// read. This is possible where edges leave a list only when they age out, and then at its front.
//
// Thread safety: immutable, like the views, which outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "windows/base/ids.h"
#include "windows/store/counted_slices.h"

namespace sash {

class CountedChanges {
 public:
  // `after`: of the same window, later. Returns nothing if it does not know all slices between.
  static std::optional<CountedChanges> Between(const CountedSlices& before,
                                               const CountedSlices& after) {
    const auto slices = FindSlicesBetween(before, after);
    return slices ? std::optional(CountedChanges(*slices)) : std::nullopt;
  }

  // Each calls visit(v, edges) for each vertex of each of these slices: the number of edges that
  // its list got at its end, or lost at its front.
  template <typename Visit>
  void ForEachArrival(const Visit& visit) const {
    ForEachCount(slices_.came, visit);
  }
  template <typename Visit>
  void ForEachDeparture(const Visit& visit) const {
    ForEachCount(slices_.left, visit);
  }

  // visit(v, sum, comes) for the same vertices: the sum of the weights of these edges; nothing if a
  // weight is not an integer, or if the sum does not fit in 64 bits.
  template <typename Visit>
  void ForEachSum(const Visit& visit) const {
    for (const CountedSlice& slice : slices_.came) ForEachSumOf(slice, true, visit);
    for (const CountedSlice& slice : slices_.left) ForEachSumOf(slice, false, visit);
  }

 private:
  explicit CountedChanges(const SlicesBetween& slices) : slices_(slices) {}

  template <typename Visit>
  static void ForEachCount(std::span<const CountedSlice> slices, const Visit& visit) {
    for (const CountedSlice& slice : slices) slice.edges->ForEach(visit);
  }
  template <typename Visit>
  static void ForEachSumOf(const CountedSlice& slice, bool comes, const Visit& visit) {
    if (slice.sums == nullptr) {
      slice.edges->ForEach([&](VertexId v, std::uint32_t edges) {
        visit(v, std::optional<std::int64_t>(edges), comes);
      });
      return;
    }
    CodedSums::Reader sums(*slice.sums);
    slice.edges->ForEach([&](VertexId v, std::uint32_t) { visit(v, sums.Next(), comes); });
  }

  SlicesBetween slices_;
};

}  // namespace sash
