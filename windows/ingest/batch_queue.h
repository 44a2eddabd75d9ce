// BatchQueue: the bounded queue from the source threads to the engine thread.
//
// Policy: a full queue makes the source wait (back-pressure); nothing is ever dropped. A batch
// larger than the bound enters when the queue is empty.
//
// Thread safety: every member may be called from any thread; Pop() belongs to the engine thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

#include "windows/base/mutex.h"
#include "windows/ingest/event_batch.h"

namespace sash {

class BatchQueue {
 public:
  explicit BatchQueue(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // Moves `batch` into the queue, leaves an empty batch with room for as much, and returns true. If
  // there is no room within `patience`, or the queue is closed: leaves `batch` unchanged and
  // returns false.
  bool Push(EventBatch& batch, std::chrono::milliseconds patience);

  // The oldest batch. Returns nothing after `patience`, or at once when closed and drained.
  std::optional<EventBatch> Pop(std::chrono::milliseconds patience);

  // Push() fails from now on; Pop() still returns the batches in the queue.
  void Close();

  // Makes the waiting Pop(), or else the next one, return at once: with a batch, or with nothing if
  // there is none.
  void Interrupt();

  bool closed() const;
  std::size_t bytes() const;
  std::size_t limit_bytes() const { return limit_bytes_; }

 private:
  bool HasRoom(std::size_t bytes) const SASH_REQUIRES(mutex_) {
    return closed_ || batches_.empty() || bytes_ + bytes <= limit_bytes_;
  }

  const std::size_t limit_bytes_;
  mutable Mutex mutex_;
  CondVar room_;
  CondVar filled_;
  std::deque<EventBatch> batches_ SASH_GUARDED_BY(mutex_);
  std::size_t bytes_ SASH_GUARDED_BY(mutex_) = 0;
  bool closed_ SASH_GUARDED_BY(mutex_) = false;
  bool interrupted_ SASH_GUARDED_BY(mutex_) = false;
};

}  // namespace sash
