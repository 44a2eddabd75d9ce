// EngineState: the whole state of an engine at one moment between two batches. Another engine can
// continue from it as if it were the first (WindowEngine::Capture(), Restore()).
//
// Thread safety: a plain value. It shares only the pin with the engine.
//
// Invariants
//   (1) It does not contain frozen slices. Those of a lane are the newest `retained` slices before
//       slicer.next_id. WindowEngine gives each slice to its listener once, when it closes.
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
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/slicer_state.h"
#include "windows/ingest/type_table.h"
#include "windows/slide/round_outline.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/window_history.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct PartitionState {
  TopicPartition pair;
  bool assigned = false;
  bool gap = false;
  std::optional<std::int64_t> next_offset;
  std::optional<EventTime> newest;
  Duration silent{};                     // since its newest record came
  bool caught_up = false;                // its end was reached
  std::optional<RecordAnchor> anchor{};  // of the newest applied record, if known
};

struct WindowState {
  WindowSpec spec;
  SlidingWindow::State state;
  // Only for a historian: the windows of its leader that can be read again. The historian holds
  // every slice of each. Ids are those of the engine from which the state comes.
  std::vector<WindowHistory::Past> history{};
};

struct LaneState {
  std::uint64_t serial = 0;  // identifies the lane in its stream, also after restarts
  WindowAxis axis = WindowAxis::kEventTime;
  Position pane = 0;
  SlicerState slicer;
  std::uint64_t retained = 0;
  bool begun_before = false;  // RetainedSlices::begun_before()
  std::optional<Position> complete_from;
  std::uint64_t accepted = 0;
  std::optional<Position> last_on_time;
  std::vector<WindowState> windows;  // in the order in which they were added
  std::vector<SliceRewind> reach{};  // RetainedSlices::Reach()

  std::uint64_t first_retained() const { return slicer.next_id - retained; }
};

struct EngineState {
  std::vector<PartitionState> partitions;  // by index
  std::optional<EventTime> watermark;
  std::optional<EventTime> gap_until;
  std::uint64_t numbered = 0;
  Position processing_time = 0;
  std::uint64_t next_serial = 0;
  FilterTexts filters;  // by number: that of the bits in the lanes
  TypeWords types{};    // TypeTable::Words(): by number - 1
  std::vector<LaneState> lanes;
  Moment taken;                // the moment of the newest round; not restored
  std::uint64_t journal = 0;   // the number of the state in the journal; 0: there is none
  std::uint64_t advances = 0;  // published before that moment; not restored
  RewindPoint rewind;          // at that moment; not restored
  // The mapping of records to edges, as a text that the engine does not interpret; empty: not
  // known. Not restored.
  std::string mapping;
  // Only in a stored state: an open slice of event time has events whose places are not known.
  bool lacks_places = false;
  std::shared_ptr<const IdPin> ids;
};

// A slice that has just closed. While `ids` is held, its ids keep their keys.
struct ClosedSlice {
  std::uint64_t lane = 0;  // LaneState::serial
  std::shared_ptr<const Slice> slice;
  std::shared_ptr<const IdPin> ids;
  std::shared_ptr<const FilterTexts> filters;  // by number: that of the bits in the slice
  std::shared_ptr<const SliceLogs> logs{};     // null unless EngineListener::keeps_places()
};

// A frozen slice that was loaded, with its keys interned, its filters numbered as the engine's
// (WindowEngine::filters()), and its count for each vertex.
struct LoadedSlice {
  std::shared_ptr<const Slice> slice;
  CodedCounts end_points;  // CountEndPoints()
};

// Loads a frozen slice by lane and number. Called in any thread, one call at a time, in the order
// of the lanes in the state and of the slices in the lane.
using SliceLoader = std::function<Result<LoadedSlice>(std::uint64_t lane, SliceId id)>;

// Checks that an engine can have had this state between two rounds; if not, kCorruption. In an
// impossible state a window may be so far behind the closed position of its lane that the engine
// would move it for days, slide by slide. Requires panes and slides above 0, and closed positions
// at the ends of panes.
Status CheckCoherent(const EngineState& state);

// Gives the filters of the state the numbers that `filters` have. Filters that are new pass nothing
// but removals.
void NumberFilters(const FilterTexts& filters, EngineState& state);

// Whether the lane can retain a slice of [begin, end).
bool CanRetain(const LaneState& lane, Position begin, Position end);

// Checks that an engine with these windows can continue from the state; the error says why not.
// Windows that are only in the state, because they were added while the process ran, are allowed
// and ignored.
Status CheckFits(const EngineState& state, const std::vector<WindowSpec>& windows);

}  // namespace sash
