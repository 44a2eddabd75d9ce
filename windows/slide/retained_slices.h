// RetainedSlices: keeps a RetainedSlice for each closed slice of a lane as long as a window holds
// it.
//
// The edges are in the stores; RetainedSlices has what results, rewind points and windows that join
// later need.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Every appended slice is released exactly once, oldest first.
//   (2) A RetainedSlice does not move in memory until it is released.
//   (3) Rewind points reach back to the oldest slice that a window publishes again. Slices before
//       it are kept for history alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "windows/ingest/coded_counts.h"
#include "windows/ingest/slice.h"
#include "windows/slide/account_totals.h"
#include "windows/slide/retained_slice.h"
#include "windows/slide/rewind_reach.h"
#include "windows/slide/sliding_fold.h"

namespace sash {

class RetainedSlices {
 public:
  // Called for a slice that no window of the lane holds any more: the stores have aged it out. It
  // releases what is kept for the slice elsewhere, for example the references to its vertices.
  using OnReleased = std::function<void(const RetainedSlice&)>;

  explicit RetainedSlices(OnReleased on_released) : on_released_(std::move(on_released)) {}

  // `for_history`: only history holds the slice, and only such slices came before.
  const RetainedSlice& Append(const std::shared_ptr<const Slice>& slice, CodedCounts end_points,
                              bool for_history = false);

  // Call it before the first Append(). `stream_begun`: the stream began before the first slice.
  // `complete_from`: slices before this position may be missing.
  void BeginAs(bool stream_begun, std::optional<Position> complete_from) {
    stream_begun_ = stream_begun;
    complete_from_ = complete_from;
  }
  // The `stream_begun` with which BeginAs() and an Append() of each retained slice restore this
  // state.
  bool begun_before() const {
    return slices_.empty() ? stream_begun_ : slices_.front().stream_begun;
  }

  // Releases all but the newest `count`. Of those, history alone holds all but the newest
  // `published`.
  void KeepNewest(std::size_t count, std::size_t published);

  // Whether events of slice `i` pass a filter that has a number since the slice closed.
  void NotePassing(std::size_t i, FilterBits filter, bool passes);

  std::size_t size() const { return slices_.size(); }
  // The oldest slice that is not held for history alone; null if there is none.
  const RetainedSlice* oldest_published() const {
    return rewind_.size() == 0 ? nullptr : &rewind_.oldest();
  }
  std::size_t bytes() const { return bytes_; }
  const RetainedSlice& operator[](std::size_t i) const { return slices_[i]; }  // 0: the oldest

  // Before this position there may have been slices that are not retained.
  std::optional<Position> complete_from() const { return complete_from_; }
  // The lane lacks events before `position`.
  void MissedUntil(Position position);

  // The positions from which the retained slices must be read again, and those before them that
  // end less than `within` before them.
  void ReachBack(Position within) { reach_.ReachBack(within); }
  RewindTotal Rewind() const {
    RewindTotal total = rewind_.Sum();
    total.Take(reach_.Sum());
    return total;
  }
  // The slices before the retained ones.
  std::vector<SliceRewind> Reach() const { return reach_.State(); }
  void RestoreReach(const std::vector<SliceRewind>& slices) { reach_.Restore(slices); }
  std::uint64_t takes() const { return rewind_.takes(); }

 private:
  const OnReleased on_released_;
  std::deque<RetainedSlice> slices_;  // oldest first
  SlidingFold<RetainedSlice, RewindTotal> rewind_;
  RewindReach reach_;
  std::size_t bytes_ = 0;  // of all slices
  std::optional<Position> complete_from_;
  bool stream_begun_ = false;
};

}  // namespace sash
