// How far the state of an engine is from the small stream that is fed to it.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "windows/slide/engine_state.h"

namespace sash::fuzz {

// Whether the small stream continues near the state. Otherwise windows that never become empty are
// published at each slide in between: that takes long, and is not a finding.
inline bool IsNear(const EngineState& state) {
  constexpr std::int64_t kFar = 100'000;
  const auto near = [](std::optional<std::int64_t> position) {
    return !position || (*position > -kFar && *position < kFar);
  };
  const auto near_time = [&near](std::optional<EventTime> time) {
    return !time || near(time->time_since_epoch().count());
  };
  bool all = near_time(state.watermark) && near(state.processing_time);
  for (const PartitionState& each : state.partitions) all = all && near_time(each.newest);
  for (const LaneState& lane : state.lanes) {
    all = all && lane.accepted < static_cast<std::uint64_t>(kFar) &&
          lane.slicer.next_id < static_cast<std::uint64_t>(kFar) && near(lane.last_on_time);
    for (const OpenSliceState& open : lane.slicer.open) {
      all = all && near(open.begin) && near_time(open.account.least_time) &&
            near_time(open.account.greatest_time);
    }
    for (const auto& pane : lane.slicer.newest_panes) all = all && near(pane);
  }
  return all;
}

}  // namespace sash::fuzz
