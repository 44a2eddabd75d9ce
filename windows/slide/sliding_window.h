// SlidingWindow: one window as it moves over the slices of its lane.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) It holds the slices of the window whose end it passed last, and all newer slices: always
//       the newest slices of its lane, the same in its store and in its account. For a follower,
//       the window is the last one that its leader published at an end of the follower.
//   (2) Window ends are multiples of the slide, moved by the offset. The first is the one after the
//       first on-time event that it shows; for a window that joins a running lane, the first one
//       that the lane has not passed.
//   (3) Of consecutive empty windows, only the first is published (empty_windows: once), or none.
//   (4) No advance reads every slice of the window.
//   (5) With a filter, the window shows the events that pass it, as if there were no others. But
//       its account is that of all events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "windows/base/phase_clock.h"
#include "windows/ingest/rewind_point.h"
#include "windows/ingest/slice.h"
#include "windows/jobs/advance.h"
#include "windows/slide/account_totals.h"
#include "windows/slide/retained_slice.h"
#include "windows/slide/sliding_fold.h"
#include "windows/slide/window_spec.h"
#include "windows/store/window_store.h"

namespace sash {

class SlidingWindow {
 public:
  // `store` has no slices yet, or those for which Note() is called next. `filter` is that of
  // spec.filter(); the store holds only what passes it.
  SlidingWindow(WindowSpec spec, std::unique_ptr<WindowStore> store, FilterBits filter)
      : spec_(std::move(spec)), store_(std::move(store)), filter_(filter) {}

  const WindowSpec& spec() const { return spec_; }
  void Retain(std::int64_t retain) { spec_.retain = retain; }  // WindowSpec::retain
  FilterBits filter() const { return filter_; }

  // Windows up to `end` are rebuilt without being published (RewindPoint::published).
  void PublishedUntil(Position end) {
    rebuilds_ = rebuilds_ || !published_until_ || *published_until_ < end;
    published_until_ = end;
  }
  // `newest` is the window of that end. It is recalled when it is rebuilt, unless it was never
  // published or the window is in silence after it.
  void PublishedUntil(Position end, const NewestWindow& newest) {
    PublishedUntil(end);
    rebuilds_ = rebuilds_ && !newest.in_silence;
    only_joined_ = newest.only_joined;
    silence_ = {end, newest.in_silence};
    recalls_last_ = !only_joined_ && (!newest.in_silence || KeepsEmptiness());
  }

  // For a stream that is read again: on-time events came before the place where reading begins.
  void HadBegun() { begun_ = true; }
  // It may lack events before `position`, in addition to those that it may lack already.
  void CompleteFrom(Position position) {
    complete_from_ = std::max(complete_from_, std::optional(position));
  }
  // Before this position it may lack events.
  std::optional<Position> complete_from() const { return complete_from_; }
  // For a window that joins a running lane, after Note() of its first slices: its first end is not
  // before `end`. Without a filter, it has begun only if the stream has.
  void BeginWith(Position end);

  // After BeginWith(): the window replaces `before`, a window of the same lane, and continues to
  // number its results.
  void Succeed(const SlidingWindow& before);

  // The state without the slices. Restore() is called after Note() of the slices.
  struct State {
    std::uint64_t slices = 0;  // the number of slices that it holds: the newest of the lane
    std::optional<Position> next_end;
    std::optional<Position> published_until;
    std::optional<Position> first_slice;
    std::optional<Position> complete_from;
    bool in_silence = false;
    bool only_joined = false;  // NewestWindow::only_joined
    std::uint64_t snapshots = 0;
    // For a window that has lost its slices, and rebuilds the windows up to published_until without
    // publishing them: the window of that end.
    std::optional<NewestWindow> newest{};
    bool begun = false;  // it has had an on-time event; with a filter: one that passes it
  };
  State state() const;
  void Restore(const State& state);

  // Adds a closed slice, newer than all before, which its store has taken in already. The slice
  // stays retained while the window holds it.
  void Note(const RetainedSlice& slice);

