// The kernel `strength`: the sum of the weights of each vertex's edges.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct StrengthParameters {
  static constexpr std::string_view kKernel = "strength";
  StrengthDirection direction = StrengthDirection::kBoth;
  // Starts from the sums of the job's previous result, if little has changed since.
  bool warm_start = false;
  int check_every = 100;  // as in PageRankParameters
};

ParameterRows<StrengthParameters> RowsOf(const StrengthParameters& parameters);
JobTraits TraitsOf(const StrengthParameters& parameters);
KernelRun RunKernel(const StrengthParameters& parameters, const RunSetting& setting);
ResultTable Describe(const StrengthParameters& parameters, const RunResult& result);

}  // namespace sash
