// PinnedViews: the published views that are still held.
//
// A job that hangs, or a reader that never releases a view, is a memory leak; this names it.
//
// Thread safety: every member may be called from any thread.
//
// Invariant: (1) it holds no view itself: only weak pointers, pruned at every advance.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/jobs/advance.h"

namespace sash {

struct PinCount {
  std::uint64_t pinned = 0;            // still alive, without the newest
  std::chrono::nanoseconds oldest{0};  // age of the oldest of them, since its advance
};

class PinnedViews {
 public:
  void Add(const AdvancePtr& advance, SteadyTime now);
  PinCount Count(const std::string& window, SteadyTime now) const;

 private:
  struct Published {
    std::weak_ptr<const Advance> advance;
    SteadyTime at;
  };

  mutable Mutex mutex_;
  std::map<std::string, std::vector<Published>> windows_ SASH_GUARDED_BY(mutex_);  // oldest first
};

}  // namespace sash
