// LaneRestore: fills a lane that has windows and nothing else from a state: its stores, its
// retained slices and its windows.
//
// Thread safety: used by the thread that restores the engine. Slices are loaded in another thread
// while the stores take in the ones before.
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

  // All outlive it. The slicer's part of the state is not used.
  LaneRestore(LaneState& state, LaneWindows& windows, RetainedSlices& retained,
              std::pmr::memory_resource* slots)
      : state_(state), windows_(windows), retained_(retained), slots_(slots) {}

  // As Lane::Restore().
  Status Run(const SliceLoader& load, const Refer& refer,
             const std::function<VertexId()>& id_limit);

 private:
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
