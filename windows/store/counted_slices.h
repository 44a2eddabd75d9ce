// What a view knows of the slices in one direction: the newest that the window shows, and those
// that it has aged out last; and which of them lie between two views of a window.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/ingest/coded_counts.h"
#include "windows/store/coded_sums.h"
#include "windows/store/lists/edge_block.h"

namespace sash {

// The edges of a slice in one direction, by the vertex in whose list they are.
struct CountedSlice {
  SliceNumber number = 0;
  std::shared_ptr<const CodedCounts> edges{};
  std::shared_ptr<const CodedSums> sums{};  // of their weights; null: all weights are 1
};

// The bytes that its tables hold.
inline std::size_t BytesOf(const CountedSlice& slice) {
  const std::size_t counts = kSharedBytes<CodedCounts> + AllocatedBytes(slice.edges->bytes());
  return slice.sums == nullptr
             ? counts
             : counts + kSharedBytes<CodedSums> + AllocatedBytes(slice.sums->bytes());
}

inline constexpr std::size_t kMostKnownSlices = 4;  // of each kind

// Consecutive slices, oldest first: the newest that a window shows, and those that it has aged out
// last.
struct RecentSlices {
  std::vector<CountedSlice> entered{};
  std::vector<CountedSlice> left{};
};

// Without the tables, which the records of the slices count too.
inline std::size_t BytesOf(const RecentSlices& known) {
  return AllocatedBytes(known.entered) + AllocatedBytes(known.left);
}

// The slices that a window shows, and those that its view knows.
struct CountedSlices {
  SliceNumber oldest = 0;
  SliceNumber newest = 0;
  std::span<const CountedSlice> entered{};  // the last of them is `newest`
  std::span<const CountedSlice> left{};     // the last of them came before `oldest`
};

// The slices by which a view differs from an earlier view of the same window.
struct SlicesBetween {
  std::span<const CountedSlice> came;
  std::span<const CountedSlice> left;
};

// The slices [first, end) if all of them are known.
inline std::optional<std::span<const CountedSlice>> FindSlices(std::span<const CountedSlice> known,
                                                               SliceNumber first, SliceNumber end) {
  if (first >= end) return std::span<const CountedSlice>();
  if (known.empty() || known.front().number > first || known.back().number + 1 < end) {
    return std::nullopt;
  }
  return known.subspan(first - known.front().number, end - first);
}

// Returns nothing if `after` does not know all of them. What entered and has left since is in
// neither view.
inline std::optional<SlicesBetween> FindSlicesBetween(const CountedSlices& before,
                                                      const CountedSlices& after) {
  const SliceNumber first_entered = std::max(before.newest + 1, after.oldest);
  const SliceNumber end_of_left = std::min(after.oldest, before.newest + 1);
  const auto came = FindSlices(after.entered, first_entered, after.newest + 1);
  const auto left = FindSlices(after.left, before.oldest, end_of_left);
  if (!came || !left) return std::nullopt;
  return SlicesBetween{*came, *left};
}

}  // namespace sash
