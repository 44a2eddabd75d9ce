// ReadHorizon: how far partitions are wanted while an engine does rounds again. What a source
// delivers of one partition before the others have come as far waits in memory.
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
  // By partition, the offset up to which it is wanted now; of those behind the end nothing is.
  void Want(std::vector<std::int64_t> until) {
    const MutexLock lock(mutex_);
    until_ = std::move(until);
    is_set_ = true;
  }
  // Everything is wanted, as at the beginning.
  void Clear() { is_set_ = false; }

  // Whether there is more to wait for before the record at `offset` is wanted.
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
