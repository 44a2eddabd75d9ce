// EngineState: all that an engine knows at one moment between two batches, so that another one goes
// on as if it were the first (WindowEngine::Capture(), Restore()).
//
// Thread safety: a plain value. It shares nothing with the engine but the pin.
//
// Invariants
//   (1) Frozen slices are not in it: those of a lane are named by their numbers, and are the newest
//       `retained` ones before slicer.next_id. WindowEngine hands out each once, when it closes.
//   (2) While `ids` is held, the ids in open slices keep their keys.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/coded_counts.h"
#include "windows/ingest/id_pin.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/rewind_point.h"
#include "windows/ingest/slicer_state.h"
#include "windows/slide/round_outline.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct PartitionState {
  TopicPartition pair;
  bool assigned = false;
  bool gap = false;
  std::optional<std::int64_t> next_offset;
  std::optional<EventTime> newest;
  Duration silent{};       // since its newest record was heard
  bool caught_up = false;  // its end was reached
  std::optional<RecordAnchor> anchor{};  // of the newest record that was applied, if known
};

struct WindowState {
  WindowSpec spec;
  SlidingWindow::State state;
};

struct LaneState {
  std::uint64_t serial = 0;  // names the lane for the life of the stream, over restarts
  WindowAxis axis = WindowAxis::kEventTime;
  Position pane = 0;
  SlicerState slicer;
  std::uint64_t retained = 0;
  bool begun_before = false;  // RetainedSlices::begun_before()
  std::optional<Position> complete_from;
  std::uint64_t accepted = 0;
  std::optional<Position> last_on_time;
  std::vector<WindowState> windows;  // as they were added

  std::uint64_t first_retained() const { return slicer.next_id - retained; }
};

struct EngineState {
  std::vector<PartitionState> partitions;  // by index
  std::optional<EventTime> watermark;
  std::optional<EventTime> gap_until;
  std::uint64_t numbered = 0;
  Position processing_time = 0;
  std::uint64_t next_serial = 0;
  std::vector<LaneState> lanes;
  Moment taken;                // the moment of the newest round; not restored
  std::uint64_t journal = 0;   // the number of the state in the journal; 0: there is none
  std::uint64_t advances = 0;  // published until then; not restored
  RewindPoint rewind;          // of that moment; not restored
  // How records became its edges, in words that the engine does not know; empty: nobody said it.
  // Not restored.
  std::string mapping;
  std::shared_ptr<const IdPin> ids;
};

// A slice that has just closed. While `ids` is held, its ids keep their keys.
struct ClosedSlice {
  std::uint64_t lane = 0;  // LaneState::serial
  std::shared_ptr<const Slice> slice;
  std::shared_ptr<const IdPin> ids;
};

// A frozen slice that was found again, its keys interned, and how often it names each vertex.
struct LoadedSlice {
  std::shared_ptr<const Slice> slice;
  CodedCounts end_points;  // CountEndPoints()
};

// Finds a frozen slice again by lane and number. In any thread, one at a time; asked for in the
// order of lanes in the state, and of slices in the lane.
using SliceLoader = std::function<Result<LoadedSlice>(std::uint64_t lane, SliceId id)>;

// Whether some engine can have been in the state between two rounds. In others a window may lie so
// far behind what has closed that whoever goes on from it would move it for days, slide by slide.
// kCorruption. Its lanes have panes, its windows slides, and what has closed are whole panes.
Status CheckCoherent(const EngineState& state);

// Whether the lane can retain a slice that lies there.
bool CanRetain(const LaneState& lane, Position begin, Position end);

// Whether an engine with these windows can go on from the state; if not, why. Windows that the
// state has beside them, which came while the process ran, are no obstacle: they are left out.
Status CheckFits(const EngineState& state, const std::vector<WindowSpec>& windows);

}  // namespace sash
