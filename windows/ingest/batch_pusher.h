// BatchPusher: how a source that reads a finite input gives batches to the engine: it waits for
// room in the queue, and while memory is full (StreamProgress).
//
// Thread safety: Push() belongs to the source's thread; any thread may call is_held().
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>

#include "windows/ingest/batch_queue.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/source.h"

namespace sash {

class BatchPusher {
 public:
  // While it waits, it checks this often whether it must go on waiting.
  static constexpr std::chrono::milliseconds kPatience{50};

  // Both outlive it.
  BatchPusher(BatchQueue& queue, const StreamProgress& progress)
      : queue_(queue), progress_(progress) {}

  // Pushes the batch, as BatchQueue::Push(). The last batch of a source does not wait for memory:
  // after it, windows close and only release memory. False: the source must stop, because it was
  // asked to or the queue is closed.
  bool Push(EventBatch& batch, const std::stop_token& stop);

  // Whether a batch waits for memory.
  bool is_held() const { return is_held_; }

 private:
  bool AwaitMemory(const std::stop_token& stop);

  BatchQueue& queue_;
  const StreamProgress& progress_;
  std::atomic<bool> is_held_ = false;
};

}  // namespace sash
