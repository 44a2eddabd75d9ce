// Publisher: makes an advance of each window that has moved, and hands it on.
//
// Thread safety: belongs to the engine thread; Abandon() and abandoned() may be called from any.
//
// Invariants
//   (1) Advances are handed on in order, each once.
//   (2) What has been published before a restart is not published again, but recalled where results
//       are compared with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "windows/ingest/rewind_point.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/jobs/advance.h"
#include "windows/slide/engine_boards.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/lane.h"
#include "windows/slide/lane_set.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/window_board.h"

namespace sash {

class Publisher final : public MoveListener {
 public:
  // All outlive it.
  Publisher(const EngineSurroundings& around, const StreamPartitions& partitions, LaneSet& lanes,
            VertexLifetimes& lives, EngineBoards& boards, WindowBoard& windows)
      : around_(around),
        partitions_(partitions),
        lanes_(lanes),
        lives_(lives),
        boards_(boards),
        windows_(windows) {}

  // False once it is abandoned.
  bool OnMoved(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
               const Timing& timing) override;

  // The stream begins behind what this or another instance has published.
  void NotePublished(const RewindPoint& resumed);

  // From where reading would have to go on, to publish what follows.
  RewindPoint Rewind() const;

  std::uint64_t advances() const { return advances_; }  // published

  // The advance in work is the last one.
  void Abandon() { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

 private:
  void Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
               const Timing& timing);
  void Recall(const Lane& lane, const Lane::Member& member, SlidingWindow::Moved moved);
  Provenance Describe(const Lane& lane, const WindowSpec& spec,
                      const SlidingWindow::Moved& moved) const;

  const EngineSurroundings& around_;
  const StreamPartitions& partitions_;
  LaneSet& lanes_;
  VertexLifetimes& lives_;
  EngineBoards& boards_;
  WindowBoard& windows_;
  std::uint64_t advances_ = 0;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace sash
