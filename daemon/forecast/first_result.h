// First result: when a window will have its first result, so that a user does not expect it too
// early.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// The length of the window's axis between the first event and the event that brings the first
// result, at most: in nanoseconds or events.
std::int64_t FirstResultWithin(const Config& config, const WindowSpec& window);

// The text for a person; the rules are in windows/semantics.md.
std::string FirstResultText(const Config& config, const WindowSpec& window);

// One line for each window; a warning for a window without a job.
void TellFirstResults(const Config& config, Findings& findings);

}  // namespace sash
