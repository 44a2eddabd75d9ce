// Publisher: makes an advance for each window that has moved, and passes it to the listener.
//
// Thread safety: belongs to the engine thread; any thread may call Abandon() and abandoned().
//
// Invariants
//   (1) Advances are passed on in order, each once.
//   (2) An advance that was published before a restart is not published again; it is recalled if
//       jobs compare results with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

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

  // False after Abandon().
  bool OnMoved(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
               const Timing& timing) override;

  // Every window of `lane` that ends at or before `position` has moved.
  void NoteAllPassed(const Lane& lane, Position position) const;

  // The stream begins. `resumed`: what this or another instance has published already.
  void NotePublished(const RewindPoint& resumed);

  // The point from which to read again in order to publish the next advances.
  RewindPoint Rewind() const;

  std::uint64_t advances() const { return advances_; }  // published

  // The current advance is the last one.
  void Abandon() { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

 private:
  void Publish(const Lane& lane, Lane::Member& member, SlidingWindow::Moved moved,
               const Timing& timing);
  void Recall(const Lane& lane, const Lane::Member& member, SlidingWindow::Moved moved);
  void PinForHistory(std::shared_ptr<const IdPin> newest);  // null: there is none yet
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
