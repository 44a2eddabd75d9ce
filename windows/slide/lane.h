// Lane: the windows of one axis, with the slicer, the stores and the retained slices they share.
//
// A slice is the pane of the lane's windows: the greatest common divisor of the slides that it began
// with. A window that comes later has a multiple of it as its slide; the pane stays when windows
// leave.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Windows of equal StoreSpec share one store; a store without windows goes.
//   (2) A closed slice is given once to each store and retained until no window holds it; every
//       window holds the newest of the retained ones.
//   (3) Adding or removing a window changes nothing that another one publishes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/retained_slices.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/store_status.h"

namespace sash {

class WindowRecall;

class Lane {
 public:
  struct SharedStore {
    StoreSpec spec;
    std::shared_ptr<SliceStore> slices;
  };
  struct Member {
    SlidingWindow window;
    std::shared_ptr<SliceStore> slices;  // what the window's store shares
    AdvancePhases spent{};               // on slices since the last advance
    Duration spent_before{};             // of that, before the end of the next advance was due
    std::uint32_t recalled_for = 0;      // Advance::recalled_for; 0: nobody compares with it
    // After Restore(): the window published last, if its slices tell what it was.
    std::optional<SlidingWindow::Moved> recalled{};

    // Of its store, what it shares with other windows included.
    std::size_t bytes() const {
      return slices->shared_memory().total() + window.own_memory().total();
    }
  };
  // When an advance was due, and what it took.
  struct Timing {
    SteadyTime due;
    AdvancePhases phases;
  };
  // False ends the closing at once; the lane is of no use then.
  using OnMoved = std::function<bool(Member&, SlidingWindow::Moved, const Timing&)>;

  // Called for a slice of the lane that has closed, once, while it refers to its vertices.
  using OnClosed = std::function<void(const Lane&, const std::shared_ptr<const Slice>&)>;

  // `slots`: where edges lie (StoreSpec::slots).
  Lane(WindowAxis axis, Position pane, RetainedSlices::OnReleased on_released,
       OnClosed on_closed = {}, std::pmr::memory_resource* slots = nullptr)
      : axis_(axis),
        slots_(slots),
        slicer_(pane),
        retained_(std::move(on_released)),
        on_closed_(std::move(on_closed)) {}

  WindowAxis axis() const { return axis_; }
  Slicer& slicer() { return slicer_; }
  const Slicer& slicer() const { return slicer_; }
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }

  // Costs a copy of the open events. Without its serial number.
  LaneState State() const { return StateWith(slicer_.State()); }
  // Likewise, as if it had let go of every event: it retains nothing, and open panes are empty.
  LaneState StateWithoutEvents() const;

  // Of a lane that has its windows and nothing else. Loads the frozen slices, oldest first, and
  // feeds them to the stores; `refer` is told of their vertices, then of those of open events; what is
  // compared is recalled, of ids below `id_limit`. After an error the lane is of no use.
  using Refer = std::function<void(VertexId, std::uint32_t times)>;
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

  // A window joins, with those slices of its span that are still to be had: what the store of its
  // spec retains; when that is new, what stores of slices (rebuild) retain. Filling a new store
  // costs the edges of the window. The slide must be a multiple of the pane.
  void AddWindow(const WindowSpec& spec);

  // The window of that name becomes another: it has the old one's place and goes on numbering its
  // results, but begins as one that joins.
  void ChangeWindow(const WindowSpec& spec);

  // Of window `name`, results are compared that have so many slides between them, and no others: it is
  // recalled for each, by itself or by a follower.
  void Compare(std::string_view name, const std::set<std::uint32_t>& every);

  // The window leaves with its share of the store. Without windows the lane is of no use.
  void RemoveWindow(std::string_view name);

  // Freezes every pane that ends at or before `position` and moves the windows over them, in the
  // order of their ends; windows of the same end in the order in which they were added.
  void CloseUntil(Position position, std::span<const std::uint32_t> ranks, VertexId id_limit,
                  const Clock& clock, const OnMoved& on_moved);

  // The stream has ended: closes every pane; the last window of each member is that of the last
  // on-time event.
  void CloseAll(std::span<const std::uint32_t> ranks, VertexId id_limit, const Clock& clock,
                const OnMoved& on_moved);

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
  std::uint64_t takes() const;  // what the accounts have cost: SlidingFold::takes()
  std::vector<StoreStatus> Stores() const;

  // What `member`, one of members(), waits for.
  WindowStanding StandingOf(const Member& member) const;

  std::uint64_t serial = 0;    // LaneState::serial
  std::uint64_t accepted = 0;  // events that entered the lane's slices
  std::uint64_t slices_closed = 0;

 private:
  using Limit = std::function<Position(const SlidingWindow&)>;
  // False when `on_moved` ended it: open panes may then lie before the limit.
  bool Close(const Limit& limit, std::span<const std::uint32_t> ranks, VertexId id_limit,
             const Clock& clock, const OnMoved& on_moved);
  void CloseSlice(std::span<const std::uint32_t> ranks, const Clock& clock);
  // The advance of one window to its next end; false when `on_moved` says so.
  bool Move(Member& member, SteadyTime due, VertexId id_limit, const Clock& clock,
            const OnMoved& on_moved);
  void Spend(const AdvancePhases& times);  // in every window
  void RemoveMember(std::vector<Member>::iterator member);
  void ReleaseUnheld();

  LaneState StateWith(SlicerState slicer) const;
  std::vector<std::uint64_t> Wanted(const LaneState& state) const;
  Member* Find(std::string_view name);  // null: there is none
  void RemoveFollowers(std::string_view leader);
  // With what of the state is of its windows.
  void Align(LaneState& state) const;
  std::size_t PlaceOf(const Member& member) const;
  Status LoadSlices(const LaneState& state, std::span<const std::uint64_t> wanted,
                    const SliceLoader& load, const Refer& refer, WindowRecall& recall);

  // The newest `wanted` retained slices, or as many of them as can be had.
  struct Opened {
    std::shared_ptr<SliceStore> slices;
    std::unique_ptr<WindowStore> store;
    std::size_t held = 0;
  };
  Opened OpenStore(const StoreSpec& spec, std::size_t wanted);

  const WindowAxis axis_;
  std::pmr::memory_resource* const slots_;
  Slicer slicer_;
  RetainedSlices retained_;
  const OnClosed on_closed_;
  std::vector<SharedStore> stores_;
  std::vector<Member> members_;
  std::optional<Position> last_on_time_;
  std::uint64_t takes_of_removed_ = 0;
};

}  // namespace sash
