#include "daemon/http/work_lanes.h"

#include <pthread.h>

#include "connectors/export/lowest_priority.h"

namespace sash {

void WorkLanes::Start() {
  constexpr std::array<const char*, kWorkLanes> kNames = {
      "http health", "http ready", "http metrics", "http quick", "http large", "http downloads"};
  for (std::size_t i = 0; i < kWorkLanes; ++i) {
    const bool yields = static_cast<WorkLane>(i) == WorkLane::kDownloads;
    lanes_[i].thread = std::thread([&queue = lanes_[i].queue, name = kNames[i], yields] {
      pthread_setname_np(pthread_self(), name);
      if (yields) TakeLowPriority();
      Run(queue);
    });
  }
}

void WorkLanes::Stop() {
  for (Lane& lane : lanes_) lane.queue.Stop();
  for (Lane& lane : lanes_) {
    if (lane.thread.joinable()) lane.thread.join();
    lane.queue.Drop();
  }
}

void WorkLanes::Run(WorkQueue& queue) {
  while (const WorkQueue::Work work = queue.Take()) work();
}

}  // namespace sash
