// Slicer: assigns the events of a stream to panes of one axis and freezes panes that have closed.
//
// It knows neither clocks nor watermarks: the engine says up to which position the axis has closed.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Panes close in order; closed_until() never falls, and nothing enters a closed pane.
//   (2) A late or refused record is counted in the pane of the newest event of its partition that
//       is not after the record; if that pane has closed, in the first open one. By event time,
//       filtered events are such events too, so the pane does not depend on other partitions. If no
//       event enters that pane, the record is counted in the next slice with on-time events.
//   (3) A closed pane's events are in the order of (event time, partition's rank, offset, place in
//       the record).
//   (4) A slice contains no duplicates by id (Dedupe()). Its account counts them as accepted
//       events.
//
// It has more methods than other classes: many return one number, and those that enter, count, show
// and close events all change the open panes.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/ingest/counted_ids.h"
#include "windows/ingest/deduplicator.h"
#include "windows/ingest/open_ids.h"
#include "windows/ingest/open_pane.h"
#include "windows/ingest/order_of_effect.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/slice_tail.h"
#include "windows/ingest/slicer_state.h"
#include "windows/ingest/waiting_counts.h"

namespace sash {

// floor(position / pane) * pane, for negative positions too.
Position PaneBegin(Position position, Position pane);

class Slicer {
 public:
  explicit Slicer(Position pane) : pane_(pane) {}

  // From now on, edges with ids may be duplicates. Call it before the first event; the axis must be
  // event time.
  void Dedupe(Duration within);
  bool dedupes() const { return deduplicator_.has_value(); }

  Position pane() const { return pane_; }
  Position closed_until() const { return closed_until_; }
  // Closed panes end at multiples of the pane, so no division is needed.
  bool IsClosed(Position position) const { return position < closed_until_; }

  // `position` must not be closed. `accepted` is the number of this event. `newest_before` is the
  // newest event time before this record in its partition (for rewinding).
  void Add(Position position, const BufferedEvent& event, std::uint64_t accepted,
           std::optional<EventTime> newest_before) {
    if (event.partition >= places_.size()) places_.resize(event.partition + std::size_t{1});
    const Place& place = places_[event.partition];
    // Events of a partition mostly follow each other into the same pane.
    if (!place.Takes(position, pane_, event.offset)) {
      Enter(position, event, accepted, newest_before);
    }
    place.pane->account.last_accepted = accepted;
    place.pane->account.on_time_passes |= event.passes;
    open_bytes_ += place.log->Append(event);
    ++open_events_;
  }
  // Records before `position` were never read; its pane has a gap.
  void MarkGap(Position position) { Open(position).account.gap = true; }
  // Adds a late event (late: next_slice). It does not count as first or last event.
  void AddLate(Position position, const BufferedEvent& event, std::uint64_t accepted,
               std::optional<EventTime> newest_before);
  // `reached`: the position of the newest event up to the record, filtered ones included; empty if
  // filtered events have no position on the axis.
  void CountLate(PartitionIndex partition, std::int64_t offset, std::optional<EventTime> newest,
                 std::optional<Position> reached = {});
  void CountRefused(PartitionIndex partition, std::int64_t offset, std::optional<EventTime> newest,
                    std::optional<Position> reached = {});

  // Counts late and refused records in a pane that is not closed, of a stored slice.
  void CountStored(Position position, std::uint64_t late, std::uint64_t refused);

  // The end of the first open pane that has a record; empty if there is none.
  std::optional<Position> NextEnd() const;
  // The same, for panes with an on-time event that passes the filter.
  std::optional<Position> NextEnd(FilterBits filter) const;

  // Freezes the pane of NextEnd(). `ranks` orders partitions (PartitionTable::Ranks).
  std::shared_ptr<const Slice> CloseNext(std::span<const std::uint32_t> ranks);

  // From now on, slices keep the places of their events, for TakeLogs().
  void KeepPlaces() { keeps_places_ = true; }
  // From now on, counts of a pane without events never join the next slice: another slicer may have
  // events in the pane. The counts come with the logs of the next slice (SliceLogs::apart); places
  // are kept too. Call it before the first event and without Restore(); the axis must be event
  // time.
  void KeepCountsApart() { counts_.KeepApart(); }
  // The counts of all panes that no slice has yet.
  std::vector<PaneCounts> CountsApart() const;

  // The logs of the slice that closed last; null unless places are kept.
  std::shared_ptr<const SliceLogs> TakeLogs() { return std::exchange(closed_logs_, nullptr); }

  // The duplicates that the last CloseNext() left out; removes them.
  std::vector<DuplicateEdge> TakeDuplicates() { return std::exchange(duplicates_, {}); }

