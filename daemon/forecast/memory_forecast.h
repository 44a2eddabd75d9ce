// Memory forecast: how much memory windows will take, before they hold anything.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "daemon/config/config.h"

namespace sash {

// The number of edges per vertex is unknown in advance; messages name this assumption.
inline constexpr double kEdgesPerVertex = 8;

// The vertices of a window of unlimited size.
inline constexpr double kAnyVertices = std::numeric_limits<double>::infinity();

struct ForecastBytes {
  double held = 0;    // by the window: store, slices, keys
  double moment = 0;  // temporary: its advance, and the largest of its jobs' runs that the runners
                      // can do at once
  double total() const { return held + moment; }
};

// The memory of a window with this number of edge events.
ForecastBytes ForecastWindow(const Config& config, const WindowSpec& window, double edges);

// The results of a job that are kept for the API (keep_results), each as long as the job lists, in
// a window of `vertices` vertices.
double KeptResultBytes(const JobSpec& job, KeyKind keys, double vertices);

// The same of all jobs, for windows of unlimited size.
double AllKeptBytes(const Config& config);

// How many edges such a window alone may hold before reading is slowed down (MemoryBudget).
double EdgesWithin(const Config& config, const WindowSpec& window, std::uint64_t limit_bytes);

// How many edges it holds at this rate; empty when it grows without end.
std::optional<double> EdgesAtRate(const WindowSpec& window, double events_per_second);

// The longest of the windows that share a store with this one: it carries the cost of the store.
// With `rebuild` each window has its own cost.
const WindowSpec& PayerOf(const Config& config, const WindowSpec& window);

// All windows, their jobs, and the results that are kept for the API, at this rate. Windows that
// grow without end are left out.
ForecastBytes ForecastAll(const Config& config, double events_per_second);

}  // namespace sash
