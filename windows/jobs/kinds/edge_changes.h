// The kernels `new_edges` and `vanished_edges`. Both compare with the window of the job's previous
// result.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct NewEdgesParameters {
  static constexpr std::string_view kKernel = "new_edges";
};

JobTraits TraitsOf(const NewEdgesParameters& parameters);
KernelRun RunKernel(const NewEdgesParameters& parameters, const RunSetting& setting);
ResultTable Describe(const NewEdgesParameters& parameters, const RunResult& result);

struct VanishedEdgesParameters {
  static constexpr std::string_view kKernel = "vanished_edges";
};

JobTraits TraitsOf(const VanishedEdgesParameters& parameters);
KernelRun RunKernel(const VanishedEdgesParameters& parameters, const RunSetting& setting);
ResultTable Describe(const VanishedEdgesParameters& parameters, const RunResult& result);

}  // namespace sash
