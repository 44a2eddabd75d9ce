// FiniteReading: what every source that reads a finite input has: the thread that reads, the way of
// its batches to the engine, and the reason why it stopped before its end.
//
// Thread safety: Start() and Stop() belong to the owner of the source; Push() and Fail() to the
// thread that reads, and before it begins to its owner; any thread may call the rest.
#pragma once

#include <pthread.h>

#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "windows/base/mutex.h"
#include "windows/ingest/batch_pusher.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/source.h"

namespace sash {

class FiniteReading {
 public:
  // Both outlive it.
  FiniteReading(BatchQueue& queue, const StreamProgress& progress) : pusher_(queue, progress) {}

  // Calls `run` in a thread of this name, which has at most 15 characters.
  void Start(const char* name, std::function<void(const std::stop_token&)> run) {
    thread_ = std::jthread([name, run = std::move(run)](const std::stop_token& stop) {
      pthread_setname_np(pthread_self(), name);
      run(stop);
    });
  }

  // Waits for the end of the thread, if it has begun. `interrupt` ends a wait that does not see
  // that stop is requested.
  void Stop(const std::function<void()>& interrupt = [] {}) {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    interrupt();
    thread_.join();
  }

  // Pushes a batch, as BatchPusher::Push(). False: the source must stop.
  bool Push(EventBatch& batch, const std::stop_token& stop) { return pusher_.Push(batch, stop); }

  // The source stops for good before its end. The newest reason counts.
  void Fail(std::string why) {
    const MutexLock lock(mutex_);
    failure_ = std::move(why);
  }

  // Empty: the source has not failed.
  std::string failure() const {
    const MutexLock lock(mutex_);
    return failure_;
  }

  // Fills in whether memory holds the source, and its failure.
  void AddTo(SourceStatus& status) const {
    status.held = pusher_.is_held();
    const MutexLock lock(mutex_);
    if (failure_.empty()) return;
    status.failure = failure_;
    status.not_ready.push_back(failure_);
  }

 private:
  BatchPusher pusher_;
  mutable Mutex mutex_;
  std::string failure_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash
