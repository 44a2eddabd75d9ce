#include "windows/jobs/thread_share.h"

#include <algorithm>

#include "windows/base/parallel.h"

namespace sash {

ThreadShare::ThreadShare(std::size_t runners, int cores)
    : is_shared_(runners > 1),
      cores_(std::max(1, is_shared_ ? cores - 1 : cores)),
      threads_(cores_) {}

void ThreadShare::Add(int runs) {
  const MutexLock lock(mutex_);
  computing_ += runs;
  threads_ = std::max(1, cores_ / std::max(1, computing_));
}

ThreadShare::Computing::Computing(ThreadShare& share) : share_(share) {
  share_.Add(1);
  if (share_.is_shared_) most_threads = &share_.threads_;
}

ThreadShare::Computing::~Computing() {
  most_threads = nullptr;
  share_.Add(-1);
}

}  // namespace sash
