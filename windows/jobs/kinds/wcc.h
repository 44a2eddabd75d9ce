#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct WccParameters {
  static constexpr std::string_view kKernel = "wcc";
};

JobTraits TraitsOf(const WccParameters& parameters);
KernelRun RunKernel(const WccParameters& parameters, const RunSetting& setting);
ResultTable Describe(const WccParameters& parameters, const RunResult& result);

}  // namespace sash
