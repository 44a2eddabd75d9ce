#include "windows/slide/retained_slices.h"

#include <algorithm>

#include "windows/ingest/passing_part.h"

namespace sash {

const RetainedSlice& RetainedSlices::Append(const std::shared_ptr<const Slice>& slice,
                                            CodedCounts end_points) {
  stream_begun_ = stream_begun_ || slice->account.has_on_time;
  slices_.push_back({.begin = slice->begin,
                     .end = slice->end,
                     .events = slice->size(),
                     .passed = PassedByAny(*slice),
                     .stream_begun = stream_begun_,
                     .account = slice->account,
                     .end_points = std::move(end_points),
                     .slice = slice});
  rewind_.PushNewest(slices_.back());
  if (slices_.size() == 1) reach_.NeededFrom(slice->begin);
  bytes_ += slices_.back().bytes();
  return slices_.back();
}

void RetainedSlices::KeepNewest(std::size_t count) {
  while (slices_.size() > count) {
    rewind_.PopOldest();
    MissedUntil(slices_.front().end);
    on_released_(slices_.front());
    reach_.Add(slices_.front());
    reach_.NeededFrom(slices_.size() > 1 ? slices_[1].begin : slices_.front().end);
    bytes_ -= slices_.front().bytes();
    slices_.pop_front();
  }
}

void RetainedSlices::MissedUntil(Position position) {
  complete_from_ = std::max(complete_from_.value_or(position), position);
}

}  // namespace sash
