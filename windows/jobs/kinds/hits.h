// The kernel `hits`: the hub or authority score of each vertex.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct HitsParameters {
  static constexpr std::string_view kKernel = "hits";
  HitsRanking rank_by = HitsRanking::kAuthorities;
  double tolerance = 1e-6;   // >= 0
  int max_iterations = 100;  // >= 1
  bool weighted = false;
};

ParameterRows<HitsParameters> RowsOf(const HitsParameters& parameters);
JobTraits TraitsOf(const HitsParameters& parameters);
KernelRun RunKernel(const HitsParameters& parameters, const RunSetting& setting);
ResultTable Describe(const HitsParameters& parameters, const RunResult& result);

}  // namespace sash
