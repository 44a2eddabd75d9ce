// PluginIsolation: runs plug-ins in processes of their own. The engine only knows this interface;
// the daemon implements it (daemon/plugins).
//
// Thread safety: any thread may call Run(), several at once.
//
// Invariants
//   (1) Run() returns soon after the progress has asked to stop, whatever the plug-in does.
//   (2) The process does not outlive Run().
//   (3) The answer is checked as that of a plug-in in this process.
#pragma once

#include <optional>

#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/plugin/plugin_answer.h"
#include "windows/jobs/plugin/plugin_call.h"
#include "windows/jobs/run_fault.h"
#include "windows/kernels/progress.h"

namespace sash {

// What became of a run.
struct PluginRun {
  bool is_stopped = false;  // because the progress asked for it
  std::optional<RunFailure> failure{};
  PluginAnswer answer{};  // if neither
  int iterations = 0;
};

class PluginIsolation {
 public:
  virtual ~PluginIsolation() = default;

  // Reports kPreparing until the process has its copy of the window, then kComputing.
  virtual PluginRun Run(const PluginSetting& setting, const VertexDictionary& keys,
                        const KernelProgress& progress) const = 0;
};

}  // namespace sash
