// The kernel `sssp`: the distance of each vertex from roots, by weight.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct SsspParameters {
  static constexpr std::string_view kKernel = "sssp";
  std::vector<VertexKey> roots;  // at least one
  TraversalDirection direction = TraversalDirection::kOut;
  double delta = 0;  // bucket width: changes only the duration of a run; 0: from the weights
};

ParameterRows<SsspParameters> RowsOf(const SsspParameters& parameters);
JobTraits TraitsOf(const SsspParameters& parameters);
KernelRun RunKernel(const SsspParameters& parameters, const RunSetting& setting);
ResultTable Describe(const SsspParameters& parameters, const RunResult& result);

}  // namespace sash
