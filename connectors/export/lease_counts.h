// The counts of the leases of an export, for metrics.
#pragma once

#include <cstdint>

namespace sash {

struct LeaseCounts {
  std::uint64_t leases = 0;       // now
  std::uint64_t at_most = 0;      // LeaseBounds::at_most
  std::uint64_t bytes = 0;        // of the leased snapshots, in whole pages
  std::uint64_t limit_bytes = 0;  // LeaseBounds::bytes
  double longest_seconds = 0;     // LeaseBounds::longest
  std::uint64_t taken = 0;
  std::uint64_t refused = 0;  // because a bound was reached
  std::uint64_t expired = 0;
  std::uint64_t revoked = 0;
};

}  // namespace sash
