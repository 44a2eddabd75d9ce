// StoredPane: the slice of an earlier run that a batch's events belong to, and what that run
// decided about it. Lateness is not decided again.
//
// Thread safety: a plain value.
#pragma once

#include <cstdint>

#include "windows/base/clock.h"

namespace sash {

struct StoredPane {
  EventTime begin{};  // the pane is [begin, end); earlier events were late and moved to it
  EventTime end{};
  // Slices of an earlier run that lie before this one are not there any more.
  bool lost_before = false;
  // After the batch's events: all events of the slice have come, and it closes. Only then, the
  // members below are valid.
  bool is_whole = false;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  bool gap = false;  // records just before one of its events were never read
};

}  // namespace sash
