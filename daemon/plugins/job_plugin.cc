#include "daemon/plugins/job_plugin.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "daemon/plugins/isolated_plugins.h"
#include "daemon/plugins/plugin_file.h"
#include "daemon/plugins/plugin_library.h"

namespace sash {

namespace {

// Compares the job with its plug-in, and gives the job what a run needs.
std::vector<PluginFault> Fit(JobSpec& job, PluginParameters& plugin, DescribedPlugin library) {
  if (!library) {
    return {{"plugin", fmt::format("`{}` {}", plugin.file, library.error().message)}};
  }
  plugin.values.clear();
  std::vector<PluginFault> faults = library.value()->schema.Resolve(plugin.given, plugin.values);
  if (!faults.empty()) return faults;
  plugin.json = JsonOf(plugin.values);
  plugin.kernel = std::move(library).value();
  if (plugin.isolate) plugin.isolation = IsolatedPlugins();
  if (job.baseline && !HasScores(job.parameters)) {
    return {{"baseline", fmt::format("needs a plug-in that gives vertices scores; {} does not",
                                     plugin.kernel->title)}};
  }
  return {};
}

// get(file, isolate): what is known about a file that may be loaded.
template <typename Get>
std::vector<PluginFault> Load(JobSpec& job, const std::vector<std::string>& allowed,
                              const Get& get) {
  auto* const plugin = std::get_if<PluginParameters>(&job.parameters);
  if (plugin == nullptr) return {};
  const Result<std::string> file = PermittedPlugin(plugin->file, allowed);
  if (!file) return {{"plugin", file.error().message}};
  return Fit(job, *plugin, get(file.value(), plugin->isolate));
}

}  // namespace

std::vector<PluginFault> LoadPluginOf(JobSpec& job, const std::vector<std::string>& allowed) {
  return Load(job, allowed, [](const std::string& file, bool isolate) {
    return isolate ? DescribePlugin(file) : LoadPluginLibrary(file);
  });
}

std::vector<PluginFault> LoadPluginOf(JobSpec& job, const std::vector<std::string>& allowed,
                                      const DescribedPlugin& described) {
  return Load(job, allowed, [&](const std::string&, bool) { return described; });
}

std::optional<std::string> PluginToDescribe(const JobSpec& job,
                                            const std::vector<std::string>& allowed) {
  const auto* const plugin = std::get_if<PluginParameters>(&job.parameters);
  if (plugin == nullptr || !plugin->isolate) return std::nullopt;
  Result<std::string> file = PermittedPlugin(plugin->file, allowed);
  if (!file) return std::nullopt;
  return std::move(file).value();
}

}  // namespace sash
