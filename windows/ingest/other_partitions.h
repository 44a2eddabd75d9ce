// OtherPartitions: what is known of the partitions of the stream that other processes read.
//
// Thread safety: Now() may be called from any thread; it does not wait.
#pragma once

#include <optional>

#include "windows/base/clock.h"

namespace sash {

class OtherPartitions {
 public:
  struct Standing {
    bool are_idle = false;  // every one of them is known to be idle
    // The time up to which an engine whose own partitions are all idle may close panes.
    std::optional<EventTime> until{};
  };
  virtual Standing Now() const = 0;

 protected:
  ~OtherPartitions() = default;
};

}  // namespace sash
