// RebuildStore: keeps the slices, and builds one CSR of the visible edges at each advance of a
// window (SLOTH's single-snapshot window, thesis §7.2). It has every policy and operation. The cost
// of an advance is proportional to the whole window.
//
// Thread safety: belongs to the engine thread; views, to any thread.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "windows/store/counted_bytes.h"
#include "windows/store/window_store.h"

namespace sash {

class RebuildStore final : public SliceStore, public std::enable_shared_from_this<RebuildStore> {
 public:
  explicit RebuildStore(DuplicatesPolicy duplicates, EdgeIdentity identity = EdgeIdentity::kPair)
      : duplicates_(duplicates), identity_(identity) {}

  void Add(std::shared_ptr<const Slice> slice) override;
  std::unique_ptr<WindowStore> Open(std::size_t slices) override;
  std::size_t retained() const override { return slices_.size(); }
  bool CanCopyFor(const StoreSpec& spec) const override;
  void CopyPassing(const NumberedTypeFilters& filters,
                   const std::vector<std::shared_ptr<Slice>>& parts) override;
  MemoryUse shared_memory() const override { return {.events = event_bytes_}; }
  std::size_t view_bytes() const override;

 private:
  class Window;
  void ForgetUnheld();

  const DuplicatesPolicy duplicates_;
  const EdgeIdentity identity_;
  std::deque<std::shared_ptr<const Slice>> slices_;  // oldest first
  std::size_t event_bytes_ = 0;                      // of the slices
  const std::shared_ptr<AliveBytes> alive_bytes_ = std::make_shared<AliveBytes>(0);
  std::vector<Window*> windows_;  // the open ones; each removes itself
};

}  // namespace sash
