// Bounded replay (sashd --replay): the configuration of a live process made one that runs a stretch
// of its topics' history and ends; and which windows that stretch holds whole.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "daemon/config/config.h"
#include "windows/base/result.h"
#include "windows/jobs/advance.h"
#include "windows/slide/window_spec.h"

namespace sash {

// As the command line has them: RFC 3339, or milliseconds since 1970.
Result<ReplaySpan> ParseSpan(std::string_view from, std::string_view to);

struct ReplayRefusal {
  int exit_code;
  std::string why;
};

// Refuses what has no meaning for a span, a span that holds no window, and files that hold
// something already: nothing is overwritten. Of what a live process uses at the same time it takes
// another HTTP port, and it leaves out its checkpoints and the topic of dead letters.
std::optional<ReplayRefusal> MakeBoundedReplay(const ReplaySpan& span, Config& config);

// Whether all of the window lies in the span. Events before it have been left out, so a window that
// begins with the stream, or counts events, does not begin before it.
bool HoldsWhole(const ReplaySpan& span, const std::vector<WindowSpec>& windows,
                const Provenance& window);

}  // namespace sash
