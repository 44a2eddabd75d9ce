#include "windows/slide/sliding_window.h"

#include <limits>

#include "windows/base/check.h"
#include "windows/slide/axis_position.h"

namespace sash {

void SlidingWindow::BeginWith(Position end) {
  if (next_end_) next_end_ = end;
  published_until_ = end - spec_.slide;
}

SlidingWindow::State SlidingWindow::state() const {
  return {.slices = account_.size(),
          .next_end = next_end_,
          .published_until = published_until_,
          .first_slice = first_slice_,
          .complete_from = complete_from_,
          .in_silence = in_silence(),
          .snapshots = snapshots_};
}

void SlidingWindow::Restore(const State& state) {
  SASH_CHECK(account_.size() == state.slices);
  next_end_ = state.next_end;
  published_until_ = state.published_until;
  first_slice_ = state.first_slice;
  complete_from_ = state.complete_from;
  in_silence_ = state.in_silence;
  snapshots_ = state.snapshots;
  restored_until_ = state.published_until.value_or(std::numeric_limits<Position>::min());
  if (state.published_into_silence) {
    silence_ = {*restored_until_, *state.published_into_silence};
  }
}

void SlidingWindow::Note(const RetainedSlice& slice) {
  account_.PushNewest(slice);
  if (!slice.stream_begun) return;
  if (!first_slice_) first_slice_ = slice.begin;
  if (slice.events > 0 && !next_end_) next_end_ = EndAfter(slice.begin, spec_.slide);
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
  // A window of which nothing is visible stays empty until the next slice (Note) wakes it.
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
  const bool empty = published.edges == 0;
  if (silence_ && end > silence_->behind) {
    in_silence_ = std::exchange(silence_, std::nullopt)->is_there;
  }
  const bool suppressed = empty && (in_silence_ || spec_.empty_windows == EmptyWindows::kSkip);
  ScheduleNext(end, empty);
  if (suppressed) return std::nullopt;
  if (published_until_ && end <= *published_until_) {
    if (restored_until_ && end > *restored_until_) ++snapshots_;
    return std::nullopt;
  }
  published_until_ = end;
  return Moved{
      std::move(published), SnapshotId{++snapshots_}, begin, end, empty, LacksSlices(begin),
      account_.Sum()};
}

}  // namespace sash
