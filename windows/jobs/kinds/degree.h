// The kernels `degree` (edges of a vertex) and `fanout` (its neighbours).
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct DegreeParameters {
  static constexpr std::string_view kKernel = "degree";
  TraversalDirection direction = TraversalDirection::kBoth;
};

ParameterRows<DegreeParameters> RowsOf(const DegreeParameters& parameters);
JobTraits TraitsOf(const DegreeParameters& parameters);
KernelRun RunKernel(const DegreeParameters& parameters, const RunSetting& setting);
ResultTable Describe(const DegreeParameters& parameters, const RunResult& result);

struct FanoutParameters {
  static constexpr std::string_view kKernel = "fanout";
  TraversalDirection direction = TraversalDirection::kOut;
};

ParameterRows<FanoutParameters> RowsOf(const FanoutParameters& parameters);
JobTraits TraitsOf(const FanoutParameters& parameters);
KernelRun RunKernel(const FanoutParameters& parameters, const RunSetting& setting);
ResultTable Describe(const FanoutParameters& parameters, const RunResult& result);

}  // namespace sash
