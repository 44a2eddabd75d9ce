// SlidingWindow: one window as it moves over the slices of its lane.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) The window holds the slices of the window whose end was last passed, plus newer ones:
//       always the newest of its lane, in its store and in its account alike. A follower: of the
//       last such window that its leader published.
//   (2) Window ends are multiples of the slide, from that of the first on-time event on; of a
//       window that joins a running lane, from the first one that the lane has not passed.
//   (3) Of consecutive empty windows, only the first is published (empty_windows: once) or none.
//   (4) No advance looks at every slice of the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "windows/base/phase_clock.h"
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
  // `store` holds no slice yet, or those of the Note()s that follow.
  SlidingWindow(WindowSpec spec, std::unique_ptr<WindowStore> store)
      : spec_(std::move(spec)), store_(std::move(store)) {}

  const WindowSpec& spec() const { return spec_; }

  // Ends up to this one are rebuilt without being published (RewindPoint::published). Whether the
  // window is in silence behind it is known, or follows from what is rebuilt. If it is not, the
  // window of that end is recalled when it is rebuilt.
  void PublishedUntil(Position end, std::optional<bool> into_silence = {}) {
    published_until_ = end;
    if (!into_silence) return;
    silence_ = {end, *into_silence};
    recalls_last_ = !*into_silence || KeepsEmptiness();
  }

  // For a window that joins a running lane: up to `position` it may lack slices.
  void CompleteFrom(Position position) { complete_from_ = position; }
  // Likewise, after the Note()s of the slices it begins with: its first end is not before `end`.
  void BeginWith(Position end);

  // Likewise, after all of that: it takes the place of `before`, a window of the same lane, whose
  // results it goes on numbering.
  void Succeed(const SlidingWindow& before);

  // What it knows beside its slices; and, after the Note()s of these, all of it again.
  struct State {
    std::uint64_t slices = 0;  // the newest ones, that it holds
    std::optional<Position> next_end;
    std::optional<Position> published_until;
    std::optional<Position> first_slice;
    std::optional<Position> complete_from;
    bool in_silence = false;
    std::uint64_t snapshots = 0;
    // Of a window that has lost its slices, and makes those up to published_until again without a
    // word: whether it is in silence then.
    std::optional<bool> published_into_silence{};
  };
  State state() const;
  void Restore(const State& state);

  // A closed slice, newer than all before, that its store has taken in. It is retained while the
  // window holds it.
  void Note(const RetainedSlice& slice);

  // The end of the next window to look at; nothing while only silence is ahead.
  std::optional<Position> next_end() const { return next_end_; }

  // The window moves to next_end(): ages out, publishes. Nothing when the result is suppressed.
  // `clock` is told of the phases.
  struct Moved {
    PublishedView published;
    SnapshotId snapshot;
    Position begin = 0;
    Position end = 0;
    bool empty = false;
    bool lacks_slices = false;  // it joined too late to have them all
    bool recalled = false;      // it was published in a life before
    WindowTotal total;          // of all its slices together
  };
  std::optional<Moved> Advance(VertexId id_limit, PhaseClock<AdvancePhase>& clock);

  // The window published last, as it was: `published` is what its slices showed, together `total`.
  Moved Recall(PublishedView published, WindowTotal total) const;
  // Likewise, when it is known without its slices: it was the first empty one of a silence.
  std::optional<Moved> RecallSilence() const;

  // A follower has published nothing, wherever the lane is when it joins.
  void BeginToFollow() { published_until_.reset(); }
  // Instead of Advance(), for a follower of `leader`, which has moved as far already. The slices
  // stay until `leader` has published the window of another end of the follower's. What it gives is
  // recalled.
  std::optional<Moved> Follow(const SlidingWindow& leader, VertexId id_limit);

  // The last end that was passed, published or not.
  std::optional<Position> published_until() const { return published_until_; }
  NewestWindow newest() const { return {snapshots_, in_silence()}; }

  std::size_t slice_count() const { return account_.size(); }
  MemoryUse own_memory() const { return store_->own_memory(); }

  // What publishing takes for a moment. Rebuilding makes the edges, and from them a graph as large
  // as the one that is there; edges and graph take about the same.
  std::size_t advance_bytes() const {
    return spec_.implementation == StoreKind::kRebuild ? 2 * store_->own_memory().total() : 0;
  }

  // What the account has cost so far (SlidingFold::takes()).
  std::uint64_t takes() const { return account_.takes(); }

 private:
  struct Silence {
    Position behind = 0;
    bool is_there = false;
  };

  // A follower that is recalled by its slices even when nothing is visible in them.
  bool KeepsEmptiness() const { return spec_.leader() && spec_.by == WindowAxis::kEvents; }
  bool in_silence() const { return silence_ ? silence_->is_there : in_silence_; }
  // A landmark window begins with the first slice of the stream, or the first that it has.
  Position Begin(Position end) const;
  void AgeOut(Position start);
  bool LacksSlices(Position begin) const;
  void ScheduleNext(Position end, bool empty);

  WindowSpec spec_;
  std::unique_ptr<WindowStore> store_;
  SlidingFold<RetainedSlice, WindowTotal> account_;
  std::optional<Position> next_end_;
  std::optional<Position> published_until_;
  std::optional<Position> first_slice_;
  std::optional<Position> complete_from_;
  bool in_silence_ = false;    // the last window was empty
  bool recalls_last_ = false;  // when published_until_ is passed again
  std::uint64_t snapshots_ = 0;
  std::optional<Position> restored_until_;  // published_until of a state; snapshots_ counts these
  std::optional<Silence> silence_;          // of a life before, until that position is passed
};

}  // namespace sash
