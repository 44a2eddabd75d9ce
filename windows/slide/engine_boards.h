// EngineBoards: updates the boards through which other threads see the state of an engine.
//
// Thread safety: only the engine thread updates; any thread may read the boards.
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
  // All outlive it. The lanes update `windows`; EngineBoards updates only its stores.
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
  // Call it before an advance of `lane` is passed on, because its jobs may block the engine for a
  // long time.
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
  StreamStanding standing_;  // filled for the next update, with memory that is used again
};

}  // namespace sash
