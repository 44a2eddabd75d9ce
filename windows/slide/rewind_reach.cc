#include "windows/slide/rewind_reach.h"

#include <limits>

namespace sash {

void RewindReach::Add(const RetainedSlice& slice) {
  if (within_ == 0) return;
  SliceRewind& added = slices_.emplace_back();
  added.end = slice.end;
  for (const auto& [partition, share] : slice.account.shares) {
    added.positions.push_back({partition, share.rewind_offset, share.newest_before});
  }
  fold_.PushNewest(added);
}

void RewindReach::NeededFrom(Position begin) {
  if (begin < std::numeric_limits<Position>::min() + within_) return;
  while (!slices_.empty() && slices_.front().end <= begin - within_) {
    fold_.PopOldest();
    slices_.pop_front();
  }
}

void RewindReach::Restore(const std::vector<SliceRewind>& slices) {
  if (within_ == 0) return;
  for (const SliceRewind& slice : slices) fold_.PushNewest(slices_.emplace_back(slice));
}

}  // namespace sash
