// RewindReach: the positions of released slices that rewind points still need, because an id in
// them may make an edge of a later slice a duplicate.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) it has every released slice that ends later than `within` before the slices that
// are still needed.
#pragma once

#include <deque>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/slide/account_totals.h"
#include "windows/slide/retained_slice.h"
#include "windows/slide/sliding_fold.h"

namespace sash {

class RewindReach {
 public:
  // 0: it keeps nothing.
  void ReachBack(Position within) { within_ = within; }

  // `slice`, newer than all before, is not retained any more.
  void Add(const RetainedSlice& slice);
  // The oldest slice that is retained, or that may still close, begins at `begin`.
  void NeededFrom(Position begin);

  RewindTotal Sum() const { return fold_.Sum(); }
  std::vector<SliceRewind> State() const { return {slices_.begin(), slices_.end()}; }
  void Restore(const std::vector<SliceRewind>& slices);

 private:
  Position within_ = 0;
  std::deque<SliceRewind> slices_;  // oldest first
  SlidingFold<SliceRewind, RewindTotal> fold_;
};

}  // namespace sash
