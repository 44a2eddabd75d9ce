// The kernel `cdlp`: communities, by label propagation.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct CdlpParameters {
  static constexpr std::string_view kKernel = "cdlp";
  int max_iterations = 10;  // >= 1
};

ParameterRows<CdlpParameters> RowsOf(const CdlpParameters& parameters);
JobTraits TraitsOf(const CdlpParameters& parameters);
KernelRun RunKernel(const CdlpParameters& parameters, const RunSetting& setting);
ResultTable Describe(const CdlpParameters& parameters, const RunResult& result);

}  // namespace sash
