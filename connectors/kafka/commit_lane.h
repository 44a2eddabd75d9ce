// CommitLane: rewind points on their way to the broker: one at a time, and only the newest.
//
// Thread safety: Offer(), committed() and acknowledged() may be called from any thread; the others
// belong to one thread at a time.
//
// Invariants
//   (1) At most one point is in flight. A newer one replaces the one that waits.
//   (2) A point that failed is sent again after kRetryAfter, unless a newer one was offered.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

class CommitLane {
 public:
  static constexpr std::chrono::seconds kRetryAfter{1};

  void Offer(const RewindPoint& point);

  // The point to send now, if there is one; it is in flight until Finished().
  std::optional<RewindPoint> Take(SteadyTime now);

  // The last point before the end: as Take(), but without waiting for the point in flight or for
  // the time of a retry.
  std::optional<RewindPoint> TakeLast();

  void Finished(bool succeeded, SteadyTime now);
  bool in_flight() const { return sent_.has_value(); }

  // The positions of the newest point that the broker has; empty before the first one.
  std::vector<RewindPosition> committed() const;
  std::optional<RewindPoint> acknowledged() const;  // the newest point that the broker has

 private:
  mutable Mutex mutex_;
  std::optional<RewindPoint> waiting_ SASH_GUARDED_BY(mutex_);
  std::optional<RewindPoint> committed_ SASH_GUARDED_BY(mutex_);
  std::optional<RewindPoint> sent_;
  SteadyTime not_before_{};
};

}  // namespace sash
