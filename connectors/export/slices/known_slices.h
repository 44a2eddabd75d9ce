// KnownSlices: the slices that earlier runs made durable. They are not written again when their
// records are read once more.
//
// Thread safety: until() and Has() may be called from any thread; Tell() belongs to one thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/ingest/slice.h"

namespace sash {

class KnownSlices {
 public:
  // `ends`: of the slices that are there, ascending. `closed_before`: panes up to here count as
  // exported, whether they have a slice or not. `path`: of the export.
  KnownSlices(std::vector<EventTime> ends, std::optional<EventTime> closed_before, std::string path,
              EventLog& log);

  // The end up to which slices are known.
  std::optional<EventTime> until() const { return until_; }
  bool Has(EventTime end) const { return until_ && end <= *until_; }

  // A known slice has closed again. Logs that once; and every time if it has edges, and none of the
  // slices that are there could have them.
  void Tell(const Slice& slice);

 private:
  const std::vector<EventTime> ends_;
  const std::optional<EventTime> until_;
  const std::string path_;
  EventLog& log_;
  bool has_told_ = false;
};

}  // namespace sash
