#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct SsspParameters {
  static constexpr std::string_view kKernel = "sssp";
  std::vector<VertexKey> roots;  // at least one
  TraversalDirection direction = TraversalDirection::kOut;
  double delta = 0;  // width of a bucket, which decides how long a run takes; 0: by the weights
};

JobTraits TraitsOf(const SsspParameters& parameters);
KernelRun RunKernel(const SsspParameters& parameters, const RunSetting& setting);
ResultTable Describe(const SsspParameters& parameters, const RunResult& result);

}  // namespace sash
