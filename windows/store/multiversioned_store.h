// MultiversionedStore: windows whose advance costs what entered and left them (SLOTH, thesis
// §7.2.1).
//
// Duplicates: keep. Deaths before ageing (drop, weigh, removals) need deletion vectors, which are
// not here yet; the configuration refuses them.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "windows/store/fragment_chain.h"
#include "windows/store/window_store.h"

namespace sash {

class MultiversionedStore final : public SliceStore,
                                  public std::enable_shared_from_this<MultiversionedStore> {
 public:
  explicit MultiversionedStore(const StoreSpec&) {}

  void Add(std::shared_ptr<const Slice> slice) override;
  std::unique_ptr<WindowStore> Open(std::size_t slices) override;
  std::size_t retained() const override { return retained_; }
  MemoryUse shared_memory() const override { return {}; }

 private:
  class Window;
  std::vector<Window*> windows_;
  std::size_t retained_ = 0;
};

}  // namespace sash
