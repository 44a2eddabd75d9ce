// MovingWindow: a store that is filled and moved like in the daemon, and the cost of its advances.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "daemon/memory/memory_tending.h"
#include "tests/bench/stopwatch.h"
#include "windows/store/multiversioned_store.h"
#include "windows/store/window_store.h"
#include "windows/store/window_view.h"

namespace sash::bench {

// The graph of a view of a multiversioned store.
inline const MultiversionedView& GraphOf(const WindowView& view) {
  return *std::get<std::shared_ptr<const MultiversionedView>>(view);
}

struct AdvanceTime {
  double wall_seconds = 0;  // to publication
  double cpu_seconds = 0;   // includes releasing the previous view
};

class MovingWindow {
 public:
  // Fills the window with `slices` and publishes it.
  MovingWindow(const StoreSpec& spec, std::span<const std::shared_ptr<const Slice>> slices,
               VertexId id_limit)
      : slices_(MakeSliceStore(spec)), window_(slices_->Open(0)), id_limit_(id_limit) {
    for (const auto& slice : slices) {
      slices_->Add(slice);
      Tend();
    }
    published_ = window_->Publish(id_limit_);
  }

  // make_slice() returns a slice of the same size, which enters, and the oldest leaves. The newest
  // view is pinned until there is a newer one, as in the engine.
  template <typename MakeSlice>
  AdvanceTime Advance(const MakeSlice& make_slice) {
    const CpuWatch cpu;
    const WallWatch wall;
    slices_->Add(make_slice());
    window_->AgeOutOldest();
    PublishedView next = window_->Publish(id_limit_);
    const double wall_seconds = wall.Seconds();
    published_ = std::move(next);
    const AdvanceTime time{wall_seconds, cpu.Seconds()};
    Tend();
    return time;
  }

  // A view that was never read, so that it has to prepare its data for readers again.
  WindowView FreshView() { return window_->Publish(id_limit_).view; }

  const PublishedView& published() const { return published_; }
  std::size_t bytes() const {
    return slices_->shared_memory().total() + window_->own_memory().total();
  }
  // Slots that the multiversioned store has copied so far.
  std::uint64_t moved() const { return dynamic_cast<const MultiversionedStore&>(*slices_).moved(); }

 private:
  // Called like sashd does, a few times a second.
  void Tend() {
    TendMemory(tending_, std::numeric_limits<std::uint64_t>::max(),
               std::chrono::steady_clock::now());
  }

  std::shared_ptr<SliceStore> slices_;
  std::unique_ptr<WindowStore> window_;
  VertexId id_limit_;
  PublishedView published_;
  MemoryTending tending_;
};

}  // namespace sash::bench
