#pragma once

#include <memory>
#include <string>
#include <vector>

#include "windows/jobs/kind.h"
#include "windows/jobs/plugin/plugin_kernel.h"

namespace sash {

class PluginIsolation;

// A kernel in a shared object that the daemon has loaded (windows/jobs/plugin/sash/kernel.h). Its
// parameters are those of the plug-in, so they have no rows here.
struct PluginParameters {
  static constexpr std::string_view kKernel = "plugin";
  std::string file{};                            // as configured
  bool isolate = false;                          // a run has a process of its own
  std::vector<PluginParameter> given{};          // as configured
  std::vector<PluginParameter> values{};         // with the defaults, in the order of the schema
  std::string json{};                            // the values as one JSON object
  std::shared_ptr<const PluginKernel> kernel{};  // null: not loaded; it runs on empty windows only
  std::shared_ptr<const PluginIsolation> isolation{};  // with `isolate`, as soon as it is loaded
};

// The same plug-in with the same values. Unless both are loaded, values are those configured.
bool EqualPlugins(const PluginParameters& a, const PluginParameters& b);

ParameterRows<PluginParameters> RowsOf(const PluginParameters& parameters);
JobTraits TraitsOf(const PluginParameters& parameters);
// Computes in a thread of its own, which RunSetting::lost gets when it does not end, or with
// `isolate` in a process of its own. A window without vertices has an empty result without the
// plug-in.
KernelRun RunKernel(const PluginParameters& parameters, const RunSetting& setting);
ResultTable Describe(const PluginParameters& parameters, const RunResult& result);

}  // namespace sash
