// Bounded replay (sashd --replay): turns the configuration of a live process into one that runs a
// span of its topics' history and ends; and finds the windows that lie wholly in that span.
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

// Parses the command-line values: RFC 3339, or milliseconds since 1970.
Result<ReplaySpan> ParseSpan(std::string_view from, std::string_view to);

struct ReplayRefusal {
  int exit_code;
  std::string why;
};

// Refuses settings that have no meaning for a span, a span that holds no window, and output files
// that are not empty: nothing is overwritten. To avoid conflicts with the live process it takes
// another HTTP port, and leaves out its checkpoints and the topic of dead letters.
std::optional<ReplayRefusal> MakeBoundedReplay(const ReplaySpan& span, Config& config);

// Whether the whole window lies in the span. Events before the span are left out, so a window that
// begins with the stream, or counts events, does not begin before it.
bool HoldsWhole(const ReplaySpan& span, const std::vector<WindowSpec>& windows,
                const Provenance& window);

}  // namespace sash
