// LivePublisher: publishes the live windows of a stream after each batch.
//
// Thread safety: belongs to the engine thread.
//
// Invariant: (1) where no window is live, it does nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/live_window.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/window_board.h"

namespace sash {

class LivePublisher {
 public:
  // All outlive it.
  LivePublisher(const EngineSurroundings& around, const StreamPartitions& partitions,
                LaneSet& lanes, VertexLifetimes& lives, WindowBoard& windows)
      : around_(around), partitions_(partitions), lanes_(lanes), lives_(lives), windows_(windows) {}

  // After a batch or a tick.
  void Publish();

 private:
  std::shared_ptr<const LiveCut> Cut() const;
  void PublishLane(Lane& lane, const std::shared_ptr<const LiveCut>& cut);
  AdvancePtr Published(const std::string& window, Position end) const;
  static bool HasBegun(const Lane& lane, const SlidingWindow& window);
  bool Lacks(const SlidingWindow& window, WindowAxis axis, Position begin) const;
  // The open slices of a lane at a cut.
  struct OpenSlices {
    std::vector<OpenTail> tails{};
    std::shared_ptr<const OpenIds> ids{};
  };
  static void NoteSleep(const SlidingWindow& window, const OpenSlices& open, LiveParts& parts);
  LiveWindowPtr WindowOf(Lane& lane, Lane::Member& member, const OpenSlices& open,
                         const std::shared_ptr<const LiveCut>& cut);

  const EngineSurroundings& around_;
  const StreamPartitions& partitions_;
  LaneSet& lanes_;
  VertexLifetimes& lives_;
  WindowBoard& windows_;
  std::shared_ptr<const std::vector<std::uint32_t>> ranks_;  // of the newest cut
};

}  // namespace sash
