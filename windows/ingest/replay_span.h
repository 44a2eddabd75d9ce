// ReplaySpan: the part of a stream that `sashd --replay` reads.
//
// Thread safety: a plain value.
#pragma once

#include "windows/base/clock.h"

namespace sash {

struct ReplaySpan {
  EventTime from{};
  EventTime to{};
  // The pane of the windows by event time, which decides what is late. 0: there are no such
  // windows, and nothing is late.
  Duration pane{};
};

}  // namespace sash
