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
#include <span>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/partition_standing.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class Watermark {
 public:
  explicit Watermark(const TimePolicy& policy) : policy_(policy) {}

  void Assign(PartitionIndex partition, std::optional<EventTime> newest, SteadyTime now);
  // It does not count any more. What it has passed stays known.
  void Unassign(PartitionIndex partition) {
    At(partition).assigned = false;
    holder_.reset();
  }

  // An event that is neither late nor refused. True when the watermark may have reached `due` by
  // it, or nothing is known of it: then Advance() tells. Until then Current() stays behind.
  bool Observe(PartitionIndex partition, EventTime time, SteadyTime now,
               EventTime due = EventTime::min()) {
    Heard(partition, now);
    Partition& observed = partitions_[partition];
    if (!observed.newest || time > *observed.newest) observed.newest = time;
    // Whoever held the watermark when it was last worked out had not passed `due` then; so all
    // active ones have when this one has, or Advance() finds another that has not.
    return !holder_ || (*holder_ == partition && *observed.newest - policy_.disorder >= due);
  }
  // Any record, a refused one too: the partition is not silent.
  void Heard(PartitionIndex partition, SteadyTime now) {
    Partition& heard = At(partition);
    heard.heard = now;
    heard.caught_up = false;
  }
  void CaughtUp(PartitionIndex partition) {
    At(partition).caught_up = true;
    if (holder_ == partition) holder_.reset();  // it may be idle, and hold nothing any more
  }
  void Behind(PartitionIndex partition) { At(partition).caught_up = false; }

  std::optional<EventTime> Newest(PartitionIndex partition) const {
    return partition < partitions_.size() ? partitions_[partition].newest : std::nullopt;
  }
  // Event time the partition has passed; nothing before its first event.
  std::optional<EventTime> Passed(PartitionIndex partition) const {
    const std::optional<EventTime> newest = Newest(partition);
    if (!newest) return std::nullopt;
    return *newest - policy_.disorder;
  }
  // Of a watermark that has seen nothing yet: it goes on from where another stood. Partitions count
  // from their Assign() on.
  void Restore(std::optional<EventTime> current, std::span<const std::optional<EventTime>> newest) {
    current_ = current;
    partitions_.resize(newest.size());
    for (std::size_t p = 0; p < newest.size(); ++p) partitions_[p].newest = newest[p];
  }

  bool IsIdle(PartitionIndex partition, SteadyTime now) const;
  // Its counts are left to who counts.
  PartitionStanding StandingOf(PartitionIndex partition, SteadyTime now) const;

  // Call Advance() after events and now and then for the clock; it returns Current().
  std::optional<EventTime> Advance(SteadyTime now, EventTime wall);
  std::optional<EventTime> Current() const { return current_; }
  // The partition that held it when Advance() was last called: until then events of no other move
  // it.
  std::optional<PartitionIndex> holder() const { return holder_; }

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

  const TimePolicy policy_;
  std::vector<Partition> partitions_;
  std::optional<EventTime> current_;
  std::optional<PartitionIndex> holder_;  // the partition with the least Passed(), if one is known
};

}  // namespace sash
