// MultiversionedWindow: the degrees and counts of one window of a store.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "windows/store/counted_slices.h"
#include "windows/store/degree_table.h"
#include "windows/store/multiversioned_store.h"

namespace sash {

class MultiversionedWindow final : public WindowStore {
 public:
  // Holds the newest `slices` of the store's slices. O(their edges).
  MultiversionedWindow(std::shared_ptr<MultiversionedStore> store, std::size_t slices);
  MultiversionedWindow(const MultiversionedWindow&) = delete;
  MultiversionedWindow& operator=(const MultiversionedWindow&) = delete;
  ~MultiversionedWindow() override;

  void AgeOutOldest() override;
  PublishedView Publish(VertexId id_limit) override;
  MemoryUse own_memory() const override;
  // The part of it that views may share.
  std::size_t versioned_bytes() const { return degrees_.versioned_bytes(); }

  // The store calls these when a slice enters.
  void SliceAdded(VertexId id_limit) {
    ++held_;
    degrees_.Reserve(id_limit);
  }
  // Out-degrees and the number of edges are changed with the out-lists. In-degrees are changed with
  // the in-lists, perhaps by another thread at the same time.
  const DegreeTable& degrees() const { return degrees_; }
  void OutEdgesEntered(VertexId source, std::uint32_t count) {
    degrees_.out.Add(source, count);
    edges_ += count;
  }
  void InEdgesEntered(VertexId target, std::uint32_t count) { degrees_.in.Add(target, count); }
  void OutEdgeDied(VertexId source, SliceNumber birth) {
    if (birth < oldest()) return;
    degrees_.out.Subtract(source, 1);
    --edges_;
  }
  void InEdgeDied(VertexId target, SliceNumber birth) {
    if (birth >= oldest()) degrees_.in.Subtract(target, 1);
  }

  std::size_t held() const { return held_; }

 private:
  // The oldest slice held; one above the newest while it holds none.
  SliceNumber oldest() const {
    return store_->edges_.records().newest() + 1 - static_cast<SliceNumber>(held_);
  }
  bool only_replaced() const;  // edges die by newer copies alone
  // Whether views know the slices between them.
  bool counts_ends() const { return store_->edges_.counts_ends(); }
  void CountRetained();
  void KeepLeft(const SliceRecord& record);
  // What the newest slices brought in a direction, and what left it.
  RecentSlices Known(TouchedVertices SliceRecord::*direction,
                     const std::vector<CountedSlice>& left) const;

  const std::shared_ptr<MultiversionedStore> store_;
  std::size_t held_;
  DegreeTable degrees_;
  std::uint64_t edges_ = 0;
  std::uint64_t aged_out_ = 0;  // edges, so far
  // If counts_ends(): what it has aged out last.
  std::vector<CountedSlice> left_out_;
  std::vector<CountedSlice> left_in_;
};

}  // namespace sash
