// The states that an engine can have, and the windows with which it can continue from a state.
#include "windows/slide/engine_state.h"

#include <algorithm>
#include <limits>
#include <string>

#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

// Whether the slices of both windows hold the same events, and the windows hold the same slices.
// The store and the treatment of empty windows may differ.
bool HoldsTheSame(const WindowSpec& a, const WindowSpec& b) {
  return a.name == b.name && a.by == b.by && a.length == b.length && a.slide == b.slide &&
         a.offset == b.offset && a.duplicates == b.duplicates &&
         a.identity_of_duplicates() == b.identity_of_duplicates() && a.filter() == b.filter() &&
         (a.removals || !b.removals);
}

constexpr Position kNothing = std::numeric_limits<Position>::min();

Error Incoherent(const LaneState& lane, const std::string& what) {
  return {ErrorCode::kCorruption,
          "its state is impossible: lane " + std::to_string(lane.serial) + " " + what};
}

// The position that the lane's axis has reached, if known; the pane of this position is open.
std::optional<Position> Reached(const EngineState& state, const LaneState& lane) {
  switch (lane.axis) {
    case WindowAxis::kEventTime:
      if (!state.watermark) return std::nullopt;
      return ToPosition(*state.watermark);
    case WindowAxis::kProcessingTime:
      return state.processing_time;
    case WindowAxis::kEvents:
      break;
  }
  if (lane.accepted == 0) return std::nullopt;
  return static_cast<Position>(lane.accepted - 1);
}

// Whether the next end of the window, if it has one, is after `closed` and is one of the window's
// ends, and another end after it is in the range of a Position.
bool IsDueLater(const WindowState& window, Position closed) {
  const std::optional<Position>& end = window.state.next_end;
  if (!end) return true;
  return *end > closed && SinceEnd(window.spec, *end) == 0 &&
         *end <= std::numeric_limits<Position>::max() - window.spec.slide;
}

// Whether the lane has had no reason to close anything. It closes for the first time before any
// event enters it; by event time, as soon as the watermark is known.
bool HasSeenNothing(const EngineState& state, const LaneState& lane) {
  if (lane.axis == WindowAxis::kEventTime ? state.watermark.has_value()
                                          : !lane.slicer.open.empty()) {
    return false;
  }
  const auto is_awake = [](const WindowState& window) { return window.state.next_end.has_value(); };
  return lane.slicer.next_id == 0 && std::ranges::none_of(lane.windows, is_awake);
}

Status CheckCoherent(const EngineState& state, const LaneState& lane) {
  const Position closed = lane.slicer.closed_until;
  if (lane.accepted > static_cast<std::uint64_t>(std::numeric_limits<Position>::max())) {
    return Incoherent(lane, "has accepted more events than can be numbered");
  }
  if (closed == kNothing) {
    if (HasSeenNothing(state, lane)) return Ok{};
    return Incoherent(lane, "has closed nothing, but should have");
  }
  const std::optional<Position> reached = Reached(state, lane);
  if (reached && *reached >= closed + lane.pane) {
    return Incoherent(lane, "has closed until " + std::to_string(closed) + ", but has reached " +
                                std::to_string(*reached));
  }
  for (const WindowState& window : lane.windows) {
    if (IsDueLater(window, closed)) continue;
    return Incoherent(lane, "has closed until " + std::to_string(closed) + ", but window '" +
                                window.spec.name + "' ends next at " +
                                std::to_string(*window.state.next_end));
  }
  return Ok{};
}

}  // namespace

Status CheckCoherent(const EngineState& state) {
  for (const LaneState& lane : state.lanes) {
    if (Status coherent = CheckCoherent(state, lane); !coherent) return coherent;
  }
  return Ok{};
}

void NumberFilters(const FilterTexts& filters, EngineState& state) {
  const FilterNumbers numbers(state.filters, filters);
  state.filters = filters;
  if (numbers.are_same()) return;
  for (LaneState& lane : state.lanes) {
    for (OpenSliceState& open : lane.slicer.open) {
      open.account.on_time_passes = numbers.Translate(open.account.on_time_passes);
      for (PartitionLog& log : open.logs) log = log.Renumbered(numbers, state.types);
    }
  }
}

bool CanRetain(const LaneState& lane, Position begin, Position end) {
  return begin % lane.pane == 0 && end <= lane.slicer.closed_until && begin < end &&
         static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin) ==
             static_cast<std::uint64_t>(lane.pane);
}

Status CheckFits(const EngineState& state, const std::vector<WindowSpec>& windows) {
  std::size_t known = 0;
  for (const LaneState& lane : state.lanes) {
    for (const WindowSpec& spec : windows) {
      if (spec.by != lane.axis) continue;
      ++known;
      if (std::ranges::none_of(lane.windows, [&](const WindowState& window) {
            return HoldsTheSame(spec, window.spec);
          })) {
        return Error{ErrorCode::kInvalidArgument,
                     "there is no saved window '" + spec.name + "' with these settings"};
      }
    }
    const Position pane = PaneOf(windows, lane.axis);
    if (pane == 0) {
      return Error{ErrorCode::kInvalidArgument, "no window has the axis of the saved window '" +
                                                    lane.windows.front().spec.name + "'"};
    }
    if (pane != lane.pane) {
      return Error{ErrorCode::kInvalidArgument, "the saved slices have another pane"};
    }
  }
  if (known == windows.size()) return Ok{};
  return Error{ErrorCode::kInvalidArgument, "there are windows on an axis without saved windows"};
}

}  // namespace sash
