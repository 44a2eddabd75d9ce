// The kernel `cycles`: the cycles that have an edge that is new since the previous result.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct CyclesParameters {
  static constexpr std::string_view kKernel = "cycles";
  int max_length = 5;                // edges
  double min_weight = 0;             // 0: edges of any weight
  std::vector<VertexKey> through{};  // all of them are in every cycle
  bool in_time_order = false;
  int max_steps = 10'000'000;
};

ParameterRows<CyclesParameters> RowsOf(const CyclesParameters& parameters);
JobTraits TraitsOf(const CyclesParameters& parameters);
KernelRun RunKernel(const CyclesParameters& parameters, const RunSetting& setting);
ResultTable Describe(const CyclesParameters& parameters, const RunResult& result);

}  // namespace sash
