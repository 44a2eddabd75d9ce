// LentScratch: scratch memory that the threads of a parallel loop borrow. A piece is large, with an
// element for each id of the graph.
//
// Thread safety: any thread.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "windows/base/mutex.h"

namespace sash {

template <typename Scratch>
class LentScratch {
 public:
  // make() returns a std::unique_ptr<Scratch>; called if none is idle.
  template <typename Make>
  std::unique_ptr<Scratch> Borrow(const Make& make) {
    {
      const MutexLock lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Scratch> scratch = std::move(idle_.back());
        idle_.pop_back();
        return scratch;
      }
    }
    return make();
  }

  void Return(std::unique_ptr<Scratch> scratch) {
    const MutexLock lock(mutex_);
    idle_.push_back(std::move(scratch));
  }

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> idle_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
