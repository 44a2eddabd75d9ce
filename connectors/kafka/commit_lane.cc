#include "connectors/kafka/commit_lane.h"

#include <utility>

namespace sash {

void CommitLane::Offer(const RewindPoint& point) {
  const MutexLock lock(mutex_);
  waiting_ = point;
}

std::optional<RewindPoint> CommitLane::Take(SteadyTime now) {
  if (sent_ || now < not_before_) return std::nullopt;
  return TakeLast();
}

std::optional<RewindPoint> CommitLane::TakeLast() {
  const MutexLock lock(mutex_);
  if (!waiting_) return std::nullopt;
  sent_ = std::exchange(waiting_, std::nullopt);
  return sent_;
}

void CommitLane::Finished(bool succeeded, SteadyTime now) {
  std::optional<RewindPoint> point = std::exchange(sent_, std::nullopt);
  if (!point) return;
  if (!succeeded) not_before_ = now + kRetryAfter;
  const MutexLock lock(mutex_);
  if (succeeded) {
    committed_ = std::move(point);
  } else if (!waiting_) {
    waiting_ = std::move(point);
  }
}

std::vector<RewindPosition> CommitLane::committed() const {
  const MutexLock lock(mutex_);
  return committed_ ? committed_->positions : std::vector<RewindPosition>();
}

std::optional<RewindPoint> CommitLane::acknowledged() const {
  const MutexLock lock(mutex_);
  return committed_;
}

}  // namespace sash
