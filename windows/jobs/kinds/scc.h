// The kernel `scc`: the strongly connected components.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct SccParameters {
  static constexpr std::string_view kKernel = "scc";
};

JobTraits TraitsOf(const SccParameters& parameters);
KernelRun RunKernel(const SccParameters& parameters, const RunSetting& setting);
ResultTable Describe(const SccParameters& parameters, const RunResult& result);

}  // namespace sash
