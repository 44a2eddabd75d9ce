// The kernel `paths`: shortest paths between two sets of vertices.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct PathsParameters {
  static constexpr std::string_view kKernel = "paths";
  std::vector<VertexKey> from;  // at least one
  std::vector<VertexKey> to;    // at least one
  PathMeasure by = PathMeasure::kHops;
  TraversalDirection direction = TraversalDirection::kOut;
  int most = 6;  // edges of a path
};

ParameterRows<PathsParameters> RowsOf(const PathsParameters& parameters);
JobTraits TraitsOf(const PathsParameters& parameters);
KernelRun RunKernel(const PathsParameters& parameters, const RunSetting& setting);
ResultTable Describe(const PathsParameters& parameters, const RunResult& result);

}  // namespace sash
