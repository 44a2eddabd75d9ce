#include "windows/slide/live_slices.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "windows/store/open_slice.h"

namespace sash {

std::optional<SliceArchive::Slices> LiveSlices(const WindowHistory& history, const LiveWindow& live,
                                               Position begin, Position end) {
  if (live.parts.IsAsleep()) return SliceArchive::Slices();
  begin = std::max(begin, live.begin.value_or(std::numeric_limits<Position>::min()));
  end = std::min(end, live.end);
  // Slices that have closed since the cut are in history too.
  auto slices = history.Entered(begin, std::min(end, live.closed_until));
  if (!slices) return std::nullopt;
  for (std::size_t i = 0; i < live.parts.tails.size(); ++i) {
    const Position tail = live.parts.tails[i].begin;
    if (tail >= end || tail + live.pane <= begin) continue;
    slices->push_back(ArchiveOpenSlice(live.parts, i, live.pane));
  }
  return slices;
}

}  // namespace sash
