#include "windows/slide/lane_set.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "windows/base/check.h"
#include "windows/ingest/axis_position.h"
#include "windows/slide/window_rules.h"

namespace sash {
Lane* LaneSet::Find(WindowAxis axis) {
  const auto lane = std::ranges::find(lanes_, axis, &Lane::axis);
  return lane == lanes_.end() ? nullptr : &*lane;
}

const Lane* LaneSet::Find(WindowAxis axis) const {
  const auto lane = std::ranges::find(lanes_, axis, &Lane::axis);
  return lane == lanes_.end() ? nullptr : &*lane;
}

Lane& LaneSet::MakeLane(WindowAxis axis, Position pane) {
  const auto on_released = [this](const RetainedSlice& slice) {
    ++around_.stats.slices_released;
    lives_.Release(slice.end_points);
  };
  Lane::OnClosed on_closed;
  if (around_.listener.keeps_slices()) {
    // Reads the serial number in each call, because Lane::Restore() changes it.
    on_closed = [this](const Lane& lane, const std::shared_ptr<const Slice>& slice,
                       const std::shared_ptr<const SliceLogs>& logs) {
      around_.listener.OnSlice({lane.serial, slice, lives_.Pin(), Texts(), logs});
    };
  }
  Lane& lane = lanes_.emplace_back(axis, pane, on_released, std::move(on_closed), around_.slots,
                                   Texts(), &around_.keys.types());
  lane.serial = next_serial_++;
  if (around_.listener.keeps_places() && axis == WindowAxis::kEventTime) {
    lane.slicer().KeepPlaces();
  }
  if (dedupe_within_ > Duration::zero() && axis == WindowAxis::kEventTime) {
    lane.Dedupe(dedupe_within_, [this](const std::vector<DuplicateEdge>& duplicates) {
      around_.stats.duplicates += duplicates.size();
      for (const DuplicateEdge& edge : duplicates) {
        lives_.Release(edge.source);
        lives_.Release(edge.target);
      }
    });
  }
  return lane;
}

void LaneSet::Open(const std::vector<WindowSpec>& windows) {
  filters_ = std::make_shared<const FilterSet>(FilterSet{0, FiltersOf(windows)});
  if (around_.alone) {
    SASH_CHECK(windows.empty());
    filters_ = std::make_shared<const FilterSet>(FilterSet{0, around_.alone->filters});
    MakeLane(WindowAxis::kEventTime, around_.alone->pane.count()).slicer().KeepCountsApart();
  }
  SASH_CHECK(filters().size() <= kMostFilters);
  for (const WindowAxis axis :
       {WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents}) {
    const Position pane = PaneOf(windows, axis);
    if (pane == 0) continue;
    Lane& lane = MakeLane(axis, pane);
    for (const WindowSpec& spec : windows) {
      if (spec.by == axis) lane.windows().Add(spec);
    }
    for (const WindowSpec& spec : windows) {
      if (spec.by == axis) NoteCompared(lane, spec);
    }
  }
  for (const WindowSpec& spec : windows) {
    board_.Put(spec);
    NoteReadable(*Find(spec.by), spec);
  }
}

void LaneSet::NoteReadable(Lane& lane, const WindowSpec& spec) {
  lane.windows().Retain(spec.name, spec.retain);
  board_.SetHistory(spec.name, lane.windows().HistoryOf(spec.name));
  lane.windows().ShowLive(spec.name, spec.live);
  if (!spec.live) board_.SetLive(spec.name, nullptr);
  if (!lane.windows().is_live()) lane.slicer().HideOpen();
}

void LaneSet::NoteCompared(Lane& lane, const WindowSpec& spec) const {
  const auto every = compared_.find(spec.name);
  lane.windows().Compare(spec.name,
                         every == compared_.end() ? std::set<std::uint32_t>() : every->second);
}

void LaneSet::Compare(const Compared& compared) {
  compared_ = compared;
  for (const WindowStatus& window : board_.Windows()) {
    NoteCompared(*Find(window.spec.by), window.spec);
  }
}

void LaneSet::Begin(std::optional<EventTime> last_before, const RewindPoint& resumed) {
  for (Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) lane.accepted = time_.numbered;
    if (lane.axis() != WindowAxis::kEventTime || !last_before) continue;
    lane.NoteOnTime(ToPosition(*last_before));
    for (LaneWindows::Member& member : lane.members()) {
      const WindowSpec& spec = member.window.spec();
      // A landmark window gets its first slice again.
      if (spec.length && resumed.published.contains(spec.name)) member.window.HadBegun();
    }
  }
}

// `pane`: the pane of the window's axis, if the axis has a lane.
Status LaneSet::CheckPut(const WindowSpec& spec, std::optional<Position> pane,
                         const FilterTexts& filters) const {
  if (Status sound = CheckWindow(spec); !sound) return sound;
  if (dedupe_within_ > Duration::zero() && spec.by != WindowAxis::kEventTime) {
    return RefusedWindow(
        "edges are deduplicated by id, which goes with windows by event time alone");
  }
  if (const auto before = board_.Find(spec.name); before && before->spec.by != spec.by) {
    return RefusedWindow("`by` cannot change; remove the window and add another");
  }
  if (spec.live && around_.slots != nullptr) {
    return RefusedWindow("live does not go with windows that are larger than memory");
  }
  if (spec.retain > 0 && around_.slots != nullptr) {
    return RefusedWindow("retain does not go with windows that are larger than memory");
  }
  const std::string filter = spec.filter();
  if (!filter.empty() && std::ranges::find(filters, filter) == filters.end()) {
    return RefusedWindow(
        (spec.types.empty() ? std::string("where is") : "types and where are") +
        " a new filter, by which the source does not judge; give the set of filters by "
        "which it judges from now on");
  }
  return pane ? CheckPane(spec, *pane) : Ok();
}

