// StreamPast: the stream in the last five minutes, a sample a second, for charts that begin before
// their reader came.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) At most kMost samples, 48 bytes each, in the order of time.
//   (2) Two samples are at least kInterval apart.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"

namespace sash {

struct StreamSample {
  EventTime time{};           // of the wall clock
  std::uint64_t records = 0;  // read since the start of the process
  std::optional<std::int64_t> lag{};  // records that are not read yet; none: not known
  std::optional<EventTime> watermark{};
};

class StreamPast {
 public:
  static constexpr std::chrono::milliseconds kInterval{1000};
  static constexpr std::size_t kMost = 300;

  // Calls `sample` and keeps its answer, unless the last sample is less than kInterval old. Call it
  // more often than that.
  void Look(SteadyTime now, const std::function<StreamSample()>& sample);

  std::vector<StreamSample> Samples() const;  // oldest first

 private:
  mutable Mutex mutex_;
  std::optional<SteadyTime> last_ SASH_GUARDED_BY(mutex_);
  std::deque<StreamSample> samples_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
