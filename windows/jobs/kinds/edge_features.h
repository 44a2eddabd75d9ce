// The kernel `edge_features`: figures of each edge that is new since the previous result.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct EdgeFeaturesParameters {
  static constexpr std::string_view kKernel = "edge_features";
  int max_length = 5;         // edges of a cycle
  int min_intermediates = 2;  // of a scatter-gather pattern
  int max_steps = 10'000'000;
};

ParameterRows<EdgeFeaturesParameters> RowsOf(const EdgeFeaturesParameters& parameters);
JobTraits TraitsOf(const EdgeFeaturesParameters& parameters);
KernelRun RunKernel(const EdgeFeaturesParameters& parameters, const RunSetting& setting);
ResultTable Describe(const EdgeFeaturesParameters& parameters, const RunResult& result);

}  // namespace sash
