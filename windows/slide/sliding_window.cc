#include "windows/slide/sliding_window.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// The end of the first window that holds `position`.
Position EndAfter(Position position, Position slide) { return PaneBegin(position, slide) + slide; }

// What the slices of one window say together.
void AddTo(SliceAccount& total, const SliceAccount& slice) {
  total.late += slice.late;
  total.refused += slice.refused;
  total.last_accepted = std::max(total.last_accepted, slice.last_accepted);
  total.gap = total.gap || slice.gap;
  if (slice.least_time) {
    total.least_time = std::min(total.least_time.value_or(*slice.least_time), *slice.least_time);
    total.greatest_time =
        std::max(total.greatest_time.value_or(*slice.greatest_time), *slice.greatest_time);
  }
  for (const auto& [partition, share] : slice.shares) {
    PartitionShare& sum = total.shares[partition];
    sum.least = std::min(sum.least, share.least);
    sum.greatest = std::max(sum.greatest, share.greatest);
  }
}

}  // namespace

SlidingWindow::SlidingWindow(WindowSpec spec, std::optional<Position> published_until)
    : spec_(std::move(spec)),
      slices_(MakeSliceStore({.kind = spec_.implementation, .duplicates = spec_.duplicates})),
      store_(slices_->Open(0)),
      published_until_(published_until) {}

void SlidingWindow::Add(const std::shared_ptr<const Slice>& slice) {
  slices_->Add(slice);
  held_.push_back({slice->begin, slice->account});
  started_ = started_ || slice->account.has_on_time;
  if (started_ && !first_slice_) first_slice_ = slice->begin;
  const bool wakes = started_ && slice->size() > 0;
  if (wakes && !next_end_) next_end_ = EndAfter(slice->begin, spec_.slide);
}

void SlidingWindow::AgeOut(Position start) {
  while (!held_.empty() && held_.front().begin < start) {
    held_.pop_front();
    store_->AgeOutOldest();
  }
}

Position SlidingWindow::Begin(Position end) const {
  if (!spec_.length) return first_slice_.value_or(end);
  return end - *spec_.length;
}

SliceAccount SlidingWindow::TotalAccount() const {
  SliceAccount total;
  for (const Held& held : held_) AddTo(total, held.account);
  return total;
}

void SlidingWindow::ScheduleNext(Position end, bool empty) {
  // A window of which nothing is visible stays empty until the next slice (Add) wakes it.
  in_silence_ = empty;
  next_end_ = empty ? std::nullopt : std::optional(end + spec_.slide);
}

std::optional<SlidingWindow::Moved> SlidingWindow::Advance(VertexId id_limit) {
  SASH_CHECK(next_end_.has_value());
  const Position end = *next_end_;
  if (spec_.length) AgeOut(Begin(end));
  PublishedView published = store_->Publish(id_limit);
  const bool empty = published.edges == 0;
  const bool suppressed = empty && (in_silence_ || spec_.empty_windows == EmptyWindows::kSkip);
  ScheduleNext(end, empty);
  if (suppressed || (published_until_ && end <= *published_until_)) return std::nullopt;
  published_until_ = end;
  return Moved{std::move(published), SnapshotId{++snapshots_}, Begin(end), end, empty,
               TotalAccount()};
}

}  // namespace sash
