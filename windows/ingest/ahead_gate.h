// AheadGate: holds events whose time is ahead of the clock until it is clear whether the record or
// the clock is wrong.
//
// An event is ahead when its time is later than the wall clock plus ahead_limit. The first record
// of a partition with such an event is held, with all later events and marks of the partition. The
// events of a record stay together; the newest of them decides. A held record is passed on
//   - when the clock has reached its time: then nothing was wrong with it;
//   - when the records read after it show that the clock is right: fewer than 90 % of the newest
//     1,000 are ahead. The engine then refuses the event, by the same clock. A record counts only
//     if it was written just now (its partition is live: read to its end a moment ago), or if it
//     follows the event in its partition: old records are also behind a clock that is wrong;
//   - when nothing more comes (everything has been read, for kPatience): then the records before it
//     count as well. Fewer than 90 % of the newest live records are ahead; or, when no live record
//     is in time, fewer than 10 % of all. Records from before the clock was set back do not count.
// Otherwise the record waits for the clock, or for other records. A partition that holds
// kMostEvents events or kMostBytes bytes is full: the caller stops reading it.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Events and marks of a partition leave in their order, each once, and the events of a record
//       in one batch.
//   (2) While a partition is held, the engine knows that it has more to read (kBehind).
//   (3) Records that a recovery needs (Reach::awaited_until) pass: the journal determines what
//       happens to them.
//   (4) If no event is ahead and nothing is held, the events and marks of a batch do not change.
//   (5) Nothing is held for a partition that has left. Its held events are dropped: the log of the
//       partition does not exist any more, so they could not be read again.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class AheadGate {
 public:
  static constexpr std::size_t kNewest = 1000;  // records that decide
  static constexpr std::size_t kMostEvents = kNewest;
  static constexpr std::size_t kMostBytes = 1 << 20;
  static constexpr std::chrono::seconds kPatience{2};

  // What the caller knows of a partition.
  struct Reach {
    bool live = false;
    bool at_end = true;  // everything has been read; also true for a partition that is not read
    std::int64_t awaited_until = 0;
  };
  // The first record that is held in a partition.
  struct Head {
    EventTime time{};  // of its newest event
    std::int64_t offset = 0;
    SteadyTime since{};
    std::size_t events = 0;  // held, this one included
  };

  AheadGate(const TimePolicy& policy, KeyKind keys) : policy_(policy), keys_(keys) {}

  void Know(PartitionIndex partition, const Reach& reach);

  // A round begins. `in_need`: memory is short, so any record read after an event counts.
  void Begin(EventTime wall, SteadyTime now, bool in_need);
  // Takes the events and marks that must wait out of the batches, and appends those that need not
  // wait any more to the last batch. `any_ahead`: the caller has seen an event that is ahead.
  void Pass(std::span<EventBatch> batches, bool any_ahead);

  bool IsAhead(EventTime time) const { return time - policy_.ahead_limit > wall_; }
  bool holding() const { return held_partitions_ > 0; }
  std::uint64_t dropped() const { return dropped_; }  // events; see (5)
  bool IsFull(PartitionIndex partition) const;
  std::optional<Head> HeadOf(PartitionIndex partition) const;  // empty when nothing is held

 private:
  struct Seen {        // a record that was read
    EventTime time{};  // of its newest event
    PartitionIndex partition = 0;
    bool live = false;
    bool ahead = false;  // when it was read
  };
  struct Arrival {
    std::uint64_t serial = 0;  // of the record, among all records read
    SteadyTime at{};
  };
  struct Partition {
    Reach reach;
    EventBatch held;                // from next_event and next_mark on
    std::vector<Arrival> arrivals;  // of the events of `held`; those of a record have the same
    std::size_t next_event = 0;
    std::size_t next_mark = 0;
    bool holds = false;
  };

  Partition& At(PartitionIndex partition);
  void See(PartitionIndex partition, EventTime newest);
  void SeeAll(const EventBatch& batch);
  bool MustWait(const EventBatch& batch) const;
  void Sort(EventBatch& batch);
  void Take(const EventBatch& batch, std::size_t first, std::size_t end, EventBatch& passed);
  static EventTime HeadTime(const Partition& partition);
  void ReleaseHead(Partition& partition, EventBatch& into);
  void Settle(Partition& partition);
  void Leave(Partition& partition);
  bool IsRefused(PartitionIndex index, const Partition& partition) const;
  bool SpeaksAgainst(const Seen& seen, EventTime time) const;
  bool IsRefusedByOthers(PartitionIndex index, const Partition& partition) const;
  bool IsRefusedByHistory(const Partition& partition) const;
  bool AllRead() const;
  std::uint64_t OldestSeen() const { return seen_ < kNewest ? 0 : seen_ - kNewest; }
  const Seen& SeenAt(std::uint64_t serial) const { return ring_[serial % kNewest]; }

  const TimePolicy policy_;
  const KeyKind keys_;
  std::vector<Partition> partitions_;  // by index
  std::size_t held_partitions_ = 0;
  std::uint64_t dropped_ = 0;
  std::array<Seen, kNewest> ring_{};
  std::uint64_t seen_ = 0;   // records; the newest are in the ring
  std::uint64_t valid_ = 0;  // records before this one were read before the clock was set back
  EventTime wall_{};
  SteadyTime now_{};
  bool has_begun_ = false;
  bool in_need_ = false;
};

}  // namespace sash
