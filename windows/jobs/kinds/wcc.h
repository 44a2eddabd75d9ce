// The kernel `wcc`: the weakly connected components.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct WccParameters {
  static constexpr std::string_view kKernel = "wcc";
  // Starts from a spanning forest of the job's previous window, if little has changed since.
  bool warm_start = false;
  int check_every = 100;  // as in PageRankParameters
};

ParameterRows<WccParameters> RowsOf(const WccParameters& parameters);
JobTraits TraitsOf(const WccParameters& parameters);
KernelRun RunKernel(const WccParameters& parameters, const RunSetting& setting);
ResultTable Describe(const WccParameters& parameters, const RunResult& result);

}  // namespace sash
