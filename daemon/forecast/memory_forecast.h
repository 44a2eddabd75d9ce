// Memory forecast: what windows will hold, before they hold it.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// Nobody knows before how many edges share a vertex; what is said names this.
inline constexpr double kEdgesPerVertex = 8;

struct ForecastBytes {
  double held = 0;    // by the window: store, slices, keys
  double moment = 0;  // for a moment: its advance and its jobs' runs
  double total() const { return held + moment; }
};

// Of a window with so many edge events.
ForecastBytes ForecastWindow(const Config& config, const WindowSpec& window, double edges);

// Of the results of a job that are kept for the API (keep_results), each as long as the job lists,
// in a window of so many vertices.
double KeptResultBytes(const JobSpec& job, KeyKind keys, double vertices);

// How many edges such a window may hold alone before reading is slowed down (MemoryBudget).
double EdgesWithin(const Config& config, const WindowSpec& window, std::uint64_t limit_bytes);

// How many edges it holds at so many events a second; nothing when it grows without end.
std::optional<double> EdgesAtRate(const WindowSpec& window, double events_per_second);

// A line a window: what a million edges take, and how many `limit` holds. A line a job whose kept
// results take a MiB or more; a warning when all of them take more than half of the limit.
void TellCapacity(const Config& config, std::optional<std::uint64_t> limit_bytes,
                  Findings& findings);

// A line a window, and one of all together: what they hold at this rate. A warning when that is
// more than the limit holds. `when`: of what time the rate is.
void TellLoad(const Config& config, double events_per_second, const std::string& when,
              std::optional<std::uint64_t> limit_bytes, Findings& findings);

}  // namespace sash
