// The kernel `lcc`: the local clustering coefficient of each vertex.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct LccParameters {
  static constexpr std::string_view kKernel = "lcc";
};

JobTraits TraitsOf(const LccParameters& parameters);
KernelRun RunKernel(const LccParameters& parameters, const RunSetting& setting);
ResultTable Describe(const LccParameters& parameters, const RunResult& result);

}  // namespace sash
