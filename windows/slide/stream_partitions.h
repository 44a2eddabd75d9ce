// StreamPartitions: the partitions of a stream in the engine: whether each counts, how far it has
// been read, and the watermark of them all.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) a partition that has left keeps its Place: the time it has passed stays known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_standing.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/rewind_point.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/watermark.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/live_window.h"

namespace sash {

class StreamPartitions {
 public:
  struct Place {
    bool assigned = false;
    bool gap = false;                         // the next event follows records that were never read
    std::optional<std::int64_t> next_offset;  // empty until it is known
    std::optional<RecordAnchor> anchor;       // of the newest record, if the source provides it
    std::uint64_t late = 0;                   // since its newest event that was in time
    std::uint64_t refused = 0;                // since its newest event that was in time
  };

  StreamPartitions(const TimePolicy& policy, const PartitionTable& table)
      : table_(table), watermark_(policy) {}

  // The stream begins. Returns the newest time of all events before the place where reading begins.
  std::optional<EventTime> Begin(const StreamStart& start, SteadyTime now);
  // The stream begins after Restore().
  void BeginRestored(const StreamStart& start, SteadyTime now);
  void Join(PartitionIndex partition, std::optional<std::int64_t> offset, SteadyTime now);
  void Leave(PartitionIndex partition);

  // Fills in the partitions, the watermark and the gap of the state.
  void Capture(EngineState& state, SteadyTime now) const;
  // Must be called before anything else.
  void Restore(const EngineState& state);

  // Whether the partition counts; after Restore() and before the stream begins, whether it counted
  // when the state was taken.
  bool IsRead(PartitionIndex partition) const {
    if (partition < stood_.size()) return stood_[partition].assigned;
    return partition < places_.size() && places_[partition].assigned;
  }

  Place& operator[](PartitionIndex partition) { return places_[partition]; }
  Watermark& watermark() { return watermark_; }
  const Watermark& watermark() const { return watermark_; }
  // The order in which events of equal time take effect, by partition (PartitionTable::Ranks).
  std::span<const std::uint32_t> ranks() const { return ranks_; }
  TopicPartition PairOf(PartitionIndex partition) const { return table_.At(partition); }

  // Before this time windows may lack records that were never read.
  std::optional<EventTime> gap_until() const { return gap_until_; }
  void NoteGap(EventTime time) { gap_until_ = std::max(gap_until_.value_or(time), time); }

  void NoteAnchors(const std::vector<PartitionAnchor>& anchors);

  // Adds the position from which each partition must be read again. `first`: the positions that the
  // slices require.
  void AddPositions(std::vector<std::optional<RewindPosition>> first, RewindPoint& point) const;

  std::optional<EventTime> newest() const;  // of all partitions
  std::vector<CutPartition> Cut() const;    // of those that are read
  std::uint64_t CountIdle(SteadyTime now) const;
  void FillStandings(SteadyTime now, std::vector<PartitionStanding>& standings) const;

 private:
  struct Stood {  // a partition in a restored state, until the stream begins
    Duration silent{};
    bool caught_up = false;
    bool assigned = false;
  };

  const PartitionTable& table_;
  Watermark watermark_;
  std::vector<Place> places_;
  std::vector<Stood> stood_;
  std::vector<std::uint32_t> ranks_;
  std::optional<EventTime> gap_until_;
};

}  // namespace sash
