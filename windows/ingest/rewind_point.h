// RewindPoint: the place from which a stream must be read again, so that the windows after the
// newest published ones are exactly the same as without a restart.
//
// For each partition it has the first offset of the oldest slice that is still retained or open,
// and the newest event time before that offset, because it decides which events are late.
//
// Thread safety: a plain value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/record_anchor.h"

namespace sash {

struct RewindPosition {
  PartitionIndex partition = 0;
  std::int64_t offset = 0;                 // the first record to read again
  std::optional<EventTime> newest_before;  // newest accepted event time at lower offsets
  std::optional<RecordAnchor> anchor{};    // of the newest applied record, if known
  friend bool operator==(const RewindPosition&, const RewindPosition&) = default;
};

// The newest published snapshot of a window.
struct NewestWindow {
  std::uint64_t snapshot = 0;  // its number
  bool in_silence = false;     // nothing is published until the window is not empty again
  bool only_joined = false;    // it joined a running stream, or was changed, and has published
                               // nothing since
  friend bool operator==(const NewestWindow&, const NewestWindow&) = default;
};

struct RewindPoint {
  std::vector<RewindPosition> positions;
  // By window name: the end of the newest published window, on the window's axis (WindowSpec).
  // Windows up to it are rebuilt without being published again. With NewestWindow::only_joined, the
  // end before the first end that will be published.
  std::map<std::string, std::int64_t> published;
  std::optional<EventTime> gap_until;  // windows that start before it lack unread records
  // Windows by events: the number of events accepted before the first record of the oldest slice
  // that is retained or open, so that numbers continue. Exact for a stream of one partition; how
  // several partitions interleaved is not known after a restart.
  std::optional<std::int64_t> accepted_before{};
  // For the windows in `published`; a commit does not store the numbers of snapshots.
  std::map<std::string, NewestWindow> newest{};
  friend bool operator==(const RewindPoint&, const RewindPoint&) = default;
};

}  // namespace sash
