// Loads the plug-in of a job and compares the job with it, for the configuration and for the API.
//
// Thread safety: free functions; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/plugins/parameter_schema.h"
#include "daemon/plugins/plugin_library.h"
#include "windows/base/result.h"
#include "windows/jobs/job_spec.h"

namespace sash {

// Does nothing for a job of another kernel. Without faults, the job can run: its parameters have
// the kernel and every value. With `isolate`, this process does not load the plug-in. `allowed`:
// the paths of `plugins`. Keys are those of the job.
std::vector<PluginFault> LoadPluginOf(JobSpec& job, const std::vector<std::string>& allowed);

using DescribedPlugin = Result<std::shared_ptr<const PluginLibrary>>;

// With `isolate`, the file that DescribePlugin() will be asked about, which may take seconds;
// nothing for other jobs, and for files that LoadPluginOf() refuses by themselves.
std::optional<std::string> PluginToDescribe(const JobSpec& job,
                                            const std::vector<std::string>& allowed);
// LoadPluginOf() with the answer of DescribePlugin(). Does not wait.
std::vector<PluginFault> LoadPluginOf(JobSpec& job, const std::vector<std::string>& allowed,
                                      const DescribedPlugin& described);

}  // namespace sash
