#include "connectors/export/slices/known_slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "connectors/export/log_events.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

std::optional<EventTime> LastOf(const std::vector<EventTime>& ends) {
  if (ends.empty()) return std::nullopt;
  return ends.back();
}

}  // namespace

KnownSlices::KnownSlices(std::vector<EventTime> ends, std::optional<EventTime> closed_before,
                         std::string path, EventLog& log)
    : ends_(std::move(ends)),
      until_(std::max(LastOf(ends_), closed_before)),
      path_(std::move(path)),
      log_(log) {}

// Either the slice is there, or it was removed, or its records came to a partition that had been
// idle, when the pane had closed already.
void KnownSlices::Tell(const Slice& slice) {
  const EventTime end{Duration(slice.end)};
  const bool was_removed = !ends_.empty() && end < ends_.front();
  if (!was_removed && !std::ranges::binary_search(ends_, end) && slice.size() > 0) {
    log_.Log(export_events::kSliceBehind,
             fmt::format("export {}: {} edges of the slice that ends at {} are in no slice: it had "
                         "closed without them in an earlier run",
                         path_, slice.size(), TimeText(end)),
             {{"edges", slice.size()}});
  }
  if (std::exchange(has_told_, true)) return;
  log_.Log(export_events::kSlicesKnown,
           fmt::format("export {}: slices up to {} are there from an earlier run; they are not "
                       "written again",
                       path_, TimeText(*until_)));
}

}  // namespace sash
