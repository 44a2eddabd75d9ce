// Watermark: the event time up to which the stream is believed complete.
//
// A partition has passed its newest event time minus the disorder. The watermark is the least time
// that all active partitions have passed. A partition is active from its assignment on, even before
// its first record. It is idle only while it is caught up and has been silent for idle_after.
// While all partitions are idle, the partitions of other processes move it (FollowWhenIdle).
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Current() never falls.
//   (2) Passed() of a partition depends only on the events of that partition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/other_partitions.h"
#include "windows/ingest/partition_standing.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class Watermark {
 public:
  explicit Watermark(const TimePolicy& policy) : policy_(policy) {}

  // The stream has partitions that other processes read. `others` outlives it.
  void FollowWhenIdle(const OtherPartitions* others) { others_ = others; }

  void Assign(PartitionIndex partition, std::optional<EventTime> newest, SteadyTime now);
  // The partition does not count any more. The time that it has passed stays known.
  void Unassign(PartitionIndex partition) {
    At(partition).assigned = false;
    holder_.reset();
  }

  // Takes an event that is neither late nor refused. True if the watermark may now have reached
  // `due`, or if its holder is not known: then call Advance(). Current() does not change before.
  bool Observe(PartitionIndex partition, EventTime time, SteadyTime now,
               EventTime due = EventTime::min()) {
    Heard(partition, now);
    Partition& observed = partitions_[partition];
    if (!observed.newest || time > *observed.newest) observed.newest = time;
    // At the last Advance() the holder had not passed `due`. Until it has, the watermark cannot
    // have reached `due`. When it has, Advance() checks the other active partitions.
    return !holder_ || (*holder_ == partition && *observed.newest - policy_.disorder >= due);
  }
  // For any record, also a refused one: the partition is not silent.
  void Heard(PartitionIndex partition, SteadyTime now) {
    Partition& heard = At(partition);
    heard.heard = now;
    heard.caught_up = false;
  }
  void CaughtUp(PartitionIndex partition) {
    At(partition).caught_up = true;
    if (holder_ == partition) holder_.reset();  // it may be idle, and not the holder any more
  }
  void Behind(PartitionIndex partition) { At(partition).caught_up = false; }

  std::optional<EventTime> Newest(PartitionIndex partition) const {
    return partition < partitions_.size() ? partitions_[partition].newest : std::nullopt;
  }
  // The event time that the partition has passed; empty before its first event.
  std::optional<EventTime> Passed(PartitionIndex partition) const {
    const std::optional<EventTime> newest = Newest(partition);
    if (!newest) return std::nullopt;
    return *newest - policy_.disorder;
  }
  // Continues from the state of another watermark; this one has seen nothing yet. Partitions count
  // from their Assign() on.
  void Restore(std::optional<EventTime> current, std::span<const std::optional<EventTime>> newest) {
    current_ = current;
    partitions_.resize(newest.size());
    for (std::size_t p = 0; p < newest.size(); ++p) partitions_[p].newest = newest[p];
  }

  bool IsIdle(PartitionIndex partition, SteadyTime now) const;
  // Does not fill in the late and refused counters.
  PartitionStanding StandingOf(PartitionIndex partition, SteadyTime now) const;

  // The stream is complete up to this time, whatever its partitions have passed.
  void Reach(EventTime time) { current_ = std::max(current_.value_or(time), time); }

  // Call it after events, and regularly because the clock moves; it returns Current().
  std::optional<EventTime> Advance(SteadyTime now, EventTime wall);
  std::optional<EventTime> Current() const { return current_; }
  // The partition that held the watermark at the last Advance(): events of other partitions do not
  // move it. Empty if it is not known.
  std::optional<PartitionIndex> holder() const { return holder_; }

 private:
  struct Partition {
    std::optional<EventTime> newest;
    SteadyTime heard;
    bool assigned = false;
    bool caught_up = false;
  };

  std::optional<EventTime> InSilence(EventTime wall) const;
  Partition& At(PartitionIndex partition) {
    if (partition >= partitions_.size()) partitions_.resize(partition + std::size_t{1});
    return partitions_[partition];
  }

  const TimePolicy policy_;
  const OtherPartitions* others_ = nullptr;  // null: there are none
  std::vector<Partition> partitions_;
  std::optional<EventTime> current_;
  std::optional<PartitionIndex> holder_;  // the partition with the least Passed(), if known
};

}  // namespace sash
