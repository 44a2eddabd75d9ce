// LiveWindow: a window as it is between two advances (WindowSpec::live): the last window that would
// be published if the stream ended at a cut.
//
// Thread safety: immutable, so any thread may read it.
//
// Invariants
//   (1) A cut is taken after a batch, never within one: it has all events of the batches so far.
//   (2) The ids that it names keep their keys while it is held.
//   (3) The slices of the window that end at or before `closed_until` had closed at the cut. The
//       others that had events are those of parts.tails.
//   (4) What its closed slices count does not change when slices leave the window later.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/id_pin.h"
#include "windows/jobs/advance.h"
#include "windows/slide/account_totals.h"
#include "windows/store/live_fold.h"

namespace sash {

// How far a partition has been read at a cut.
struct CutPartition {
  PartitionIndex partition = 0;
  std::optional<std::int64_t> next_offset{};  // the cut has every record before it; empty: none
  std::optional<EventTime> newest{};          // the time of its newest accepted event
};

// A cut of the stream.
struct LiveCut {
  std::vector<CutPartition> partitions{};  // those that are read
  std::shared_ptr<const IdPin> ids{};
};

struct LiveWindow {
  std::shared_ptr<const LiveCut> cut{};
  LiveParts parts{};
  SnapshotId snapshot{};                // of the window's newest advance; 0: it has not advanced
  std::optional<std::int64_t> begin{};  // on the window's axis; empty: a landmark window
  std::int64_t end = 0;                 // likewise
  std::int64_t closed_until = 0;        // likewise
  std::int64_t pane = 0;                // the length of a slice, likewise
  LiveTotal closed{};                   // of its slices that had closed at the cut
  std::optional<std::uint64_t> accepted{};  // by events: number of the last accepted event
  bool gap = false;                         // it may lack events
  bool is_rebuilding = false;  // after a restart: it cannot be read yet, and has no parts
};

using LiveWindowPtr = std::shared_ptr<const LiveWindow>;

}  // namespace sash
