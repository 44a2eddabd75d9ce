#include "windows/ingest/batch_queue.h"

#include <utility>

namespace sash {

bool BatchQueue::Push(EventBatch& batch, std::chrono::milliseconds patience) {
  const std::size_t bytes = batch.allocated_bytes();
  std::unique_lock lock(mutex_);
  const auto has_room = [&] {
    return closed_ || batches_.empty() || bytes_ + bytes <= limit_bytes_;
  };
  if (!room_.wait_for(lock, patience, has_room) || closed_) return false;
  bytes_ += bytes;
  EventBatch next = EventBatch::AsLargeAs(batch);
  batches_.push_back(std::exchange(batch, std::move(next)));
  filled_.notify_one();
  return true;
}

std::optional<EventBatch> BatchQueue::Pop(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  filled_.wait_for(lock, patience, [&] { return closed_ || interrupted_ || !batches_.empty(); });
  interrupted_ = false;
  if (batches_.empty()) return std::nullopt;
  EventBatch batch = std::move(batches_.front());
  batches_.pop_front();
  bytes_ -= batch.allocated_bytes();
  room_.notify_all();
  return batch;
}

void BatchQueue::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  filled_.notify_all();
}

void BatchQueue::Interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  filled_.notify_all();
}

bool BatchQueue::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

std::size_t BatchQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace sash
