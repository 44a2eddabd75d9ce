// Lane: the windows of one axis, with the slicer they share.
//
// A slice is the pane of the lane's windows: the greatest common divisor of their slides.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"
#include "windows/slide/sliding_window.h"

namespace sash {

class Lane {
 public:
  struct Member {
    std::size_t index = 0;  // in the configuration's order of windows
    SlidingWindow window;
    double freeze_seconds = 0;  // spent on slices since the last advance
  };
  // False ends the closing at once; the lane is of no use then.
  using OnMoved = std::function<bool(Member&, SlidingWindow::Moved, double seconds)>;

  Lane(WindowAxis axis, Position pane) : axis_(axis), slicer_(pane) {}

  WindowAxis axis() const { return axis_; }
  Slicer& slicer() { return slicer_; }
  const Slicer& slicer() const { return slicer_; }
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }

  // Freezes every pane that ends at or before `position` and moves the windows over them, in the
  // order of their ends; windows of the same end in the order of the configuration.
  void CloseUntil(Position position, std::span<const std::uint32_t> ranks, VertexId id_limit,
                  const Clock& clock, const OnMoved& on_moved);

  // The stream has ended: closes every pane; the last window of each member is that of the last
  // on-time event.
  void CloseAll(std::span<const std::uint32_t> ranks, VertexId id_limit, const Clock& clock,
                const OnMoved& on_moved);

  // Begin of the oldest slice that a window holds or that is open.
  std::optional<Position> OldestBegin() const;

  // The lane's newest on-time position, for CloseAll().
  void NoteOnTime(Position position) {
    last_on_time_ = last_on_time_ ? std::max(*last_on_time_, position) : position;
  }

  std::uint64_t accepted = 0;  // events that entered the lane's slices
  std::uint64_t slices_closed = 0;

 private:
  using Limit = std::function<Position(const SlidingWindow&)>;
  // False when `on_moved` ended it: open panes may then lie before the limit.
  bool Close(const Limit& limit, std::span<const std::uint32_t> ranks, VertexId id_limit,
             const Clock& clock, const OnMoved& on_moved);
  void CloseSlice(std::span<const std::uint32_t> ranks, const Clock& clock);

  const WindowAxis axis_;
  Slicer slicer_;
  std::vector<Member> members_;
  std::optional<Position> last_on_time_;
};

// The lanes that `windows` need: one an axis, each with its members.
std::vector<Lane> MakeLanes(std::span<const WindowSpec> windows);

}  // namespace sash
