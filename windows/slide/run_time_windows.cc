// The part of WindowEngine that other threads use: windows that come and go, and what they are.
#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "windows/ingest/axis_position.h"
#include "windows/slide/window_engine.h"

namespace sash {
namespace {

// A length or slide, for messages.
std::string ExtentText(std::int64_t extent, WindowAxis axis) {
  if (axis == WindowAxis::kEvents) return std::to_string(extent) + " events";
  for (const auto& [unit, name] : {std::pair{Duration(std::chrono::seconds(1)), "s"},
                                   std::pair{Duration(std::chrono::milliseconds(1)), "ms"}}) {
    if (extent % unit.count() == 0) return std::to_string(extent / unit.count()) + name;
  }
  return std::to_string(extent) + "ns";
}

Error Refused(std::string reason) { return {ErrorCode::kInvalidArgument, std::move(reason)}; }

// What is wrong with a window by itself.
Status CheckExtents(const WindowSpec& spec) {
  if (spec.name.empty()) return Refused("it has no name");
  if (spec.slide <= 0) return Refused("slide must be greater than 0");
  if (spec.length && (*spec.length <= 0 || *spec.length % spec.slide != 0)) {
    return Refused("length (" + ExtentText(*spec.length, spec.by) +
                   ") must be a multiple of slide (" + ExtentText(spec.slide, spec.by) + ")");
  }
  return Ok();
}

}  // namespace

PendingCommand WindowEngine::AddWindow(WindowSpec spec) {
  return commands_.Submit([this, spec = std::move(spec)]() -> Status {
    if (Find(spec.name)) {
      return Refused("there is a window of that name").Within("window '" + spec.name + "'");
    }
    return Put({spec});
  });
}

PendingCommand WindowEngine::PutWindows(std::vector<WindowSpec> specs) {
  return commands_.Submit([this, specs = std::move(specs)] { return Put(specs); });
}

PendingCommand WindowEngine::RemoveWindow(std::string name) {
  return commands_.Submit([this, name = std::move(name)]() -> Status {
    Status status = Remove(name);
    if (status) return status;
    return std::move(status).error().Within("remove window '" + name + "'");
  });
}

PendingCommand WindowEngine::Compare(Compared compared) {
  return commands_.Submit([this, compared = std::move(compared)]() -> Status {
    around_.compared = compared;
    for (const WindowStatus& window : Windows()) {
      NoteCompared(*LaneOf(window.spec.by), window.spec);
    }
    return Ok();
  });
}

Lane* WindowEngine::LaneOf(WindowAxis axis) {
  const auto lane = std::ranges::find(lanes_, axis, &Lane::axis);
  return lane == lanes_.end() ? nullptr : &*lane;
}

// `pane`: what a window of its axis has to fit.
Status WindowEngine::CheckPut(const WindowSpec& spec, std::optional<Position> pane) const {
  if (Status sound = CheckExtents(spec); !sound) return sound;
  if (const auto before = Find(spec.name); before && before->spec.by != spec.by) {
    return Refused("what it goes by cannot change; remove it and add another");
  }
  if (pane && spec.slide % *pane != 0) {
    return Refused("slide (" + ExtentText(spec.slide, spec.by) + ") must be a multiple of " +
                   ExtentText(*pane, spec.by) + ", the pane of the windows of this axis");
  }
  return Ok();
}

Status WindowEngine::Put(const std::vector<WindowSpec>& specs) {
  std::map<WindowAxis, Position> new_panes;
  for (const WindowSpec& spec : specs) {
    const Lane* const lane = LaneOf(spec.by);
    Status sound =
        CheckPut(spec, lane == nullptr ? std::nullopt : std::optional(lane->slicer().pane()));
    if (!sound) return std::move(sound).error().Within("window '" + spec.name + "'");
    if (lane == nullptr) new_panes[spec.by] = std::gcd(new_panes[spec.by], spec.slide);
  }
  for (const auto& [axis, pane] : new_panes) BeginLane(MakeLane(axis, pane));
  for (const WindowSpec& spec : specs) PutChecked(spec);
  return Ok();
}

void WindowEngine::PutChecked(const WindowSpec& spec) {
  Lane& lane = *LaneOf(spec.by);
  if (const auto before = Find(spec.name)) {
    if (before->spec == spec) return;
    lane.ChangeWindow(spec);
  } else {
    lane.AddWindow(spec);
  }
  NoteCompared(lane, spec);
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::find_if(
      windows_, [&](const WindowStatus& status) { return status.spec.name == spec.name; });
  if (place == windows_.end()) {
    windows_.push_back({spec, nullptr});
  } else {
    place->spec = spec;
  }
}

void WindowEngine::BeginLane(Lane& lane) const {
  std::optional<EventTime> newest;
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    newest = std::max(newest, watermark_.Newest(p));
  }
  if (!newest) return;  // the stream has not begun
  switch (lane.axis()) {
    case WindowAxis::kEventTime: {
      std::optional<Position> closed;
      if (const auto current = watermark_.Current()) closed = ToPosition(*current);
      lane.BeginAt(closed, ToPosition(*newest) + 1);
      return;
    }
    case WindowAxis::kProcessingTime:
      lane.BeginAt(processing_time_, processing_time_ + 1);
      return;
    case WindowAxis::kEvents:
      if (numbered_ == 0) return;
      lane.accepted = numbered_;
      lane.BeginAt(static_cast<Position>(numbered_), static_cast<Position>(numbered_));
      return;
  }
}

Status WindowEngine::Remove(const std::string& name) {
  const std::optional<WindowStatus> window = Find(name);
  if (!window) return Error{ErrorCode::kNotFound, "there is none of that name"};
  if (Windows().size() == 1) return Refused("it is the only one; add another first");
  Lane* lane = LaneOf(window->spec.by);
  lane->RemoveWindow(name);
  if (lane->members().empty()) {
    ReleaseOpen(*lane);
    closed_elsewhere_ += lane->slices_closed;
    takes_elsewhere_ += lane->takes();
    std::erase_if(lanes_, [&](const Lane& other) { return &other == lane; });
  }
  const std::lock_guard lock(mutex_);
  std::erase_if(windows_, [&](const WindowStatus& status) { return status.spec.name == name; });
  return Ok();
}

std::vector<WindowEngine::WindowStatus> WindowEngine::Windows() const {
  const std::lock_guard lock(mutex_);
  return windows_;
}

std::optional<WindowEngine::WindowStatus> WindowEngine::Find(std::string_view window) const {
  const std::lock_guard lock(mutex_);
  for (const WindowStatus& status : windows_) {
    if (status.spec.name == window) return status;
  }
  return std::nullopt;
}

std::vector<StoreStatus> WindowEngine::Stores() const {
  const std::lock_guard lock(mutex_);
  return stores_;
}

}  // namespace sash
