// What an export of windows has done, for metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "connectors/export/lease_counts.h"
#include "windows/base/clock.h"

namespace sash {

struct ExportWindowCounts {
  std::string window;
  std::uint64_t written = 0;       // snapshots
  std::uint64_t replaced = 0;      // advances that a newer one replaced while they waited
  std::uint64_t beyond_limit = 0;  // advances that were not written because of the limit
  std::uint64_t failures = 0;
  std::optional<double> last_seconds{};  // of the newest snapshot
};

// The counts of an export of slices.
struct SliceExportCounts {
  std::uint64_t waiting = 0;        // closed, and not durable yet
  std::uint64_t waiting_bytes = 0;  // of memory
  std::uint64_t removed_early = 0;  // because of the limit, before `keep`
  std::optional<EventTime> durable_until{};
  std::optional<EventTime> closed_until{};  // ShardManifest::closed_until()
};

struct ExportCounts {
  std::string name;               // "frozen:/dev/shm/sash"
  std::uint64_t bytes = 0;        // of all snapshots, in whole pages
  std::uint64_t limit_bytes = 0;  // ExportSpec::limit_bytes
  std::uint64_t snapshots = 0;
  std::uint64_t overdue = 0;                  // of these: beyond `keep`, and locked
  bool is_failing = false;                    // the newest attempt failed, or met the limit
  std::vector<ExportWindowCounts> windows{};  // of an export of slices: one, without a name
  std::optional<SliceExportCounts> slices{};  // none: windows are exported
  std::optional<LeaseCounts> leases{};        // none: they are not frozen snapshots
};

}  // namespace sash
