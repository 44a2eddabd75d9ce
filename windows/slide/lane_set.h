// LaneSet: the lanes of an engine, one for each axis that has a window, as windows join, change and
// leave.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A lane has a window; it leaves with the last one.
//   (2) A window that joins or leaves changes nothing in the advances of the others.
//   (3) What a lane buffers or retains refers to its vertices until the lane releases it or leaves.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "windows/base/result.h"
#include "windows/ingest/vertex_lifetimes.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/engine_surroundings.h"
#include "windows/slide/lane.h"
#include "windows/slide/stream_partitions.h"
#include "windows/slide/stream_time.h"
#include "windows/slide/window_board.h"
#include "windows/slide/window_spec.h"

namespace sash {

class LaneSet {
 public:
  using Compared = std::map<std::string, std::set<std::uint32_t>>;

  // All outlive it. `board` shows the windows.
  LaneSet(const EngineSurroundings& around, const StreamTime& time,
          const StreamPartitions& partitions, VertexLifetimes& lives, WindowBoard& board)
      : around_(around),
        time_(time),
        partitions_(partitions),
        lives_(lives),
        board_(board),
        compared_(around.compared) {}
  LaneSet(const LaneSet&) = delete;
  LaneSet& operator=(const LaneSet&) = delete;

  auto begin() { return lanes_.begin(); }
  auto end() { return lanes_.end(); }
  auto begin() const { return lanes_.begin(); }
  auto end() const { return lanes_.end(); }
  Lane* Find(WindowAxis axis);  // null when there is none
  const Lane* Find(WindowAxis axis) const;

  // The first windows; before the stream begins.
  void Open(const std::vector<WindowSpec>& windows);

  // The stream begins; the newest event before the place where reading begins has this time.
  void Begin(std::optional<EventTime> last_before);

  // WindowEngine::PutWindows(), RemoveWindow() and Compare().
  Status Put(const std::vector<WindowSpec>& specs);
  Status Remove(const std::string& window);
  void Compare(const Compared& compared);

  // In the order of the lanes; without events as Lane::StateWithoutEvents().
  std::vector<LaneState> States() const;
  std::vector<LaneState> StatesWithoutEvents() const;
  // The lanes are those of the states, and hold nothing.
  Status Restore(std::vector<LaneState> states, const SliceLoader& load);

  // The serial number of the next lane.
  std::uint64_t next_serial() const { return next_serial_; }
  void GoOnFrom(std::uint64_t next_serial) { next_serial_ = next_serial; }

  // Of all lanes that ever were.
  std::uint64_t slices_closed() const;
  std::uint64_t takes() const;

 private:
  Status CheckPut(const WindowSpec& spec, std::optional<Position> pane) const;
  void PutChecked(const WindowSpec& spec);
  void NoteCompared(Lane& lane, const WindowSpec& spec) const;
  Lane& MakeLane(WindowAxis axis, Position pane);
  // A lane made while the stream runs goes on where the stream is.
  void BeginLane(Lane& lane) const;

  const EngineSurroundings& around_;
  const StreamTime& time_;
  const StreamPartitions& partitions_;
  VertexLifetimes& lives_;
  WindowBoard& board_;
  Compared compared_;
  std::list<Lane> lanes_;
  std::uint64_t next_serial_ = 0;
  std::uint64_t closed_elsewhere_ = 0;  // slices of lanes that are gone
  std::uint64_t takes_elsewhere_ = 0;
};

}  // namespace sash
