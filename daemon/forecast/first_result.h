// First result: when a window has its first result, so that nobody waits for one that is not due.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// How much of the window's axis lies between the first event and that which brings the first
// result, at most: nanoseconds, or events.
std::int64_t FirstResultWithin(const Config& config, const WindowSpec& window);

// For a person; rules in windows/semantics.md.
std::string FirstResultText(const Config& config, const WindowSpec& window);

// A line a window; a warning for one that no job looks at.
void TellFirstResults(const Config& config, Findings& findings);

}  // namespace sash
