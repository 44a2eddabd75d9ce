// What the memory forecast says of a configuration, as findings.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// One line for each window: the memory of a million edges, and how many edges `limit` holds. One
// line for each job whose kept results take a MiB or more; a warning when all of them take more
// than half of the limit.
void TellCapacity(const Config& config, std::optional<std::uint64_t> limit_bytes,
                  Findings& findings);

// One line for each window and one for the total: what they hold at this rate. A warning when that
// is more than the limit holds. `when`: the time at which the rate was measured.
void TellLoad(const Config& config, double events_per_second, const std::string& when,
              std::optional<std::uint64_t> limit_bytes, Findings& findings);

}  // namespace sash