  // Nothing before `position` (a multiple of the pane) will be accepted any more.
  void CloseUntil(Position position);

  // Calls visit(partition, PartitionShare) for all records that are not frozen.
  template <typename Visit>
  void VisitOpenShares(const Visit& visit) const {
    for (const auto& [begin, open] : open_) VisitShares(open.account, visit);
    counts_.ForEach([&](const SliceAccount& account) { VisitShares(account, visit); });
  }

  // Calls visit(source, target) for every event in an open pane.
  template <typename Visit>
  void VisitOpenEvents(const Visit& visit) const {
    for (const auto& [begin, open] : open_) open.VisitEvents(visit);
  }

  // Costs a copy of the open events.
  SlicerState State() const;
  // The state without the events and counts of panes. Open panes stay open, because records may
  // still be counted in them.
  SlicerState StateWithoutEvents() const;
  // Continues from the state of a slicer with the same pane. This slicer has seen nothing yet.
  void Restore(SlicerState state);

  // Judges the events in open panes by those of the filters `fresh` that judge by type; the events
  // pass none of the others. Costs time in proportion to these events, and memory: 8 bytes for each
  // event that had passed every filter.
  void Judge(FilterBits fresh, const NumberedTypeFilters& by_type);
  // The number of the next slice that closes.
  std::uint64_t next_id() const { return next_id_; }

  // Shows readers the events that entered since the last call, and returns the open slices with
  // events, oldest first. Costs a copy of these events. Readers that come after HideOpen() see none
  // of them.
  std::vector<OpenTail> ShowOpen();
  // Decides for readers which events of these slices count; null: edges are not deduplicated.
  // `ranks` orders partitions. The first call, and then one call in each Deduplicator::within(),
  // costs a copy of the deduplicator's state.
  std::shared_ptr<const OpenIds> ShowIds(
      const std::vector<OpenTail>& tails,
      const std::shared_ptr<const std::vector<std::uint32_t>>& ranks);
  void HideOpen();
  std::size_t tail_bytes() const;  // about

  // Calls visit(begin, events, SliceAccount) for every open pane with a record, oldest first.
  template <typename Visit>
  void VisitOpenSlices(const Visit& visit) const {
    for (const auto& [begin, open] : open_) visit(begin, open.events(), open.account);
  }

  // By events: SliceAccount::accepted_before of the oldest open pane; empty if none is open.
  std::optional<std::uint64_t> AcceptedBefore() const {
    if (open_.empty()) return std::nullopt;
    return open_.begin()->second.account.accepted_before;
  }

  std::uint64_t open_events() const { return open_events_; }
  std::uint64_t open_slices() const { return open_.size(); }
  std::size_t bytes() const;

 private:
  // The place of a partition's newest on-time event.
  struct Place {
    std::optional<Position> newest_pane;
    Position begin = 0;           // of `pane`
    OpenPane* pane = nullptr;     // null: it has closed
    PartitionLog* log = nullptr;  // in `pane`

    bool Takes(Position position, Position length, std::int64_t offset) const {
      return pane != nullptr &&
             static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(begin) <
                 static_cast<std::uint64_t>(length) &&
             offset >= log->last_offset();
    }
  };

  template <typename Visit>
  static void VisitShares(const SliceAccount& account, const Visit& visit) {
    for (const auto& [partition, share] : account.shares) visit(partition, share);
  }

  void RenewCountedIds(Position begin);
  OpenPane& Open(Position position);
  void Enter(Position position, const BufferedEvent& event, std::uint64_t accepted,
             std::optional<EventTime> newest_before);
  SliceAccount& CountingAccount(PartitionIndex partition, std::optional<Position> reached);
  void KeepLogs(std::span<PartitionLog* const> sorted, std::size_t bytes);

  const Position pane_;
  Position closed_until_ = std::numeric_limits<Position>::min();
  std::map<Position, OpenPane> open_;  // by begin
  std::vector<Place> places_;          // by partition
  WaitingCounts counts_;
  std::uint64_t open_events_ = 0;
  std::size_t open_bytes_ = 0;  // of the logs
  std::uint64_t next_id_ = 0;
  std::optional<Deduplicator> deduplicator_;
  // What readers know of closed slices; null: nothing (ShowIds()).
  std::shared_ptr<CountedIds> counted_ids_;
  Position counted_ids_from_ = 0;          // closed_until_ when it was made
  std::vector<DuplicateEdge> duplicates_;  // in the slice that closed last
  bool keeps_places_ = false;
  std::shared_ptr<const SliceLogs> closed_logs_;
};

}  // namespace sash
