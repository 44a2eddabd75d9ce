// LaneSet: the lanes of an engine, one for each axis that has a window. It adds, changes and
// removes windows.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A lane has at least one window; it is removed with its last window. The lane of
//       SlicesAlone has none, and windows cannot join.
//   (2) A window that joins or leaves does not change the advances of other windows.
//   (3) Buffered events and retained slices refer to their vertices until the lane releases them or
//       is removed.
//   (4) The bits of the lanes' events are those of filter_set(). Events that came before a filter
//       was in the set do not pass it, unless it judges by types alone.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/filter_set.h"
#include "windows/ingest/rewind_point.h"
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

  // All outlive it. It updates the windows on `board`. `dedupe_within`: TimePolicy.
  LaneSet(const EngineSurroundings& around, const StreamTime& time,
          const StreamPartitions& partitions, VertexLifetimes& lives, WindowBoard& board,
          Duration dedupe_within)
      : around_(around),
        time_(time),
        partitions_(partitions),
        lives_(lives),
        board_(board),
        dedupe_within_(dedupe_within),
        compared_(around.compared) {}
  LaneSet(const LaneSet&) = delete;
  LaneSet& operator=(const LaneSet&) = delete;

  auto begin() { return lanes_.begin(); }
  auto end() { return lanes_.end(); }
  auto begin() const { return lanes_.begin(); }
  auto end() const { return lanes_.end(); }
  Lane* Find(WindowAxis axis);  // null when there is none
  const Lane* Find(WindowAxis axis) const;

  // Adds the first windows, before the stream begins.
  void Open(const std::vector<WindowSpec>& windows);

  // The stream begins. `last_before`: the time of the newest event before the place where reading
  // begins. `resumed`: what was published before it.
  void Begin(std::optional<EventTime> last_before, const RewindPoint& resumed);

  // WindowEngine::PutWindows(), RemoveWindow() and Compare().
  Status Put(const std::vector<WindowSpec>& specs, const FilterSetPtr& filters);
  Status Remove(const std::string& window);
  void Compare(const Compared& compared);

  // In the order of the lanes. See Lane::State() and Lane::StateWithoutEvents().
  std::vector<LaneState> States() const;
  std::vector<LaneState> StatesWithoutEvents() const;
  // The lanes are those of the states, and hold no events yet.
  Status Restore(std::vector<LaneState> states, const SliceLoader& load);

  // The filters that windows may have: at first those of the first windows.
  const FilterSetPtr& filter_set() const { return filters_; }
  const FilterTexts& filters() const { return filters_->texts; }
  // The batch, with the numbers of filter_set(), has events that some filters did not judge.
  void NoteUnjudged(const EventBatch& batch);

  // The serial number of the next lane.
  std::uint64_t next_serial() const { return next_serial_; }
  void GoOnFrom(std::uint64_t next_serial) { next_serial_ = next_serial; }

  // Sums over all lanes, removed ones included.
  std::uint64_t slices_closed() const;
  std::uint64_t takes() const;

 private:
  Status CheckPut(const WindowSpec& spec, std::optional<Position> pane,
                  const FilterTexts& filters) const;
  void SetFilters(const FilterSetPtr& filters);
  std::shared_ptr<const FilterTexts> Texts() const { return {filters_, &filters_->texts}; }
  Position BehindOf(WindowAxis axis, EventTime newest) const;
  void PutChecked(const WindowSpec& spec);
  void NoteCompared(Lane& lane, const WindowSpec& spec) const;
  // What can be read of the window beside its newest snapshot: its history, live windows.
  void NoteReadable(Lane& lane, const WindowSpec& spec);
  Lane& MakeLane(WindowAxis axis, Position pane);
  // Starts a lane that is created while the stream runs at the stream's current position.
  void BeginLane(Lane& lane) const;

  const EngineSurroundings& around_;
  const StreamTime& time_;
  const StreamPartitions& partitions_;
  VertexLifetimes& lives_;
  WindowBoard& board_;
  const Duration dedupe_within_;
  Compared compared_;
  FilterSetPtr filters_ = std::make_shared<const FilterSet>();
  std::list<Lane> lanes_;
  std::uint64_t next_serial_ = 0;
  std::uint64_t closed_elsewhere_ = 0;  // slices_closed of removed lanes
  std::uint64_t takes_elsewhere_ = 0;   // takes() of removed lanes
};

}  // namespace sash
