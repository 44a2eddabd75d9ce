// How an engine is kept and made anew.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "windows/base/check.h"
#include "windows/slide/axis_position.h"
#include "windows/slide/window_engine.h"

namespace sash {
namespace {

// What makes slices hold other events, or windows other slices. How a window is stored does not, nor
// whether it is published when empty.
bool HoldsTheSame(const WindowSpec& a, const WindowSpec& b) {
  return a.name == b.name && a.by == b.by && a.length == b.length && a.slide == b.slide &&
         a.duplicates == b.duplicates && (a.removals || !b.removals);
}

}  // namespace

Status CheckFits(const EngineState& state, const std::vector<WindowSpec>& windows) {
  std::size_t known = 0;
  for (const LaneState& lane : state.lanes) {
    // Those of an axis are in the order of the configuration.
    auto next = lane.windows.begin();
    for (const WindowSpec& spec : windows) {
      if (spec.by != lane.axis) continue;
      ++known;
      if (next == lane.windows.end() || !HoldsTheSame(spec, next->spec)) {
        return Error{ErrorCode::kInvalidArgument,
                     "window '" + spec.name + "' was not there, was another, or stood elsewhere"};
      }
      ++next;
    }
    if (next != lane.windows.end()) {
      return Error{ErrorCode::kInvalidArgument, "window '" + next->spec.name + "' is no more"};
    }
    Position pane = 0;
    for (const WindowState& window : lane.windows) pane = std::gcd(pane, window.spec.slide);
    if (pane != lane.pane) {
      return Error{ErrorCode::kInvalidArgument, "slices were made for other windows as well"};
    }
  }
  if (known == windows.size()) return Ok{};
  return Error{ErrorCode::kInvalidArgument, "windows by another axis have come"};
}

EngineState WindowEngine::Capture() {
  EngineState state;
  state.partitions.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    const PartitionStanding standing = watermark_.StandingOf(p, now_);
    state.partitions[p] = {.pair = around_.partitions.At(p),
                           .assigned = places_[p].assigned,
                           .gap = places_[p].gap,
                           .next_offset = places_[p].next_offset,
                           .newest = watermark_.Newest(p),
                           .silent = standing.silent,
                           .caught_up = standing.caught_up};
  }
  state.watermark = watermark_.Current();
  state.gap_until = gap_until_;
  state.numbered = numbered_;
  state.processing_time = processing_time_;
  state.next_serial = next_serial_;
  for (const Lane& lane : lanes_) state.lanes.push_back(lane.State());
  state.taken = {now_, wall_};
  state.advances = advances_;
  state.rewind = Rewind();
  state.ids = lives_.Pin();
  return state;
}

Status WindowEngine::Restore(EngineState state, const SliceLoader& load) {
  SASH_CHECK(places_.empty() && state.lanes.size() == lanes_.size());
  SASH_CHECK(around_.partitions.size() == state.partitions.size());
  std::vector<std::optional<EventTime>> newest;
  for (const PartitionState& partition : state.partitions) {
    places_.push_back({.gap = partition.gap, .next_offset = partition.next_offset});
    newest.push_back(partition.newest);
    stood_.push_back({partition.silent, partition.caught_up});
  }
  ranks_ = around_.partitions.Ranks();
  watermark_.Restore(state.watermark, newest);
  gap_until_ = state.gap_until;
  numbered_ = state.numbered;
  processing_time_ = state.processing_time;
  const auto refer = [this](VertexId id, std::uint32_t times) { lives_.Refer(id, times); };
  for (LaneState& from : state.lanes) {
    Lane* lane = LaneOf(from.axis);
    SASH_CHECK(lane != nullptr && lane->slicer().pane() == from.pane);
    if (Status restored = lane->Restore(std::move(from), load, refer); !restored) return restored;
  }
  next_serial_ = state.next_serial;
  is_restored_ = true;
  UpdateStats();
  return Ok{};
}

void WindowEngine::BeginRestored(const StreamStart& start) {
  ranks_ = around_.partitions.Ranks();
  places_.resize(ranks_.size());
  for (const PartitionIndex partition : start.partitions) {
    places_[partition].assigned = true;
    watermark_.Assign(partition, watermark_.Newest(partition), now_);
    if (start.stood && partition < stood_.size()) {
      watermark_.Heard(partition, *start.stood - stood_[partition].silent);
      if (stood_[partition].caught_up) watermark_.CaughtUp(partition);
    }
  }
  stood_.clear();
}

}  // namespace sash
