// SliceBoard: the slices of a stream as they are now, for whoever asks.
//
// The engine keeps it: what enters and leaves costs, not what stays.
//
// Thread safety: the engine thread alone calls Update() and Forget(); Of() may be called by any.
//
// Invariants
//   (1) Slices of one axis ascend and do not overlap; the open ones follow the closed ones.
//   (2) A closed slice is there until no window holds it, and is never another one afterwards.
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
  bool closed = false;        // it takes nothing any more

  bool operator==(const SliceStatus&) const = default;
};

class SliceBoard {
 public:
  void Update(WindowAxis axis, const RetainedSlices& retained, const Slicer& slicer);

  // The axis has no window any more.
  void Forget(WindowAxis axis);

  struct Axis {
    Position pane = 0;                // 0: the axis has no window
    std::vector<SliceStatus> slices;  // newest first
  };
  // Those that begin at or after `begin`, but at most so many; costs what it answers.
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
