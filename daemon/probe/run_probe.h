// sashd --probe: tries everything that the configuration names, without changing anything and
// without consuming for the group.
//
// Thread safety: belongs to one thread.
#pragma once

#include <optional>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"
#include "daemon/probe/kafka_probe.h"

namespace sash {

// Takes about ten seconds for each set of brokers and each topic that does not respond. Returns the
// recent rate of the records, if it is known.
std::optional<SourceRate> RunProbe(const Config& config, Findings& findings);

}  // namespace sash
