// RunFault: why a run of an external job, or of a plug-in, failed.
//
// Thread safety: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

enum class RunFault : std::uint8_t {
  kNoSnapshot,    // the frozen snapshot of the advance was not written
  kNoWorker,      // no worker took the work before the deadline
  kWorkerDied,    // the lease of the worker ended
  kLate,          // the worker had not answered at the deadline
  kWrongAnswer,   // the answer does not fit the window
  kWorkerFailed,  // the worker says that it failed
  kPluginFailed,  // the plug-in says that it failed
  kPluginLost,    // the plug-in went on after it was asked to stop
  kPluginDied,    // the process of the plug-in ended without an answer
};
inline constexpr std::size_t kRunFaults = 9;

// Labels of metrics; they never change.
constexpr std::string_view NameOf(RunFault fault) {
  constexpr std::array<std::string_view, kRunFaults> kNames = {
      "no_snapshot",   "no_worker",     "worker_died", "late",       "wrong_answer",
      "worker_failed", "plugin_failed", "plugin_lost", "plugin_died"};
  return kNames[static_cast<std::size_t>(fault)];
}

// Whether runs of plug-ins can fail in this way, and whether runs of external jobs can.
constexpr bool IsOfPlugins(RunFault fault) {
  return fault == RunFault::kWrongAnswer || fault >= RunFault::kPluginFailed;
}
constexpr bool IsOfWorkers(RunFault fault) { return fault < RunFault::kPluginFailed; }

struct RunFailure {
  RunFault fault = RunFault::kNoWorker;
  std::string why{};
};

}  // namespace sash
