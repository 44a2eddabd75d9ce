// JobStatus: the state of a registered job, and the sums over its runs.
//
// Thread safety: a value.
//
// It has more members than other classes: each of them is one fact about a job.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "windows/base/clock.h"
#include "windows/jobs/run_fault.h"
#include "windows/kernels/progress.h"

namespace sash {

struct JobStatus {
  std::string name;
  std::string_view kernel;
  std::string window;
  std::uint64_t runs = 0;
  std::uint64_t skipped = 0;
  std::uint64_t cancelled = 0;                     // past the deadline
  std::array<std::uint64_t, kRunFaults> failed{};  // runs without a result, by RunFault
  std::string last_failure{};                      // why the newest of these failed
  std::size_t waiting = 0;
  double waiting_seconds = 0;  // for a runner, while no run of its own is under way; goes on when a
                               // newer advance displaces the one that waits
  bool running = false;
  bool paused = false;
  bool holds = false;                   // the stream waits until there is room for its next advance
  RunPhase phase = RunPhase::kWaiting;  // of the current run
  int iteration = 0;                    // of the current run
  double residual = 0;                  // of the current run
  double last_seconds = 0;
  double total_seconds = 0;
  RunPhases last_phases;                  // of the last run, from waiting to delivering
  RunPhases total_phases;                 // of all finished runs
  double last_latency_seconds = 0;        // of the last run: from Advance::due, or from the
                                          // request for it, until its result was delivered
  double drift = 0;                       // of the last warm run that was compared with a full run
  std::uint64_t fallbacks = 0;            // times that the drift was too large
  std::optional<EventTime> last_skipped;  // window end of the newest skipped advance

  std::uint64_t failures() const {
    return std::accumulate(failed.begin(), failed.end(), std::uint64_t{0});
  }
};

}  // namespace sash
