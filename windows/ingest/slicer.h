// Slicer: assigns the events of a stream to panes of one axis and freezes panes that have closed.
//
// It knows nothing of clocks and watermarks: the engine says up to where the axis has closed.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Panes close in order; closed_until() never falls, and nothing enters a closed pane.
//   (2) A late or refused record is counted in the pane of the newest event before it in its
//       partition; if that has closed, in the first open one.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "windows/ingest/slice.h"

namespace sash {

// An accepted event with its vertices as ids.
struct BufferedEvent {
  EventTime time{};
  std::int64_t offset = 0;
  Weight weight{};
  VertexId source = 0;
  VertexId target = 0;
  PartitionIndex partition = 0;
  Operation operation = Operation::kAdd;
};

// floor(position / pane) * pane, for negative positions too.
Position PaneBegin(Position position, Position pane);

class Slicer {
 public:
  explicit Slicer(Position pane) : pane_(pane) {}

  Position pane() const { return pane_; }
  Position closed_until() const { return closed_until_; }
  bool IsClosed(Position position) const { return PaneBegin(position, pane_) < closed_until_; }

  // `position` must not be closed. `newest_before` is the newest event time before this record in
  // its partition (for rewinding).
  void Add(Position position, const BufferedEvent& event, std::uint64_t accepted,
           std::optional<EventTime> newest_before);
  // The pane of `position` follows records that were never read.
  void MarkGap(Position position) { Open(position).account.gap = true; }
  // Under late: next_slice. It does not count as first or last event.
  void AddLate(Position position, const BufferedEvent& event, std::uint64_t accepted,
               std::optional<EventTime> newest_before);
  void CountLate(PartitionIndex partition, std::int64_t offset, std::optional<EventTime> newest);
  void CountRefused(PartitionIndex partition, std::int64_t offset, std::optional<EventTime> newest);

  // End of the first open pane that holds anything.
  std::optional<Position> NextEnd() const;

  // Freezes that pane. `ranks` orders partitions (PartitionTable::Ranks).
  std::shared_ptr<const Slice> CloseNext(std::span<const std::uint32_t> ranks);

  // Nothing before `position` (a multiple of the pane) will be accepted any more.
  void CloseUntil(Position position);

  // visit(partition, PartitionShare) for everything that has not been frozen.
  template <typename Visit>
  void VisitOpenShares(const Visit& visit) const {
    for (const auto& [begin, open] : open_) VisitShares(open.account, visit);
    VisitShares(waiting_, visit);
  }

  // visit(event) for every event in an open pane.
  template <typename Visit>
  void VisitOpenEvents(const Visit& visit) const {
    for (const auto& [begin, open] : open_) {
      for (const BufferedEvent& event : open.events) visit(event);
    }
  }

  std::uint64_t open_events() const { return open_events_; }
  std::uint64_t open_slices() const { return open_.size(); }
  std::size_t bytes() const {
    // A deque has ten events in a block of 512 bytes, and a pointer to each block.
    constexpr std::size_t kEventBytes = sizeof(BufferedEvent) + 4;
    return open_events_ * kEventBytes + open_.size() * sizeof(OpenSlice);
  }

 private:
  struct OpenSlice {
    SliceAccount account;
    std::deque<BufferedEvent> events;  // no vector: growing one takes three times its bytes
  };

  template <typename Visit>
  static void VisitShares(const SliceAccount& account, const Visit& visit) {
    for (const auto& [partition, share] : account.shares) visit(partition, share);
  }

  OpenSlice& Open(Position position);
  SliceAccount& CountingAccount(PartitionIndex partition);
  static PartitionShare& Share(SliceAccount& account, PartitionIndex partition, std::int64_t offset,
                               std::optional<EventTime> newest_before);
  void Store(OpenSlice& slice, const BufferedEvent& event, std::uint64_t accepted,
             std::optional<EventTime> newest_before);

  const Position pane_;
  Position closed_until_ = std::numeric_limits<Position>::min();
  std::map<Position, OpenSlice> open_;              // by begin
  std::map<PartitionIndex, Position> newest_pane_;  // of the on-time events of a partition
  SliceAccount waiting_;  // counts that have no open pane yet; they join the next one to close
  bool has_waiting_ = false;
  std::uint64_t open_events_ = 0;
  std::uint64_t next_id_ = 0;
};

}  // namespace sash
