// SliceRecords: the records of the slices that a store holds, and what is known of all slices that
// it has taken in.
//
// Thread safety: belongs to the engine thread. While slices enter, the thread that changes the
// in-lists may use SliceRecord::in of a record and the other thread the rest.
//
// Invariants
//   (1) Records are of consecutive slices, oldest first.
//   (2) A number above newest() has never been used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory_resource>

#include "windows/base/ids.h"
#include "windows/ingest/slice.h"
#include "windows/store/memory_use.h"
#include "windows/store/slice_record.h"

namespace sash {

class SliceRecords {
 public:
  static SliceNumber NumberOf(const Slice& slice) {
    return static_cast<SliceNumber>(slice.id.value);
  }

  // A slice that follows the newest; its record is empty. `keeps_sums`: it gets sums of weights.
  void Add(const Slice& slice, bool keeps_sums);
  // The edges of the newest `count` slices are complete. `memory`: StoreSpec::slots.
  void Complete(std::size_t count, std::pmr::memory_resource* memory);
  void DropOldest();

  // An edge of slice `birth` has died before it aged out.
  void NoteOutDeath(VertexId source, SliceNumber birth) {
    use_.deletions += Of(birth).out.NoteDeath(source);
  }
  void NoteInDeath(VertexId target, SliceNumber birth) {
    use_.deletions += Of(birth).in.NoteDeath(target);
  }

  bool empty() const { return records_.empty(); }
  std::size_t size() const { return records_.size(); }
  SliceRecord& at(std::size_t i) { return records_[i]; }  // 0: the oldest
  SliceRecord& Of(SliceNumber number) { return records_[number - oldest()]; }

  SliceNumber oldest() const { return records_.front().number; }  // not if empty()
  SliceNumber newest() const { return newest_; }                  // of all slices ever added
  VertexId id_limit() const { return id_limit_; }                 // above every id in these slices

  MemoryUse memory() const { return use_; }
  MemoryUse CountMemory() const;  // the same, found by looking at everything

 private:
  std::deque<SliceRecord> records_;
  MemoryUse use_;
  SliceNumber newest_ = 0;
  bool has_slices_ = false;
  VertexId id_limit_ = 0;
};

}  // namespace sash
