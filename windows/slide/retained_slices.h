// RetainedSlices: what the windows of a lane share of each closed slice, for as long as one of them
// holds it.
//
// The edges themselves are in the stores; here is what results, rewind points and late joiners
// need.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Every slice appended is released exactly once, oldest first.
//   (2) A RetainedSlice stays where it is until it is released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "windows/ingest/coded_counts.h"
#include "windows/ingest/slice.h"
#include "windows/slide/account_totals.h"
#include "windows/slide/retained_slice.h"
#include "windows/slide/sliding_fold.h"

namespace sash {

class RetainedSlices {
 public:
  // Called for a slice that no window of the lane holds any more: the stores have aged it out. What
  // is kept for a slice and lies elsewhere, as the references to its vertices, is given back there.
  using OnReleased = std::function<void(const RetainedSlice&)>;

  explicit RetainedSlices(OnReleased on_released) : on_released_(std::move(on_released)) {}

  const RetainedSlice& Append(const std::shared_ptr<const Slice>& slice, CodedCounts end_points);

  // Before the first Append(): whether the stream had begun before it, and until where slices may
  // lack.
  void BeginAs(bool stream_begun, std::optional<Position> complete_from) {
    stream_begun_ = stream_begun;
    complete_from_ = complete_from;
  }
  // What BeginAs() needs to be told so that Append()ing what is retained leads back to this.
  bool begun_before() const {
    return slices_.empty() ? stream_begun_ : slices_.front().stream_begun;
  }

  // Releases all but the newest `count`.
  void KeepNewest(std::size_t count);

  std::size_t size() const { return slices_.size(); }
  std::size_t bytes() const { return bytes_; }
  const RetainedSlice& operator[](std::size_t i) const { return slices_[i]; }  // 0: the oldest

  // Up to here a slice may once have been that is not retained.
  std::optional<Position> complete_from() const { return complete_from_; }
  // Events before `position` were never given to the lane.
  void MissedUntil(Position position);

  // From where the retained slices must be read again.
  RewindTotal Rewind() const { return rewind_.Sum(); }
  std::uint64_t takes() const { return rewind_.takes(); }

 private:
  const OnReleased on_released_;
  std::deque<RetainedSlice> slices_;  // oldest first
  SlidingFold<RetainedSlice, RewindTotal> rewind_;
  std::size_t bytes_ = 0;  // of all of them
  std::optional<Position> complete_from_;
  bool stream_begun_ = false;
};

}  // namespace sash
