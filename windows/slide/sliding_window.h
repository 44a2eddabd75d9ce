// SlidingWindow: one window as it moves over the slices of its axis.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) The store holds the slices of the window whose end was last passed, plus newer ones.
//   (2) Window ends are multiples of the slide, from that of the first on-time event on.
//   (3) Of consecutive empty windows, only the first is published (empty_windows: once) or none.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "windows/ingest/slicer.h"
#include "windows/jobs/advance.h"
#include "windows/slide/window_spec.h"
#include "windows/store/window_store.h"

namespace sash {

class SlidingWindow {
 public:
  // Ends up to `published_until` are rebuilt silently (RewindPoint::published).
  SlidingWindow(WindowSpec spec, std::optional<Position> published_until);

  const WindowSpec& spec() const { return spec_; }

  // A closed slice, newer than all before.
  void Add(const std::shared_ptr<const Slice>& slice);

  // The end of the next window to look at; nothing while only silence is ahead.
  std::optional<Position> next_end() const { return next_end_; }

  // The window moves to next_end(): ages out, publishes. Nothing when the result is suppressed.
  struct Moved {
    PublishedView published;
    SnapshotId snapshot;
    Position begin = 0;
    Position end = 0;
    bool empty = false;
    SliceAccount account;  // of all its slices together
  };
  std::optional<Moved> Advance(VertexId id_limit);

  // The last end that was passed, published or not.
  std::optional<Position> published_until() const { return published_until_; }

  // visit(partition, PartitionShare) for every slice still held.
  template <typename Visit>
  void VisitShares(const Visit& visit) const {
    for (const Held& held : held_) {
      for (const auto& [partition, share] : held.account.shares) visit(partition, share);
    }
  }

  // Begin of the oldest slice held.
  std::optional<Position> oldest_begin() const {
    if (held_.empty()) return std::nullopt;
    return held_.front().begin;
  }
  std::size_t slice_count() const { return held_.size(); }
  MemoryUse memory() const {
    MemoryUse use = slices_->shared_memory();
    return use += store_->own_memory();
  }
  std::size_t bytes() const { return memory().total(); }
  // What publishing takes for a moment. Rebuilding makes the edges, and from them a graph as large as
  // the one that is there; edges and graph take about the same.
  std::size_t advance_bytes() const {
    return spec_.implementation == StoreKind::kRebuild ? 2 * store_->own_memory().total() : 0;
  }

 private:
  struct Held {
    Position begin = 0;
    SliceAccount account;
  };

  // A landmark window begins with the first slice of the stream.
  Position Begin(Position end) const;
  void AgeOut(Position start);
  SliceAccount TotalAccount() const;
  void ScheduleNext(Position end, bool empty);

  const WindowSpec spec_;
  std::shared_ptr<SliceStore> slices_;
  std::unique_ptr<WindowStore> store_;
  std::deque<Held> held_;  // oldest first
  std::optional<Position> next_end_;
  std::optional<Position> published_until_;
  std::optional<Position> first_slice_;
  bool started_ = false;     // an on-time event has been seen
  bool in_silence_ = false;  // the last window was empty
  std::uint64_t snapshots_ = 0;
};

}  // namespace sash
