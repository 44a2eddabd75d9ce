// Memory forecast: how much memory windows will take, before they hold anything.
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

// The number of edges per vertex is unknown in advance; messages name this assumption.
inline constexpr double kEdgesPerVertex = 8;

struct ForecastBytes {
  double held = 0;    // by the window: store, slices, keys
  double moment = 0;  // temporary: its advance, and the largest of its jobs' runs that the runners
                      // can do at once
  double total() const { return held + moment; }
};

// For a window with this number of edge events.
ForecastBytes ForecastWindow(const Config& config, const WindowSpec& window, double edges);

// The results of a job that are kept for the API (keep_results), each as long as the job lists, in
// a window of `vertices` vertices.
double KeptResultBytes(const JobSpec& job, KeyKind keys, double vertices);

// How many edges such a window alone may hold before reading is slowed down (MemoryBudget).
double EdgesWithin(const Config& config, const WindowSpec& window, std::uint64_t limit_bytes);

// How many edges it holds at this rate; empty when it grows without end.
std::optional<double> EdgesAtRate(const WindowSpec& window, double events_per_second);

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
