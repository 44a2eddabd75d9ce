// ReadHorizon: up to which offsets partitions are wanted while an engine repeats rounds. If a
// source reads one partition further than the others, its records wait in memory.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/mutex.h"

namespace sash {

class ReadHorizon {
 public:
  // By partition index, the offset up to which records are wanted now. No record is wanted of
  // partitions beyond the end of `until`.
  void Want(std::vector<std::int64_t> until) {
    const MutexLock lock(mutex_);
    until_ = std::move(until);
    is_set_ = true;
  }
  // Every record is wanted, as at the beginning.
  void Clear() { is_set_ = false; }

  // Whether the record at `offset` is not wanted yet.
  bool LiesBeyond(PartitionIndex partition, std::int64_t offset) const {
    if (!is_set_) return false;
    const MutexLock lock(mutex_);
    return partition >= until_.size() || offset >= until_[partition];
  }

 private:
  std::atomic<bool> is_set_ = false;
  mutable Mutex mutex_;
  std::vector<std::int64_t> until_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
