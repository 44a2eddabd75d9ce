// WindowRecall: the windows that a lane published last, as they were, while its stores take in the
// slices of a state.
//
// A state is of some moment between two advances: behind a window that was published there may be
// slices already that are not in it. So the stores are stopped where the window ended.
//
// Thread safety: belongs to whoever restores the lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/slide/account_totals.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/retained_slices.h"
#include "windows/store/window_store.h"

namespace sash {

class WindowRecall {
 public:
  // `state` and `retained`, to which slices are appended before they enter stores, outlive it.
  WindowRecall(const LaneState& state, const RetainedSlices& retained,
               std::function<VertexId()> id_limit)
      : state_(state), retained_(retained), id_limit_(std::move(id_limit)) {}

  // Window `place` of the state shares `slices`; `whole`, if it is not null, holds all that they
  // hold, which is what the window will.
  void Watch(std::size_t place, SliceStore& slices, WindowStore* whole);

  // Enters slices, of which the first is the lane's slice `first`, into a store.
  void AddAll(SliceStore& store, SliceStore::Slices slices, std::uint64_t first);

  // What window `place` was; nothing when its slices do not tell.
  struct Recalled {
    PublishedView published;
    WindowTotal total;
  };
  std::optional<Recalled> Take(std::size_t place);

 private:
  struct Watched {
    std::size_t place = 0;
    SliceStore* slices = nullptr;
    WindowStore* whole = nullptr;
    Position end = 0;
    std::uint64_t begin = 0;  // the lane's slice that is its first
  };
  Recalled Publish(const Watched& watched, std::uint64_t behind) const;

  const LaneState& state_;
  const RetainedSlices& retained_;
  const std::function<VertexId()> id_limit_;
  std::vector<Watched> watched_;
  std::map<std::size_t, Recalled> recalled_;
};

}  // namespace sash
