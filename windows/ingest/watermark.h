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

  // An event that is neither late nor refused.
  void Observe(PartitionIndex partition, EventTime time, SteadyTime now);
  // Any record, a refused one too: the partition is not silent.
  void Heard(PartitionIndex partition, SteadyTime now);
  void CaughtUp(PartitionIndex partition) { At(partition).caught_up = true; }
  void Behind(PartitionIndex partition) { At(partition).caught_up = false; }

  std::optional<EventTime> Newest(PartitionIndex partition) const {
    return partition < partitions_.size() ? partitions_[partition].newest : std::nullopt;
  }
  // Event time the partition has passed; nothing before its first event.
  std::optional<EventTime> Passed(PartitionIndex partition) const;
  bool IsIdle(PartitionIndex partition, SteadyTime now) const;

  // Call Advance() after events and now and then for the clock; it returns Current().
  std::optional<EventTime> Advance(SteadyTime now, EventTime wall);
  std::optional<EventTime> Current() const { return current_; }
  // True when an event of this partition cannot have moved the watermark: a quick way out.
  bool IsHeldBy(PartitionIndex partition) const { return !holder_ || *holder_ == partition; }

 private:
  struct Partition {
    std::optional<EventTime> newest;
    SteadyTime heard;
    bool assigned = false;
    bool caught_up = false;
  };

  Partition& At(PartitionIndex partition);

  const TimePolicy policy_;
  std::vector<Partition> partitions_;
  std::optional<EventTime> current_;
  std::optional<PartitionIndex> holder_;  // the partition with the least Passed(), if one is known
};

}  // namespace sash
