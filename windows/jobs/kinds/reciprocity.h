// The kernel `reciprocity`: the share of each vertex's out-neighbours that have an edge back.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct ReciprocityParameters {
  static constexpr std::string_view kKernel = "reciprocity";
};

JobTraits TraitsOf(const ReciprocityParameters& parameters);
KernelRun RunKernel(const ReciprocityParameters& parameters, const RunSetting& setting);
ResultTable Describe(const ReciprocityParameters& parameters, const RunResult& result);

}  // namespace sash
