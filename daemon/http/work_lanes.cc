#include "daemon/http/work_lanes.h"

#include <pthread.h>

#include <utility>

namespace sash {

void WorkLanes::Start() {
  constexpr std::array<const char*, kWorkLanes> kNames = {
      "http health", "http ready", "http metrics", "http quick", "http large"};
  for (std::size_t i = 0; i < kWorkLanes; ++i) {
    lanes_[i].thread = std::thread([&lane = lanes_[i], name = kNames[i]] {
      pthread_setname_np(pthread_self(), name);
      Run(lane);
    });
  }
}

void WorkLanes::Stop() {
  for (Lane& lane : lanes_) {
    const MutexLock lock(lane.mutex);
    lane.stopping = true;
    lane.changed.NotifyOne();
  }
  for (Lane& lane : lanes_) {
    if (lane.thread.joinable()) lane.thread.join();
    const MutexLock lock(lane.mutex);
    lane.queue.clear();
  }
}

void WorkLanes::Post(WorkLane lane, Work work) {
  Lane& of = lanes_[static_cast<std::size_t>(lane)];
  const MutexLock lock(of.mutex);
  of.queue.push_back(std::move(work));
  of.changed.NotifyOne();
}

void WorkLanes::Run(Lane& lane) {
  for (;;) {
    Work work;
    {
      const MutexLock lock(lane.mutex);
      while (!lane.stopping && lane.queue.empty()) lane.changed.Wait(lane.mutex);
      if (lane.stopping) return;
      work = std::move(lane.queue.front());
      lane.queue.pop_front();
    }
    work();
  }
}

}  // namespace sash
