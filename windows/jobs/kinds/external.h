// The kernel `external`: another process computes it (windows/jobs/work_desk.h).
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct ExternalParameters {
  static constexpr std::string_view kKernel = "external";
  ExternalAnswers returns = ExternalAnswers::kScores;
};

ParameterRows<ExternalParameters> RowsOf(const ExternalParameters& parameters);
JobTraits TraitsOf(const ExternalParameters& parameters);
// RunSetting::answer is null only if the window is empty.
KernelRun RunKernel(const ExternalParameters& parameters, const RunSetting& setting);
ResultTable Describe(const ExternalParameters& parameters, const RunResult& result);

}  // namespace sash
