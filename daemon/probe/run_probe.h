// sashd --probe: tries what the configuration names, without changing anything and without
// consuming for the group.
#pragma once

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// Takes about ten seconds for each set of brokers and each topic that does not answer.
void RunProbe(const Config& config, Findings& findings);

}  // namespace sash
