// The kernel `bfs`: the depth of each vertex, by breadth-first search from roots.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct BfsParameters {
  static constexpr std::string_view kKernel = "bfs";
  std::vector<VertexKey> roots;  // at least one
  TraversalDirection direction = TraversalDirection::kOut;
  bool separate = false;  // one traversal for each root instead of one for all
  bool parents = false;   // results name the parent of each vertex
  // Starts from the depths of the job's previous result, if little has changed since.
  bool warm_start = false;
  int check_every = 100;  // as in PageRankParameters
};

ParameterRows<BfsParameters> RowsOf(const BfsParameters& parameters);
JobTraits TraitsOf(const BfsParameters& parameters);
KernelRun RunKernel(const BfsParameters& parameters, const RunSetting& setting);
ResultTable Describe(const BfsParameters& parameters, const RunResult& result);

}  // namespace sash
