// RebuildStore: keeps the slices and builds one CSR of all their visible edges at each advance
// (SLOTH's single-snapshot window, thesis §7.2). Every policy, every operation; an advance costs
// the whole window.
#pragma once

#include <deque>
#include <memory>

#include "windows/store/window_store.h"

namespace sash {

class RebuildStore final : public WindowStore {
 public:
  explicit RebuildStore(DuplicatesPolicy duplicates) : duplicates_(duplicates) {}

  void Add(std::shared_ptr<const Slice> slice) override { slices_.push_back(std::move(slice)); }
  void AgeOutOldest() override { slices_.pop_front(); }
  PublishedView Publish(VertexId id_limit) override;
  std::size_t bytes() const override;

 private:
  const DuplicatesPolicy duplicates_;
  std::deque<std::shared_ptr<const Slice>> slices_;
  std::size_t published_bytes_ = 0;
};

}  // namespace sash
