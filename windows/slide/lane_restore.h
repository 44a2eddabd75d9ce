// LaneRestore: restores a lane from a state: its stores, its retained slices and its windows. The
// lane has windows but no events yet.
//
// Thread safety: used by the thread that restores the engine. Another thread loads slices while the
// stores take in the slices before them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>
#include <vector>

#include "windows/base/result.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/lane_windows.h"
#include "windows/slide/retained_slices.h"
#include "windows/slide/window_recall.h"

namespace sash {

class LaneRestore {
 public:
  using Refer = std::function<void(VertexId, std::uint32_t times)>;

  // All outlive it. Of state.slicer it uses only closed_until and next_id.
  LaneRestore(LaneState& state, LaneWindows& windows, RetainedSlices& retained,
              std::pmr::memory_resource* slots)
      : state_(state), windows_(windows), retained_(retained), slots_(slots) {}

  // See Lane::Restore().
  Status Run(const SliceLoader& load, const Refer& refer,
             const std::function<VertexId()>& id_limit);

 private:
  static SlidingWindow::State BesideLeader(const SlidingWindow::State& leader);
  void Align();
  std::vector<std::uint64_t> Wanted() const;
  std::size_t PlaceOf(const LaneWindows::Member& member) const;
  Status LoadSlices(std::span<const std::uint64_t> wanted, const SliceLoader& load,
                    const Refer& refer, WindowRecall& recall);

  LaneState& state_;
  LaneWindows& windows_;
  RetainedSlices& retained_;
  std::pmr::memory_resource* const slots_;
};

}  // namespace sash
