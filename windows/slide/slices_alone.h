// SlicesAlone: a stream without windows, whose slices of event time close all the same.
//
// Thread safety: a plain value.
#pragma once

#include "windows/base/clock.h"
#include "windows/ingest/window_filters.h"

namespace sash {

struct SlicesAlone {
  Duration pane{};
  FilterTexts filters{};  // numbered as the bits of events
  friend bool operator==(const SlicesAlone&, const SlicesAlone&) = default;
};

}  // namespace sash
