// Forecast: what sashd --check and --probe report for a valid configuration: when each window has
// its first result, and how much memory it takes.
//
// Thread safety: belongs to one thread.
#pragma once

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// Uses the file alone, with memory.limit as written in it: the process may run on another host.
void TellForecast(const Config& config, Findings& findings);

// Tries what the configuration names; uses the memory limit that the process would have on this
// host, and the measured rate of the records.
void ProbeAndForecast(const Config& config, Findings& findings);

}  // namespace sash
