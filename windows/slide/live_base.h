// LiveBase: the part of a window's live view whose slices have closed. It is one more window of the
// same store, and ages out slices earlier than the window does: up to the begin of the live view.
// The lists of the store are not touched for it; only its own degrees are.
//
// Thread safety: belongs to the engine thread; what View() returns, to any thread.
//
// Invariants
//   (1) It holds the newest slices of its window, and no others, so the window's references to
//       vertices, and to retained slices, protect the base as well.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "windows/slide/account_totals.h"
#include "windows/slide/retained_slice.h"
#include "windows/slide/sliding_fold.h"
#include "windows/store/multiversioned_view.h"
#include "windows/store/window_store.h"

namespace sash {

class LiveBase {
 public:
  // `store` holds these slices, oldest first. It is multiversioned.
  LiveBase(std::unique_ptr<WindowStore> store, std::span<const RetainedSlice* const> slices)
      : store_(std::move(store)) {
    for (const RetainedSlice* const slice : slices) slices_.PushNewest(*slice);
  }

  // A slice has entered the store.
  void Note(const RetainedSlice& slice) {
    slices_.PushNewest(slice);
    view_.reset();
  }

  // Ages out the slices that begin before `start`.
  void AgeTo(Position start) {
    while (slices_.size() > 0 && slices_.oldest().begin < start) AgeOutOldest();
  }
  // Ages out all but the newest `slices`.
  void KeepNewest(std::size_t slices) {
    while (slices_.size() > slices) AgeOutOldest();
  }

  std::size_t slice_count() const { return slices_.size(); }
  LiveTotal total() const { return slices_.Sum(); }  // of its slices

  // The edges of its slices. Ids are below `id_limit`. Publishes only if the slices have changed.
  std::shared_ptr<const MultiversionedView> View(VertexId id_limit);

  MemoryUse own_memory() const { return store_->own_memory(); }

 private:
  void AgeOutOldest() {
    store_->AgeOutOldest();
    slices_.PopOldest();
    view_.reset();
  }

  std::unique_ptr<WindowStore> store_;
  SlidingFold<RetainedSlice, LiveTotal> slices_;
  std::shared_ptr<const MultiversionedView> view_;  // of the slices now; null: not published yet
};

}  // namespace sash
