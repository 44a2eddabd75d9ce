// How an engine is kept and made anew.
#include <utility>

#include "windows/base/check.h"
#include "windows/slide/window_engine.h"

namespace sash {

// All but the lanes.
EngineState WindowEngine::CaptureStream() {
  EngineState state;
  state.partitions.resize(places_.size());
  for (PartitionIndex p = 0; p < places_.size(); ++p) {
    const PartitionStanding standing = watermark_.StandingOf(p, now_);
    Stood stood{standing.silent, standing.caught_up, places_[p].assigned};
    if (p < stood_.size()) stood = stood_[p];  // has not begun: as it was found
    state.partitions[p] = {.pair = around_.partitions.At(p),
                           .assigned = stood.assigned,
                           .gap = places_[p].gap,
                           .next_offset = places_[p].next_offset,
                           .newest = watermark_.Newest(p),
                           .silent = stood.silent,
                           .caught_up = stood.caught_up,
                           .anchor = places_[p].anchor};
  }
  state.watermark = watermark_.Current();
  state.gap_until = gap_until_;
  state.numbered = numbered_;
  state.processing_time = processing_time_;
  state.next_serial = next_serial_;
  state.taken = {now_, wall_};
  state.advances = advances_;
  state.rewind = Rewind();
  return state;
}

EngineState WindowEngine::Capture() {
  EngineState state = CaptureStream();
  for (const Lane& lane : lanes_) state.lanes.push_back(lane.State());
  state.ids = lives_.Pin();
  return state;
}

EngineState WindowEngine::CaptureWithoutEvents() {
  EngineState state = CaptureStream();
  for (const Lane& lane : lanes_) state.lanes.push_back(lane.StateWithoutEvents());
  return state;
}

Status WindowEngine::Restore(EngineState state, const SliceLoader& load) {
  SASH_CHECK(places_.empty() && state.lanes.size() == lanes_.size());
  SASH_CHECK(around_.partitions.size() >= state.partitions.size());
  std::vector<std::optional<EventTime>> newest;
  for (const PartitionState& partition : state.partitions) {
    places_.push_back({.gap = partition.gap,
                       .next_offset = partition.next_offset,
                       .anchor = partition.anchor});
    newest.push_back(partition.newest);
    stood_.push_back({partition.silent, partition.caught_up, partition.assigned});
  }
  ranks_ = around_.partitions.Ranks();
  watermark_.Restore(state.watermark, newest);
  gap_until_ = state.gap_until;
  numbered_ = state.numbered;
  processing_time_ = state.processing_time;
  const auto refer = [this](VertexId id, std::uint32_t times) { lives_.Refer(id, times); };
  const auto id_limit = [this] { return IdLimit(); };
  for (LaneState& from : state.lanes) {
    Lane* lane = LaneOf(from.axis);
    SASH_CHECK(lane != nullptr && lane->slicer().pane() == from.pane);
    if (Status restored = lane->Restore(std::move(from), load, refer, id_limit); !restored) {
      return restored;
    }
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
    if (!IsRead(partition)) {
      Join(partition, std::nullopt);
      continue;
    }
    places_[partition].assigned = true;
    watermark_.Assign(partition, watermark_.Newest(partition), now_);
    if (start.stood) {
      watermark_.Heard(partition, *start.stood - stood_[partition].silent);
      if (stood_[partition].caught_up) watermark_.CaughtUp(partition);
    }
  }
  stood_.clear();
  for (const RewindPosition& position : start.resumed.positions) {
    places_[position.partition].next_offset = position.offset;
    places_[position.partition].anchor = position.anchor;
  }
  // Another instance may have gone on from here, and published what this one would publish again.
  NotePublished(start.resumed);
}

}  // namespace sash
