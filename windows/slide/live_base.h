// LiveBase: the part of a window's live view whose slices have closed. It is one more window of the
// window's store, and is aged ahead of the window: to the begin of the live view. The lists of the
// store are not touched for it; only its own degrees are.
//
// Thread safety: belongs to the engine thread; what View() returns, to any thread.
//
// Invariants
//   (1) It holds the newest slices of its window, and no others, so the window's references to
//       vertices protect the base as well.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

#include "windows/ingest/slice.h"
#include "windows/store/multiversioned_view.h"
#include "windows/store/window_store.h"

namespace sash {

class LiveBase {
 public:
  // `store` holds the slices that begin at `begins`, oldest first. It is multiversioned.
  LiveBase(std::unique_ptr<WindowStore> store, std::deque<Position> begins)
      : store_(std::move(store)), begins_(std::move(begins)) {}

  // A slice has entered the store.
  void Note(Position begin) {
    begins_.push_back(begin);
    view_.reset();
  }

  // Ages out the slices that begin before `start`.
  void AgeTo(Position start) {
    while (!begins_.empty() && begins_.front() < start) AgeOutOldest();
  }
  // Ages out all but the newest `slices`.
  void KeepNewest(std::size_t slices) {
    while (begins_.size() > slices) AgeOutOldest();
  }

  std::size_t slice_count() const { return begins_.size(); }

  // The edges of its slices. Ids are below `id_limit`. Publishes only if the slices have changed.
  std::shared_ptr<const MultiversionedView> View(VertexId id_limit);

  MemoryUse own_memory() const { return store_->own_memory(); }

 private:
  void AgeOutOldest() {
    store_->AgeOutOldest();
    begins_.pop_front();
    view_.reset();
  }

  std::unique_ptr<WindowStore> store_;
  std::deque<Position> begins_;
  std::shared_ptr<const MultiversionedView> view_;  // of the slices now; null: not published yet
};

}  // namespace sash
