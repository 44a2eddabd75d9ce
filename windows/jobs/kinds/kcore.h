// The kernel `kcore`: the core number of each vertex.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct KcoreParameters {
  static constexpr std::string_view kKernel = "kcore";
};

JobTraits TraitsOf(const KcoreParameters& parameters);
KernelRun RunKernel(const KcoreParameters& parameters, const RunSetting& setting);
ResultTable Describe(const KcoreParameters& parameters, const RunResult& result);

}  // namespace sash
