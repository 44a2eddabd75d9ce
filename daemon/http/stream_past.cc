#include "daemon/http/stream_past.h"

namespace sash {

void StreamPast::Look(SteadyTime now, const std::function<StreamSample()>& sample) {
  {
    MutexLock lock(mutex_);
    if (last_ && now - *last_ < kInterval) return;
    last_ = now;
  }
  const StreamSample made = sample();  // may wait for other parts
  MutexLock lock(mutex_);
  samples_.push_back(made);
  if (samples_.size() > kMost) samples_.pop_front();
}

std::vector<StreamSample> StreamPast::Samples() const {
  MutexLock lock(mutex_);
  return {samples_.begin(), samples_.end()};
}

}  // namespace sash