Status LaneSet::Put(const std::vector<WindowSpec>& specs, const FilterSetPtr& filters) {
  if (around_.alone) return RefusedWindow("this process has no windows");
  const FilterSetPtr next = filters == nullptr ? filters_ : filters;
  std::set<WindowAxis> new_axes;
  for (const WindowSpec& spec : specs) {
    const Lane* const lane = Find(spec.by);
    Status sound = CheckPut(
        spec, lane == nullptr ? std::nullopt : std::optional(lane->slicer().pane()), next->texts);
    if (!sound) return std::move(sound).error().Within("window '" + spec.name + "'");
    if (lane == nullptr) new_axes.insert(spec.by);
  }
  if (next != filters_) SetFilters(next);
  for (const WindowAxis axis : new_axes) BeginLane(MakeLane(axis, PaneOf(specs, axis)));
  for (const WindowSpec& spec : specs) PutChecked(spec);
  return Ok();
}

void LaneSet::PutChecked(const WindowSpec& spec) {
  Lane& lane = *Find(spec.by);
  if (const auto before = board_.Find(spec.name)) {
    if (before->spec == spec) return;
    WindowSpec read_otherwise = before->spec;
    read_otherwise.retain = spec.retain;
    read_otherwise.live = spec.live;
    if (read_otherwise != spec) lane.windows().Change(spec);
  } else {
    lane.windows().Add(spec);
  }
  NoteCompared(lane, spec);
  board_.Put(spec);
  NoteReadable(lane, spec);
}

void LaneSet::BeginLane(Lane& lane) const {
  const std::optional<EventTime> newest = partitions_.newest();
  if (!newest) return;  // the stream has not begun
  switch (lane.axis()) {
    case WindowAxis::kEventTime: {
      std::optional<Position> closed;
      if (const auto current = partitions_.watermark().Current()) closed = ToPosition(*current);
      lane.BeginAt(closed, BehindOf(lane.axis(), *newest));
      return;
    }
    case WindowAxis::kProcessingTime:
      lane.BeginAt(time_.processing_time, BehindOf(lane.axis(), *newest));
      return;
    case WindowAxis::kEvents:
      if (time_.numbered == 0) return;
      lane.accepted = time_.numbered;
      lane.BeginAt(static_cast<Position>(time_.numbered), BehindOf(lane.axis(), *newest));
      return;
  }
}

Status LaneSet::Remove(const std::string& window) {
  const std::optional<WindowStatus> status = board_.Find(window);
  if (!status) return Error{ErrorCode::kNotFound, "there is no such window"};
  if (board_.Windows().size() == 1)
    return RefusedWindow("it is the only window; add another first");
  Lane* const lane = Find(status->spec.by);
  lane->windows().Remove(window);
  if (lane->members().empty()) {
    lane->slicer().VisitOpenEvents([this](VertexId source, VertexId target) {
      lives_.Release(source);
      lives_.Release(target);
    });
    closed_elsewhere_ += lane->slices_closed;
    takes_elsewhere_ += lane->takes();
    std::erase_if(lanes_, [&](const Lane& other) { return &other == lane; });
  }
  board_.Remove(window);
  return Ok();
}

std::vector<LaneState> LaneSet::States() const {
  std::vector<LaneState> states;
  for (const Lane& lane : lanes_) states.push_back(lane.State());
  return states;
}

std::vector<LaneState> LaneSet::StatesWithoutEvents() const {
  std::vector<LaneState> states;
  for (const Lane& lane : lanes_) states.push_back(lane.StateWithoutEvents());
  return states;
}

Status LaneSet::Restore(std::vector<LaneState> states, const SliceLoader& load) {
  SASH_CHECK(states.size() == lanes_.size());
  const auto refer = [this](VertexId id, std::uint32_t times) { lives_.Refer(id, times); };
  const auto id_limit = [this] { return around_.keys.id_limit(); };
  for (LaneState& from : states) {
    Lane* const lane = Find(from.axis);
    SASH_CHECK(lane != nullptr && lane->slicer().pane() == from.pane);
    if (Status restored = lane->Restore(std::move(from), load, refer, id_limit); !restored) {
      return restored;
    }
  }
  return Ok{};
}

std::uint64_t LaneSet::slices_closed() const {
  std::uint64_t closed = closed_elsewhere_;
  for (const Lane& lane : lanes_) closed += lane.slices_closed;
  return closed;
}

std::uint64_t LaneSet::takes() const {
  std::uint64_t takes = takes_elsewhere_;
  for (const Lane& lane : lanes_) takes += lane.takes();
  return takes;
}

}  // namespace sash
