// Watermark: event time up to which the stream is believed complete.
//
// A partition has passed its newest event time less the disorder. The watermark is the least of
// what the active partitions have passed. A partition is active from its assignment on, before its
// first record, and idle only while it is caught up and has been silent for idle_after.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Current() never falls.
//   (2) Passed() of a partition depends on that partition's events alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class Watermark {
 public:
  explicit Watermark(const TimePolicy& policy) : policy_(policy) {}

  void Assign(PartitionIndex partition, std::optional<EventTime> newest, SteadyTime now);

  // An event that is neither late nor refused. Current() follows it; true when that takes more than
  // looking at this partition: then call Advance().
  bool Observe(PartitionIndex partition, EventTime time, SteadyTime now) {
    Heard(partition, now);
    Partition& observed = partitions_[partition];
    const bool is_newest = !observed.newest || time > *observed.newest;
    if (is_newest) observed.newest = time;
    if (!IsHeldBy(partition)) return false;
    if (!holder_ || !is_bound_) return true;
    const EventTime passed = *observed.newest - policy_.disorder;
    if (passed > bound_) return true;
    if (*current_ < passed) current_ = passed;
    return false;
  }
  // Any record, a refused one too: the partition is not silent.
  void Heard(PartitionIndex partition, SteadyTime now) {
    Partition& heard = At(partition);
    if (heard.caught_up) Wake(heard, now);
    heard.heard = now;
  }
  void CaughtUp(PartitionIndex partition) { At(partition).caught_up = true; }
  void Behind(PartitionIndex partition) {
    Partition& behind = At(partition);
    if (behind.caught_up) is_bound_ = false;
    behind.caught_up = false;
  }

  std::optional<EventTime> Newest(PartitionIndex partition) const {
    return partition < partitions_.size() ? partitions_[partition].newest : std::nullopt;
  }
  // Event time the partition has passed; nothing before its first event.
  std::optional<EventTime> Passed(PartitionIndex partition) const {
    const std::optional<EventTime> newest = Newest(partition);
    if (!newest) return std::nullopt;
    return *newest - policy_.disorder;
  }
  bool IsIdle(PartitionIndex partition, SteadyTime now) const;

  // Call Advance() after events and now and then for the clock; it returns Current().
  std::optional<EventTime> Advance(SteadyTime now, EventTime wall);
  std::optional<EventTime> Current() const { return current_; }

 private:
  struct Partition {
    std::optional<EventTime> newest;
    SteadyTime heard;
    bool assigned = false;
    bool caught_up = false;
  };

  Partition& At(PartitionIndex partition) {
    if (partition >= partitions_.size()) partitions_.resize(partition + std::size_t{1});
    return partitions_[partition];
  }
  void Wake(Partition& partition, SteadyTime now) {
    partition.caught_up = false;
    if (now - partition.heard >= policy_.idle_after) is_bound_ = false;
  }
  // False when an event of this partition cannot move the watermark.
  bool IsHeldBy(PartitionIndex partition) const { return !holder_ || *holder_ == partition; }

  const TimePolicy policy_;
  std::vector<Partition> partitions_;
  std::optional<EventTime> current_;
  std::optional<PartitionIndex> holder_;  // the partition with the least Passed(), if one is known
  // The other active partitions have passed no less than this, as long as is_bound_: what one has
  // passed never falls, and one that becomes idle counts no more. One that is active again may have
  // passed less.
  EventTime bound_ = EventTime::max();
  bool is_bound_ = false;
};

}  // namespace sash
