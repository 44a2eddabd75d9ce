// SingleWindow: a store with one window on it.
#pragma once

#include <memory>
#include <utility>

#include "windows/store/window_store.h"

namespace sash::testing {

class SingleWindow {
 public:
  explicit SingleWindow(const StoreSpec& spec)
      : slices_(MakeSliceStore(spec)), window_(slices_->Open(0)) {}

  void Add(std::shared_ptr<const Slice> slice) { slices_->Add(std::move(slice)); }
  void AgeOutOldest() { window_->AgeOutOldest(); }
  PublishedView Publish(VertexId id_limit) { return window_->Publish(id_limit); }
  MemoryUse memory() const {
    MemoryUse use = slices_->shared_memory();
    use += window_->own_memory();
    return use;
  }

 private:
  std::shared_ptr<SliceStore> slices_;
  std::unique_ptr<WindowStore> window_;
};

}  // namespace sash::testing
