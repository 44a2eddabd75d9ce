// Lane: the windows of one axis, with the slicer, the stores and the retained slices they share.
//
// A slice covers one pane: the greatest common divisor of the slides and offsets of the windows
// with which the lane began. Slide and offset of a window that joins later must be multiples of the
// pane. The pane does not change when windows leave.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) a closed slice enters each store once and is retained until no window holds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"
#include "windows/slide/closing.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/lane_restore.h"
#include "windows/slide/lane_windows.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/retained_slices.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/store_status.h"

namespace sash {

class Lane {
 public:
  using Member = LaneWindows::Member;

  // Called once for each slice that closes, while the slice still refers to its vertices. The logs
  // are null unless the slicer keeps places (Slicer::KeepPlaces).
  using OnClosed = std::function<void(const Lane&, const std::shared_ptr<const Slice>&,
                                      const std::shared_ptr<const SliceLogs>&)>;

  // `slots`: the memory for edges (StoreSpec::slots). `filters`: those that windows may have.
  // `types` outlives the lane; null: edges have none.
  Lane(WindowAxis axis, Position pane, RetainedSlices::OnReleased on_released,
       OnClosed on_closed = {}, std::pmr::memory_resource* slots = nullptr,
       std::shared_ptr<const FilterTexts> filters = std::make_shared<const FilterTexts>(),
       const TypeTable* types = nullptr)
      : axis_(axis),
        slots_(slots),
        slicer_(pane),
        retained_(std::move(on_released)),
        on_closed_(std::move(on_closed)),
        windows_(slicer_, retained_, slots, std::move(filters), types) {}
  // From now on, edges with ids may be duplicates (Slicer::Dedupe), and rewind points reach further
  // back. `on_duplicates` gets those of each slice that closes, and releases their references.
  using OnDuplicates = std::function<void(const std::vector<DuplicateEdge>&)>;
  void Dedupe(Duration within, OnDuplicates on_duplicates);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  WindowAxis axis() const { return axis_; }
  Slicer& slicer() { return slicer_; }
  const Slicer& slicer() const { return slicer_; }
  LaneWindows& windows() { return windows_; }
  const LaneWindows& windows() const { return windows_; }
  std::vector<Member>& members() { return windows_.members(); }
  const std::vector<Member>& members() const { return windows_.members(); }

  // Costs a copy of the open events.
  LaneState State() const { return StateWith(slicer_.State()); }
  // The state without events: it retains nothing, and open panes are empty.
  LaneState StateWithoutEvents() const;

  // Requires a lane that has its windows and no events. Loads the frozen slices, oldest first, and
  // adds them to the stores. Calls `refer` for their vertices, then for those of open events.
  // Recalls the windows that jobs compare, with ids below `id_limit`. After an error the lane
  // cannot be used.
  using Refer = LaneRestore::Refer;
  Status Restore(LaneState state, const SliceLoader& load, const Refer& refer,
                 const std::function<VertexId()>& id_limit);

  // LaneWindows::SetFilters(). Of the filters `fresh`, those of `by_type` judge the events so far;
  // they pass none of the others.
  void SetFilters(std::shared_ptr<const FilterTexts> filters, FilterBits fresh,
                  const NumberedTypeFilters& by_type, std::optional<Position> judged_from);

  // For a lane that is created while the stream runs: everything before `closed` has closed, and
  // the lane lacks some events before `missed`.
  void BeginAt(std::optional<Position> closed, Position missed);

  // Freezes every pane that ends at or before `position`, and moves the windows in the order of
  // their ends; windows with the same end move in the order in which they were added.
  void CloseUntil(Position position, const Closing& closing);

  // The stream has ended: closes every pane. The last window of each member is the first one that
  // ends after the last on-time event.
  void CloseAll(const Closing& closing);

  // By events: the number of events accepted before the record from which the lane's slices,
  // retained and open, must be read again. It is less than the begin of the oldest slice if that
  // record gave edges to an earlier one.
  std::uint64_t AcceptedBefore() const;

  // The positions from which records must be read again for the retained slices.
  RewindTotal Rewind() const { return retained_.Rewind(); }

  // The lane's newest on-time position, for CloseAll().
  void NoteOnTime(Position position) {
    last_on_time_ = last_on_time_ ? std::max(*last_on_time_, position) : position;
  }

  std::optional<Position> last_on_time() const { return last_on_time_; }

  const RetainedSlices& retained() const { return retained_; }
  std::size_t retained_slices() const { return retained_.size(); }
  std::size_t retained_bytes() const { return retained_.bytes(); }
  // The cost of the accounts: SlidingFold::takes().
  std::uint64_t takes() const { return retained_.takes() + windows_.takes(); }
  std::vector<StoreStatus> Stores() const { return windows_.Stores(axis_); }

  // The progress of `member`, one of members().
  WindowStanding StandingOf(const Member& member) const;

  std::uint64_t serial = 0;    // LaneState::serial
  std::uint64_t accepted = 0;  // events that entered the lane's slices
  std::uint64_t slices_closed = 0;

 private:
  using Limit = std::function<Position(const SlidingWindow&)>;
  // False if the listener ended it: then panes before the limit may still be open.
  bool Close(const Limit& limit, const Closing& closing);
  void CloseSlices(Position position, const Closing& closing);  // of a lane without windows
  void CloseSlice(const Closing& closing);
  // Advances one window to its next end; false if the listener ends the closing.
  bool Move(Member& member, SteadyTime due, const Closing& closing);
  void Spend(const AdvancePhases& times);  // adds `times` to every window
  LaneState StateWith(SlicerState slicer) const;

  const WindowAxis axis_;
  std::pmr::memory_resource* const slots_;
  Slicer slicer_;
  RetainedSlices retained_;
  const OnClosed on_closed_;
  OnDuplicates on_duplicates_;
  LaneWindows windows_;
  std::optional<Position> last_on_time_;
};

}  // namespace sash
