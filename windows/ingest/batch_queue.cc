#include "windows/ingest/batch_queue.h"

#include <utility>

namespace sash {

bool BatchQueue::Push(EventBatch& batch, std::chrono::milliseconds patience) {
  const std::size_t bytes = batch.allocated_bytes();
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (!HasRoom(bytes) && room_.WaitUntil(mutex_, deadline)) continue;
  if (!HasRoom(bytes) || closed_) return false;
  bytes_ += bytes;
  EventBatch next = EventBatch::AsLargeAs(batch);
  batches_.push_back(std::exchange(batch, std::move(next)));
  filled_.NotifyOne();
  return true;
}

std::optional<EventBatch> BatchQueue::Pop(std::chrono::milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (!closed_ && !interrupted_ && batches_.empty() && filled_.WaitUntil(mutex_, deadline)) {
    continue;
  }
  interrupted_ = false;
  if (batches_.empty()) return std::nullopt;
  EventBatch batch = std::move(batches_.front());
  batches_.pop_front();
  bytes_ -= batch.allocated_bytes();
  room_.NotifyAll();
  return batch;
}

void BatchQueue::Close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  room_.NotifyAll();
  filled_.NotifyAll();
}

void BatchQueue::Interrupt() {
  const MutexLock lock(mutex_);
  interrupted_ = true;
  filled_.NotifyAll();
}

bool BatchQueue::closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

std::size_t BatchQueue::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

}  // namespace sash
