#include "windows/slide/retained_slices.h"

#include <algorithm>

#include "windows/ingest/passing_part.h"

namespace sash {

const RetainedSlice& RetainedSlices::Append(const std::shared_ptr<const Slice>& slice,
                                            CodedCounts end_points, bool for_history) {
  stream_begun_ = stream_begun_ || slice->account.has_on_time;
  slices_.push_back({.begin = slice->begin,
                     .end = slice->end,
                     .events = slice->size(),
                     .passed = PassedByAny(*slice),
                     .stream_begun = stream_begun_,
                     .account = slice->account,
                     .end_points = std::move(end_points),
                     .slice = slice});
  if (!for_history) {
    rewind_.PushNewest(slices_.back());
    if (rewind_.size() == 1) reach_.NeededFrom(slice->begin);
  }
  bytes_ += slices_.back().bytes();
  return slices_.back();
}

void RetainedSlices::NotePassing(std::size_t i, FilterBits filter, bool passes) {
  const auto note = [&](FilterBits& bits) { bits = passes ? bits | filter : bits & ~filter; };
  note(slices_[i].passed);
  note(slices_[i].account.on_time_passes);
}

void RetainedSlices::KeepNewest(std::size_t count, std::size_t published) {
  while (rewind_.size() > std::min(count, published)) {
    const RetainedSlice& oldest = rewind_.oldest();
    reach_.Add(oldest);
    rewind_.PopOldest();
    reach_.NeededFrom(rewind_.size() > 0 ? rewind_.oldest().begin : oldest.end);
  }
  while (slices_.size() > count) {
    MissedUntil(slices_.front().end);
    on_released_(slices_.front());
    bytes_ -= slices_.front().bytes();
    slices_.pop_front();
  }
}

void RetainedSlices::MissedUntil(Position position) {
  complete_from_ = std::max(complete_from_.value_or(position), position);
}

}  // namespace sash
