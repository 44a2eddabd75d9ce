// ThreadShare: shares the cores among the runs that compute at the same time. Each loop of a run
// asks for its share when it begins (parallel.h), so a run that is alone takes all cores, and fewer
// from its next loop on when another run begins.
//
// Thread safety: any thread may use it.
//
// Invariants
//   (1) With one runner it limits nothing.
//   (2) With more, one core is kept for ingest, and each run has at least one thread.
#pragma once

#include <atomic>
#include <cstddef>

#include "windows/base/mutex.h"

namespace sash {

class ThreadShare {
 public:
  // A run of this thread computes during its lifetime.
  class Computing {
   public:
    explicit Computing(ThreadShare& share);
    ~Computing();

    Computing(const Computing&) = delete;
    Computing& operator=(const Computing&) = delete;

   private:
    ThreadShare& share_;
  };

  ThreadShare(std::size_t runners, int cores);

  // How many threads each loop of each run has.
  int threads() const { return threads_; }

 private:
  void Add(int runs);

  const bool is_shared_;
  const int cores_;  // for runs
  Mutex mutex_;
  int computing_ SASH_GUARDED_BY(mutex_) = 0;  // runs
  std::atomic<int> threads_;
};

}  // namespace sash
