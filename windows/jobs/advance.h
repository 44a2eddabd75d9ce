// Advance: one move of a window, with all that a result says about it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/id_pin.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/rewind_point.h"
#include "windows/jobs/advance_phase.h"
#include "windows/store/window_view.h"

namespace sash {

class SliceArchive;

// Where the slices of a window are. They say when its edges came.
struct PastSlices {
  std::shared_ptr<const SliceArchive> archive;
  std::shared_ptr<const void> hold;  // of these slices; null: not all of them are there
  std::uint64_t newest = 0;  // SliceId
  VertexId id_limit = 0;     // above their ids
};

struct OffsetSpan {
  std::int64_t least = 0;
  std::int64_t greatest = 0;  // inclusive
};

// Where a result comes from.
struct Provenance {
  std::string window;
  SnapshotId snapshot;
  EventTime window_start;
  EventTime window_end;
  std::optional<EventTime> watermark;
  bool empty = false;
  bool gap = false;
  std::uint64_t edges = 0;
  std::uint64_t vertices = 0;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::map<TopicPartition, OffsetSpan> offsets;  // of accepted events
  std::optional<std::uint64_t> accepted;  // windows by events: number of the last accepted event
  // Only for a live view: by partition, the offset before which it has every record. Its result is
  // not final. `snapshot` is that of the window's newest advance (0: it has not advanced), and
  // `offsets` is empty.
  std::optional<std::map<TopicPartition, std::int64_t>> cut{};

  bool is_final() const { return !cut; }
};

// Thread safety: immutable. An Advance pins its view, and with it the keys of the view's vertices.
struct Advance {
  Provenance provenance;
  WindowView view;
  // Null when the view has no vertex: a window that is silent for long does not keep keys from
  // being forgotten.
  std::shared_ptr<const IdPin> ids;
  std::uint64_t number = 0;  // of all advances of all windows, from 1 since the process began
  std::int64_t end = 0;      // of the window, on its axis
  std::int64_t ordinal = 0;  // end / slide, rounded down; `every` counts by it
  std::uint64_t slices = 0;  // in the window
  std::uint64_t bytes = 0;   // held by the window's store, including what it shares with others
  double seconds = 0;        // duration of the advance, including freezing
  AdvancePhases phases;      // of these seconds, and the wait before
  // Republished after a restart, only for jobs with this `every` that compare results. 0: a new
  // advance.
  std::uint32_t recalled_for = 0;
  SteadyTime due{};    // when the engine saw that the window's end has passed
  std::optional<PastSlices> history{};  // of a window that has one
  RewindPoint rewind;  // where to read again from, once this advance's results are safe
};

using AdvancePtr = std::shared_ptr<const Advance>;

}  // namespace sash
