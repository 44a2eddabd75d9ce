// Lane: the windows of one axis, with the slicer, the stores and the retained slices they share.
//
// A slice is the pane of the lane's windows: the greatest common divisor of the slides that the
// lane began with. A window that comes later has a multiple of it as its slide; the pane stays when
// windows leave.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) a closed slice is given once to each store and retained until no window holds it.
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

  // Called for a slice of the lane that has closed, once, while it refers to its vertices.
  using OnClosed = std::function<void(const Lane&, const std::shared_ptr<const Slice>&)>;

  // `slots`: where edges lie (StoreSpec::slots).
  Lane(WindowAxis axis, Position pane, RetainedSlices::OnReleased on_released,
       OnClosed on_closed = {}, std::pmr::memory_resource* slots = nullptr)
      : axis_(axis),
        slots_(slots),
        slicer_(pane),
        retained_(std::move(on_released)),
        on_closed_(std::move(on_closed)),
        windows_(slicer_, retained_, slots) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  WindowAxis axis() const { return axis_; }
  Slicer& slicer() { return slicer_; }
  const Slicer& slicer() const { return slicer_; }
  LaneWindows& windows() { return windows_; }
  std::vector<Member>& members() { return windows_.members(); }
  const std::vector<Member>& members() const { return windows_.members(); }

  // Costs a copy of the open events. Without its serial number.
  LaneState State() const { return StateWith(slicer_.State()); }
  // Likewise, without the events: it retains nothing, and open panes are empty.
  LaneState StateWithoutEvents() const;

  // The lane has its windows and nothing else. Loads the frozen slices, oldest first, and feeds
  // them to the stores. Calls `refer` for their vertices, then for those of open events. Windows
  // that are compared are recalled, with ids below `id_limit`. After an error the lane cannot be
  // used.
  using Refer = LaneRestore::Refer;
  Status Restore(LaneState state, const SliceLoader& load, const Refer& refer,
                 const std::function<VertexId()>& id_limit);

  // For a lane that is made while the stream runs: everything before `closed` has closed, and some
  // events before `missed` were never given to it.
  void BeginAt(std::optional<Position> closed, Position missed);

  // Before the first event, of a stream that is read again: `last` is the newest on-time position
  // behind where that begins.
  void HadBegun(Position last) {
    retained_.BeginAs(true, retained_.complete_from());
    NoteOnTime(last);
  }

  // Freezes every pane that ends at or before `position` and moves the windows over them, in the
  // order of their ends; windows of the same end in the order in which they were added.
  void CloseUntil(Position position, const Closing& closing);

  // The stream has ended: closes every pane; the last window of each member is that of the last
  // on-time event.
  void CloseAll(const Closing& closing);

  // Where the oldest slice that is retained or open begins, as far as the lane was there.
  std::optional<Position> OldestBegin() const;

  // From where the retained slices must be read again.
  RewindTotal Rewind() const { return retained_.Rewind(); }

  // The lane's newest on-time position, for CloseAll().
  void NoteOnTime(Position position) {
    last_on_time_ = last_on_time_ ? std::max(*last_on_time_, position) : position;
  }

  const RetainedSlices& retained() const { return retained_; }
  std::size_t retained_slices() const { return retained_.size(); }
  std::size_t retained_bytes() const { return retained_.bytes(); }
  // What the accounts have cost: SlidingFold::takes().
  std::uint64_t takes() const { return retained_.takes() + windows_.takes(); }
  std::vector<StoreStatus> Stores() const { return windows_.Stores(axis_); }

  // What `member`, one of members(), waits for.
  WindowStanding StandingOf(const Member& member) const;

  std::uint64_t serial = 0;    // LaneState::serial
  std::uint64_t accepted = 0;  // events that entered the lane's slices
  std::uint64_t slices_closed = 0;

 private:
  using Limit = std::function<Position(const SlidingWindow&)>;
  // False when the listener ended it: open panes may then lie before the limit.
  bool Close(const Limit& limit, const Closing& closing);
  void CloseSlice(const Closing& closing);
  // The advance of one window to its next end; false when the listener says so.
  bool Move(Member& member, SteadyTime due, const Closing& closing);
  void Spend(const AdvancePhases& times);  // in every window
  LaneState StateWith(SlicerState slicer) const;

  const WindowAxis axis_;
  std::pmr::memory_resource* const slots_;
  Slicer slicer_;
  RetainedSlices retained_;
  const OnClosed on_closed_;
  LaneWindows windows_;
  std::optional<Position> last_on_time_;
};

}  // namespace sash
