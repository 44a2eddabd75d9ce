// Mutex, its locks and its condition variables: wrappers of the standard library's types, which
// Clang can check (thread_annotations.h).
//
// A wait has no predicate, because Clang treats a lambda as a function that holds no mutex. Callers
// loop, and test the condition while the mutex is held:
//
//   while (queue_.empty()) filled_.Wait(mutex_);
//
// A wait may end spuriously, as in the standard library.
//
// Thread safety: any thread may use a Mutex, CondVar or StoppableCondVar; a lock belongs to one
// thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#include "windows/base/clock.h"
#include "windows/base/thread_annotations.h"

namespace sash {

class SASH_CAPABILITY("mutex") Mutex {
 public:
  void Lock() SASH_ACQUIRE() { mutex_.lock(); }
  void Unlock() SASH_RELEASE() { mutex_.unlock(); }
  [[nodiscard]] bool TryLock() SASH_TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class CondVar;
  friend class StoppableCondVar;

  std::mutex mutex_;
};

// A tag: the mutex is held already.
struct AdoptLock {};

// Holds a mutex during its lifetime.
class SASH_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SASH_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  // After TryLock().
  MutexLock(Mutex& mutex, AdoptLock) SASH_REQUIRES(mutex) : mutex_(mutex) {}
  ~MutexLock() SASH_RELEASE() { mutex_.Unlock(); }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Releases a mutex during its lifetime, in a function whose caller holds the mutex.
class SASH_SCOPED_CAPABILITY MutexUnlock {
 public:
  explicit MutexUnlock(Mutex& mutex) SASH_RELEASE(mutex) : mutex_(mutex) { mutex_.Unlock(); }
  ~MutexUnlock() SASH_RELEASE() { mutex_.Lock(); }  // for Clang: undoes the constructor's effect

  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  void Wait(Mutex& mutex) SASH_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // False at the deadline.
  bool WaitUntil(Mutex& mutex, SteadyTime deadline) SASH_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_until(lock, deadline);
    lock.release();
    return status == std::cv_status::no_timeout;
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

// A condition variable whose waits also end at a stop request. Costs a second, internal mutex.
class StoppableCondVar {
 public:
  void Wait(Mutex& mutex) SASH_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // Does not wait if stop is requested already.
  void Wait(Mutex& mutex, const std::stop_token& stop) SASH_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock, stop, Once());
    lock.release();
  }
  // False at the deadline.
  bool WaitUntil(Mutex& mutex, const std::stop_token& stop, SteadyTime deadline)
      SASH_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_until(lock, stop, deadline, Once());
    lock.release();
    return std::chrono::steady_clock::now() < deadline;
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  // The standard library waits for a stop request only with a predicate. This predicate is true
  // from its second call on, which comes after one wait.
  struct Once {
    bool waited = false;
    bool operator()() { return std::exchange(waited, true); }
  };

  std::condition_variable_any condition_;
};

// Sleeps for `time`, or until stop is requested; false if stop is requested.
inline bool SleepFor(const std::stop_token& stop, std::chrono::nanoseconds time) {
  std::mutex mutex;
  std::condition_variable_any stopping;  // notified only by a stop request
  std::unique_lock lock(mutex);
  return !stopping.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
}

}  // namespace sash
