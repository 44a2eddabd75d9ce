#include "daemon/plugins/job_plugin.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "daemon/plugins/isolated_plugins.h"
#include "daemon/plugins/plugin_file.h"
#include "daemon/plugins/plugin_library.h"

namespace sash {

std::vector<PluginFault> LoadPluginOf(JobSpec& job, const std::vector<std::string>& allowed) {
  auto* const plugin = std::get_if<PluginParameters>(&job.parameters);
  if (plugin == nullptr) return {};
  const Result<std::string> file = PermittedPlugin(plugin->file, allowed);
  if (!file) return {{"plugin", file.error().message}};
  Result<std::shared_ptr<const PluginLibrary>> library =
      plugin->isolate ? DescribePlugin(file.value()) : LoadPluginLibrary(file.value());
  if (!library) {
    return {{"plugin", fmt::format("`{}` {}", plugin->file, library.error().message)}};
  }
  plugin->values.clear();
  std::vector<PluginFault> faults = library.value()->schema.Resolve(plugin->given, plugin->values);
  if (!faults.empty()) return faults;
  plugin->json = JsonOf(plugin->values);
  plugin->kernel = std::move(library).value();
  if (plugin->isolate) plugin->isolation = IsolatedPlugins();
  if (job.baseline && !HasScores(job.parameters)) {
    return {{"baseline", fmt::format("needs a plug-in that gives vertices scores; {} does not",
                                     plugin->kernel->title)}};
  }
  return {};
}

}  // namespace sash
