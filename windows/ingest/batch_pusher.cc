#include "windows/ingest/batch_pusher.h"

#include "windows/base/mutex.h"

namespace sash {

bool BatchPusher::Push(EventBatch& batch, const std::stop_token& stop) {
  if (!batch.end_of_source && !AwaitMemory(stop)) return false;
  while (!queue_.Push(batch, kPatience)) {
    if (stop.stop_requested() || queue_.closed()) return false;
  }
  const std::chrono::milliseconds pause(progress_.intake_pause);
  return pause.count() == 0 || SleepFor(stop, pause);
}

bool BatchPusher::AwaitMemory(const std::stop_token& stop) {
  if (!progress_.intake_held) return true;
  is_held_ = true;
  while (progress_.intake_held && !stop.stop_requested() && !queue_.closed()) {
    SleepFor(stop, kPatience);
  }
  is_held_ = false;
  return !stop.stop_requested() && !queue_.closed();
}

}  // namespace sash
