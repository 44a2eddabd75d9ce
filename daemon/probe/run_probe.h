// sashd --probe: tries what the configuration names, without changing anything and without
// consuming for the group.
#pragma once

#include <optional>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"
#include "daemon/probe/kafka_probe.h"

namespace sash {

// Takes about ten seconds for each set of brokers and each topic that does not answer. How fast
// records came of late, if that is known.
std::optional<SourceRate> RunProbe(const Config& config, Findings& findings);

}  // namespace sash
