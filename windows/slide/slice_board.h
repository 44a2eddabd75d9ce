// SliceBoard: the current slices of a stream, for any thread.
//
// An update by the engine costs the closed slices that enter or leave, and the open slices; closed
// slices that stay cost nothing.
//
// Thread safety: only the engine thread calls Update() and Forget(); any thread may call Of().
//
// Invariants
//   (1) Slices of one axis ascend and do not overlap; the open ones follow the closed ones.
//   (2) A closed slice is on the board until no window holds it, and does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/slicer.h"
#include "windows/slide/retained_slices.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct SliceStatus {
  Position begin = 0;
  Position end = 0;
  std::uint64_t events = 0;   // accepted
  std::uint64_t late = 0;     // counted in it
  std::uint64_t refused = 0;  // counted in it
  bool closed = false;        // no event enters it any more

  bool operator==(const SliceStatus&) const = default;
};

class SliceBoard {
 public:
  void Update(WindowAxis axis, const RetainedSlices& retained, const Slicer& slicer);

  // The axis has no windows any more.
  void Forget(WindowAxis axis);

  struct Axis {
    Position pane = 0;                // 0: the axis has no window
    std::vector<SliceStatus> slices;  // newest first
  };
  // The slices that begin at or after `begin`, at most `most` of them; costs time in proportion to
  // the answer.
  Axis Of(WindowAxis axis, Position begin, std::size_t most) const;

 private:
  struct Shelf {
    Position pane = 0;
    std::deque<SliceStatus> closed;  // oldest first
    std::vector<SliceStatus> open;   // oldest first
  };

  mutable Mutex mutex_;
  std::map<WindowAxis, Shelf> shelves_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
