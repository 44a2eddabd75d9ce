// EngineBoards: what an engine shows of itself to other threads, brought up to date.
//
// Thread safety: the engine thread alone updates; the boards may be read by any thread.
#pragma once

#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/slice_board.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"
#include "windows/slide/window_board.h"

namespace sash {

class EngineBoards {
 public:
  // All outlive it. `windows` is kept by the lanes, but for the stores.
  EngineBoards(const EngineSurroundings& around, const StreamTime& time,
               const StreamPartitions& partitions, const LaneSet& lanes,
               const VertexLifetimes& lives, WindowBoard& windows)
      : around_(around),
        time_(time),
        partitions_(partitions),
        lanes_(lanes),
        lives_(lives),
        windows_(windows) {}

  // After a batch or a tick.
  void Update();
  // Before an advance of `lane` is handed on: its jobs may hold the engine for long.
  void UpdateBeforeAdvance(const Lane& lane);

  const SliceBoard& slices() const { return slices_; }
  const ProgressBoard& progress() const { return progress_; }

 private:
  void UpdateStats();
  void UpdateSlices();
  void UpdateProgress();
  void UpdateStores();

  const EngineSurroundings& around_;
  const StreamTime& time_;
  const StreamPartitions& partitions_;
  const LaneSet& lanes_;
  const VertexLifetimes& lives_;
  WindowBoard& windows_;
  SliceBoard slices_;
  ProgressBoard progress_;
  StreamStanding standing_;  // room for the next one on the board
};

}  // namespace sash
