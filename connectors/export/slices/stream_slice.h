// StreamSlice: a slice of a stream whose slices were exported. Its edges are in one table, or, if
// shards exported the stream, in a table of each shard that has edges of the pane.
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "connectors/export/slices/slice_facts.h"
#include "windows/base/clock.h"

namespace sash {

struct StreamSlice {
  // The part that one process wrote.
  struct Part {
    std::size_t folder = 0;  // its place in StoredStream::folders
    SliceFacts facts{};
  };

  // The end of the slice before it, which may be lost; none: it is the first one.
  std::optional<EventTime> previous{};
  EventTime begin{};  // the pane is [begin, end)
  EventTime end{};
  std::uint64_t lost = 0;  // files of slices that lie before it, and are not there any more
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  bool gap = false;           // records of it, or just before one of its edges, were never read
  std::vector<Part> parts{};  // at least one
};

}  // namespace sash
