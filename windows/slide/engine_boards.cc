#include "windows/slide/engine_boards.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "windows/ingest/axis_position.h"

namespace sash {

void EngineBoards::Update() {
  UpdateStats();
  UpdateSlices();
  UpdateProgress();
  UpdateStores();
}

void EngineBoards::UpdateBeforeAdvance(const Lane& lane) {
  slices_.Update(lane.axis(), lane.retained(), lane.slicer());
  UpdateProgress();
}

void EngineBoards::UpdateStats() {
  std::uint64_t slices = 0;
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bytes = 0;
  for (const Lane& lane : lanes_) {
    slices += lane.slicer().open_slices();
    events += lane.slicer().open_events();
    bytes += lane.slicer().bytes() + lane.slicer().tail_bytes();
    retained += lane.retained_slices();
    retained_bytes += lane.retained_bytes();
  }
  around_.stats.open_slices = slices;
  around_.stats.open_events = events;
  around_.stats.open_bytes = bytes;
  around_.stats.slices_closed = lanes_.slices_closed();
  around_.stats.slices_retained = retained;
  around_.stats.retained_bytes = retained_bytes;
  around_.stats.account_takes = lanes_.takes();
  around_.progress.open_events = events;
  if (const auto watermark = partitions_.watermark().Current()) {
    around_.progress.watermark = ToPosition(*watermark);
  }
  around_.stats.idle_partitions = partitions_.CountIdle(time_.now);
  ++around_.stats.rounds;
  const VertexLifetimes::Figures figures = lives_.figures();
  around_.stats.ids_referred = figures.referred;
  around_.stats.ids_waiting = figures.waiting;
  around_.stats.ids_recycled = figures.recycled;
  around_.stats.lifetimes_bytes = lives_.bytes();
}

void EngineBoards::UpdateSlices() {
  for (const WindowAxis axis :
       {WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents}) {
    if (const Lane* const lane = lanes_.Find(axis)) {
      slices_.Update(axis, lane->retained(), lane->slicer());
    } else {
      slices_.Forget(axis);
    }
  }
}

void EngineBoards::UpdateProgress() {
  standing_.watermark = partitions_.watermark().Current();
  standing_.wall = time_.wall;
  standing_.processing_time = time_.processing_time;
  standing_.accepted = time_.numbered;
  standing_.ended = time_.ended;
  partitions_.FillStandings(time_.now, standing_.partitions);
  standing_.windows.clear();
  for (const Lane& lane : lanes_) {
    if (lane.axis() == WindowAxis::kEvents) standing_.accepted = lane.accepted;
    for (const Lane::Member& member : lane.members()) {
      if (member.window.spec().leader()) continue;
      standing_.windows.push_back(lane.StandingOf(member));
    }
  }
  progress_.Update(standing_);
}

void EngineBoards::UpdateStores() {
  std::vector<StoreStatus> stores;
  MemoryUse all;
  std::size_t advance = 0;  // the greatest: windows move one after the other
  for (const Lane& lane : lanes_) {
    for (const Lane::Member& member : lane.members()) {
      advance = std::max(advance, member.window.advance_bytes());
    }
    for (StoreStatus& store : lane.Stores()) {
      all += store.memory;
      stores.push_back(std::move(store));
    }
  }
  around_.stats.SetStoreMemory(all);
  around_.stats.advance_bytes = advance;
  windows_.SetStores(std::move(stores));
}

}  // namespace sash
