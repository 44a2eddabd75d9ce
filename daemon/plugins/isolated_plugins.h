// Plug-ins in processes of their own (PluginIsolation): each run, and each look at what a plug-in
// says about itself, starts a process, which sashd ends.
//
// Thread safety: any thread.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "daemon/plugins/plugin_library.h"
#include "windows/base/result.h"
#include "windows/jobs/plugin/plugin_isolation.h"

namespace sash {

// As LoadPluginLibrary(), but a process of its own loads the file, within 10 s. When the file has
// changed since, it is described again; runs with the earlier library then fail. A request to stop
// ends the process.
Result<std::shared_ptr<const PluginLibrary>> DescribePlugin(const std::string& file,
                                                            const std::stop_token& stop = {});

// The kernels of its runs come from DescribePlugin().
std::shared_ptr<const PluginIsolation> IsolatedPlugins();

}  // namespace sash
