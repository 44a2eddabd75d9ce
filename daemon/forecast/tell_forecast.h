// Forecast: what sashd --check and --probe say of a good configuration: when each window has its
// first result, and what it takes of memory.
#pragma once

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// From the file alone: of memory.limit as it is written there, since the process may run elsewhere.
void TellForecast(const Config& config, Findings& findings);

// Tries what the configuration names; of the limit that the process would have here, and at the
// rate at which records come.
void ProbeAndForecast(const Config& config, Findings& findings);

}  // namespace sash
