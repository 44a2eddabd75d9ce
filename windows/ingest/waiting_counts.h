// WaitingCounts: the late and refused records of a slicer that are in no open slice: counts of
// panes that no event has entered, and counts without a pane. They wait for a slice.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Counts of a pane before the slice that closes join that slice or a later one with on-time
//       events; with KeepApart() they join none, and come with the next slice.
//   (2) Nothing is counted twice: counts that a slice has taken are not here any more.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/slice_tail.h"
#include "windows/ingest/slicer_state.h"

namespace sash {

class WaitingCounts {
 public:
  // Slicer::KeepCountsApart().
  void KeepApart() { keeps_apart_ = true; }

  // The account of an open pane that no event has entered.
  SliceAccount& OfPane(Position begin) { return counted_[begin]; }
  // The account of records without a pane: their partition has no event yet, or no pane is open.
  SliceAccount& WithoutPane() {
    has_waiting_ = true;
    return waiting_;
  }
  bool has_waiting() const { return has_waiting_; }  // without a pane

  // Panes before `begin` will have no event any more: their counts wait for the next slice.
  void PassUntil(Position begin);
  // Adds the counts that belong to a slice that closes.
  void MoveTo(Slice& slice);
  // Adds to each slice the counts that it would take if all of them closed now, oldest first.
  void ForecastFor(std::vector<OpenTail>& open) const;
  // With KeepApart(): the counts of panes that had closed, and the counts without a pane, when the
  // newest slice closed. Removes them.
  std::vector<PaneCounts> TakeClosed() { return std::exchange(closed_apart_, {}); }
  // All counts here, by pane.
  std::vector<PaneCounts> Counts() const;

  // visit(account) for all accounts here.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& [begin, account] : counted_) visit(account);
    for (const auto& [begin, account] : passed_) visit(account);
    visit(waiting_);
  }

  // Adds the counts to a state that has the open slices.
  void AddTo(SlicerState& state) const;
  // Continues with the counts without a pane of a state. Nothing has been counted yet.
  void RestoreWithoutPane(std::optional<SliceAccount> waiting);

  std::size_t bytes() const;

 private:
  std::vector<PaneCounts> TakeApart();

  bool keeps_apart_ = false;
  std::map<Position, SliceAccount> counted_;  // by begin: in panes that are not closed
  SliceAccount waiting_;  // counts that have no open pane yet; they join the next one to close
  bool has_waiting_ = false;
  // KeepApart(), by begin: counts of closed panes without a slice, until the next one closes.
  std::map<Position, SliceAccount> passed_;
  std::vector<PaneCounts> closed_apart_;  // of the slice that closed last
};

}  // namespace sash
