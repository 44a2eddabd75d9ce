// The kernel `triangles`: the triangles that each vertex is in.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct TrianglesParameters {
  static constexpr std::string_view kKernel = "triangles";
  // Starts from the counts of the job's previous result, if little has changed since.
  bool warm_start = false;
  int check_every = 100;  // as in PageRankParameters
};

ParameterRows<TrianglesParameters> RowsOf(const TrianglesParameters& parameters);
JobTraits TraitsOf(const TrianglesParameters& parameters);
KernelRun RunKernel(const TrianglesParameters& parameters, const RunSetting& setting);
ResultTable Describe(const TrianglesParameters& parameters, const RunResult& result);

}  // namespace sash
