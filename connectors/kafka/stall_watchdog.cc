#include "connectors/kafka/stall_watchdog.h"

namespace sash {

std::vector<std::size_t> StallWatchdog::Suspects(std::span<const Partition> partitions,
                                                 SteadyTime now) {
  watches_.resize(partitions.size(), {.position = -1, .since = now});
  std::vector<std::size_t> suspects;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    Watch& watch = watches_[i];
    const bool moved = watch.position != partitions[i].position;
    if (partitions[i].expected && !moved && now - watch.since <= patience_) continue;
    if (partitions[i].expected && !moved) suspects.push_back(i);
    watch = {.position = partitions[i].position, .since = now};
  }
  return suspects;
}

}  // namespace sash
