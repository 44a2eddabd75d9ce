// WindowRecall: rebuilds the windows that a lane published last, while its stores take in the
// slices of a state.
//
// A state is taken between two advances, so it may have slices that are newer than a window's last
// published end. So a store stops at that end, and the window is published there again.
//
// Thread safety: belongs to the thread that restores the lane.
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
  // `state` and `retained` outlive it. Slices are appended to `retained` before they enter stores.
  WindowRecall(const LaneState& state, const RetainedSlices& retained,
               std::function<VertexId()> id_limit)
      : state_(state), retained_(retained), id_limit_(std::move(id_limit)) {}

  // Window `place` of the state shares the store `slices`. `whole`: if not null, it holds all
  // slices of the store, as the window will.
  void Watch(std::size_t place, SliceStore& slices, WindowStore* whole);

  // Adds slices to a store. The first of them is the retained slice `first` of the lane.
  void AddAll(SliceStore& store, SliceStore::Slices slices, std::uint64_t first);

  // The rebuilt window `place`; empty if it cannot be rebuilt from its slices.
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
    std::uint64_t begin = 0;  // the index of its first slice among the lane's retained slices
  };
  Recalled Publish(const Watched& watched, std::uint64_t behind) const;

  const LaneState& state_;
  const RetainedSlices& retained_;
  const std::function<VertexId()> id_limit_;
  std::vector<Watched> watched_;
  std::map<std::size_t, Recalled> recalled_;
};

}  // namespace sash
