// Two tests compile this file with Clang: unchanged it must compile; with SASH_SEEDED, which reads
// a guarded member without the lock and calls a function that requires it, it must not.
#include "windows/base/mutex.h"

namespace sash {

class Seeded {
 public:
  int Read() const {
    const MutexLock lock(mutex_);
    return value_;
  }
  void Add() {
    const MutexLock lock(mutex_);
    AddOne();
  }
#ifdef SASH_SEEDED
  int ReadUnguarded() const { return value_; }
  void AddUnguarded() { AddOne(); }
#endif

 private:
  void AddOne() SASH_REQUIRES(mutex_) { ++value_; }

  mutable Mutex mutex_;
  int value_ SASH_GUARDED_BY(mutex_) = 0;
};

}  // namespace sash
