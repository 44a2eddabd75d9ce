#include "windows/slide/sliding_window.h"

#include <algorithm>
#include <limits>

#include "windows/base/check.h"
#include "windows/store/window_view.h"

namespace sash {

void SlidingWindow::BeginWith(Position end) {
  if (next_end_) next_end_ = end;
  published_until_ = end - spec_.slide;
  only_joined_ = true;
  begun_ = begun_ || filter_ != kNoFilter;
}

void SlidingWindow::Succeed(const SlidingWindow& before) {
  // The last window was not empty, so this window has a next end even if it has no slices.
  if (before.next_end_ && !next_end_) next_end_ = published_until_.value() + spec_.slide;
  published_until_ = std::max(published_until_, before.published_until_);
  in_silence_ = before.in_silence_;
  snapshots_ = before.snapshots_;
  restored_until_ = before.restored_until_;
  silence_ = before.silence_;
  recalls_last_ = false;
}

SlidingWindow::State SlidingWindow::state() const {
  return {.slices = account_.size(),
          .next_end = next_end_,
          .published_until = published_until_,
          .first_slice = first_slice_,
          .complete_from = complete_from_,
          .in_silence = in_silence(),
          .only_joined = only_joined_,
          .snapshots = snapshots_,
          .newest = {},
          .begun = begun_};
}

void SlidingWindow::Restore(const State& state) {
  SASH_CHECK(account_.size() == state.slices);
  next_end_ = state.next_end;
  published_until_ = state.published_until;
  first_slice_ = state.first_slice;
  complete_from_ = state.complete_from;
  in_silence_ = state.in_silence;
  only_joined_ = state.only_joined;
  snapshots_ = state.snapshots;
  begun_ = state.begun;
  restored_until_ = state.published_until.value_or(std::numeric_limits<Position>::min());
  if (published_until_ && state.newest) {
    PublishedUntil(*published_until_, *state.newest);
    rebuilds_ = !state.newest->in_silence;
  }
}

void SlidingWindow::Note(const RetainedSlice& slice) {
  account_.PushNewest(slice);
  begun_ = begun_ || (filter_ == kNoFilter ? slice.stream_begun
                                           : (slice.account.on_time_passes & filter_) != 0);
  if (!begun_) return;
  if (!first_slice_) first_slice_ = slice.begin;
  if (slice.HasEvents(filter_) && !next_end_) next_end_ = EndAfter(spec_, slice.begin);
}

void SlidingWindow::PassInSilence(const RetainedSlice& slice) {
  if (next_end_ || !spec_.length || spec_.leader()) return;
  if (filter_ == kNoFilter && slice.events > 0) return;
  AgeOut(EndAfter(spec_, slice.begin) - *spec_.length);
}

void SlidingWindow::AgeOut(Position start) {
  while (account_.size() > 0 && account_.oldest().begin < start) {
    account_.PopOldest();
    store_->AgeOutOldest();
  }
}

Position SlidingWindow::Begin(Position end) const {
  if (!spec_.length) return first_slice_.value_or(end);
  return end - *spec_.length;
}

bool SlidingWindow::LacksSlices(Position begin) const {
  return complete_from_ && (!spec_.length || begin < *complete_from_);
}

void SlidingWindow::ScheduleNext(Position end, bool empty) {
  // A window without visible edges stays empty until the next slice comes (Note).
  in_silence_ = empty;
  next_end_ = empty ? std::nullopt : std::optional(end + spec_.slide);
}

std::optional<SlidingWindow::Moved> SlidingWindow::Advance(VertexId id_limit,
                                                           PhaseClock<AdvancePhase>& clock) {
  SASH_CHECK(next_end_.has_value());
  const Position end = *next_end_;
  const Position begin = Begin(end);
  clock.Begin(AdvancePhase::kAgeing);
  if (spec_.length) AgeOut(begin);
  clock.Begin(AdvancePhase::kPublishing);
  PublishedView published = store_->Publish(id_limit);
  clock.Begin(AdvancePhase::kOther);
  if (published_until_ && end >= *published_until_) rebuilds_ = false;
  const bool empty = published.edges == 0;
  if (silence_ && end > silence_->behind) {
    in_silence_ = std::exchange(silence_, std::nullopt)->is_there;
  }
  const bool suppressed = empty && (in_silence_ || spec_.empty_windows == EmptyWindows::kSkip);
  ScheduleNext(end, empty);
  if (suppressed) return std::nullopt;
  if (published_until_ && end <= *published_until_) {
    if (restored_until_ && end > *restored_until_) ++snapshots_;
    if (end < *published_until_ || !std::exchange(recalls_last_, false)) return std::nullopt;
    return Recall(std::move(published), account_.Sum());
  }
  HasPublished(end);
  return Moved{
      std::move(published), SnapshotId{++snapshots_}, begin, end, empty, LacksSlices(begin), false,
      account_.Sum()};
}

std::optional<SlidingWindow::Moved> SlidingWindow::Follow(const SlidingWindow& leader,
                                                          VertexId id_limit) {
  const Position end = next_end_.value();
  const bool is_made_again = published_until_ && end <= *published_until_;
  next_end_ = is_made_again || leader.next_end_ ? std::optional(end + spec_.slide) : std::nullopt;
  if (is_made_again ? end < *published_until_ : leader.published_until_ != end) return std::nullopt;
  // It began to follow too late for this end, unless its leader lacked the slices too.
  const bool lacks_more = complete_from_ > leader.complete_from_;
  if (lacks_more && LacksSlices(Begin(end))) return std::nullopt;
  if (spec_.length) AgeOut(Begin(end));
  snapshots_ = leader.snapshots_;
  if (is_made_again) {
    if (!std::exchange(recalls_last_, false)) return std::nullopt;
    return Recall(store_->Publish(id_limit), account_.Sum());
  }
  HasPublished(end);
  silence_.reset();
  in_silence_ = leader.in_silence();
  return std::nullopt;
}

SlidingWindow::Moved SlidingWindow::Recall(PublishedView published, WindowTotal total) const {
  const Position end = published_until_.value();
  const Position begin = Begin(end);
  const bool empty = published.edges == 0;
  return {std::move(published), SnapshotId{snapshots_}, begin, end, empty, LacksSlices(begin), true,
          std::move(total)};
}

std::optional<SlidingWindow::Moved> SlidingWindow::RecallSilence() const {
  // If empty windows are skipped, the window published last was not empty. And only slices know the
  // times of a window by events.
  if (!published_until_ || !in_silence() || spec_.empty_windows == EmptyWindows::kSkip ||
      spec_.by == WindowAxis::kEvents) {
    return std::nullopt;
  }
  return Recall({.view = EmptyView()}, {});
}

}  // namespace sash