  // A slice may contain nothing that passes the filter, or only duplicates by id. After Note() of
  // such a slice, the window ages out the slices that none of its later windows can contain; a
  // follower does not, because it keeps the slices of its last window.
  void PassInSilence(const RetainedSlice& slice);

  // The end of the next window; empty while the window is in silence.
  std::optional<Position> next_end() const { return next_end_; }

  // Moves the window to next_end(): ages out slices and publishes. Empty if the result is
  // suppressed. Begins the phases in `clock`.
  struct Moved {
    PublishedView published;
    SnapshotId snapshot;
    Position begin = 0;
    Position end = 0;
    bool empty = false;
    bool lacks_slices = false;  // it joined too late to have all its events
    bool recalled = false;      // it was published before a restart
    WindowTotal total;          // of all its slices
  };
  std::optional<Moved> Advance(VertexId id_limit, PhaseClock<AdvancePhase>& clock);

  // The window published last, rebuilt: `published` is the view of its slices, `total` their total.
  Moved Recall(PublishedView published, WindowTotal total) const;
  // The window published last, if it is known without its slices: the first empty one of a silence.
  std::optional<Moved> RecallSilence() const;

  // A follower has published nothing yet, wherever the lane is when it joins.
  void BeginToFollow() { published_until_.reset(); }
  // Replaces Advance() for a follower of `leader`, which has already moved to the same end. The
  // follower keeps its slices until `leader` has published a window at another end of the follower.
  // A returned window is recalled.
  std::optional<Moved> Follow(const SlidingWindow& leader, VertexId id_limit);

  // The end of the newest published window, or the end up to which windows count as published.
  std::optional<Position> published_until() const { return published_until_; }
  bool begun() const { return begun_; }  // State::begun
  // Whether, after a restart, it has not passed that end again.
  bool rebuilds() const { return rebuilds_; }
  NewestWindow newest() const { return {snapshots_, in_silence(), only_joined_}; }

  std::size_t slice_count() const { return account_.size(); }
  MemoryUse own_memory() const { return store_->own_memory(); }

  // Temporary memory for publishing. A store of kind rebuild builds the edges, and from them a
  // graph as large as the current one; edges and graph take about the same memory.
  std::size_t advance_bytes() const {
    return spec_.implementation == StoreKind::kRebuild ? 2 * store_->own_memory().total() : 0;
  }

  // The cost of the account so far (SlidingFold::takes()).
  std::uint64_t takes() const { return account_.takes(); }

 private:
  struct Silence {
    Position behind = 0;
    bool is_there = false;
  };

  // Whether it is a follower that is recalled from its slices even if nothing is visible in them.
  bool KeepsEmptiness() const { return spec_.leader() && spec_.by == WindowAxis::kEvents; }
  bool in_silence() const { return silence_ ? silence_->is_there : in_silence_; }
  void HasPublished(Position end) {
    published_until_ = end;
    only_joined_ = false;
  }
  // A landmark window begins with the first slice of the stream, or with the first slice it has.
  Position Begin(Position end) const;
  void AgeOut(Position start);
  bool LacksSlices(Position begin) const;
  void ScheduleNext(Position end, bool empty);

  WindowSpec spec_;
  std::unique_ptr<WindowStore> store_;
  FilterBits filter_ = kNoFilter;
  SlidingFold<RetainedSlice, WindowTotal> account_;
  std::optional<Position> next_end_;
  std::optional<Position> published_until_;
  std::optional<Position> first_slice_;
  std::optional<Position> complete_from_;
  bool only_joined_ = false;   // NewestWindow::only_joined
  bool begun_ = false;         // State::begun
  bool rebuilds_ = false;      // published_until_ was passed before a restart only
  bool in_silence_ = false;    // the last window was empty
  bool recalls_last_ = false;  // recall when published_until_ is passed again
  std::uint64_t snapshots_ = 0;
  std::optional<Position> restored_until_;  // the restored snapshots_ counts windows up to this end
  std::optional<Silence> silence_;          // from before a restart, until `behind` is passed
};

}  // namespace sash
