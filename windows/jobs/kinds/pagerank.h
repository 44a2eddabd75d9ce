// The kernel `pagerank`: the ranks of vertices, also by weights, from sources or along in-edges.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct PageRankParameters {
  static constexpr std::string_view kKernel = "pagerank";
  double damping = 0.85;     // in [0, 1)
  double tolerance = 1e-6;   // stops when the L1 change of one iteration is at most this; >= 0
  int max_iterations = 100;  // >= 1
  bool warm_start = false;   // starts from the ranks of the job's previous result, if any
  int check_every = 100;     // warm runs after which one is compared with a full run; 0: never
  bool weighted = false;     // edges carry rank in proportion to their weights
  // The vertices that get, in equal parts, the rank that follows no edge; empty: all vertices.
  std::vector<VertexKey> sources{};
  TraversalDirection direction = TraversalDirection::kOut;  // in which edges carry rank

  bool is_biased() const {
    return weighted || !sources.empty() || direction != TraversalDirection::kOut;
  }
};

ParameterRows<PageRankParameters> RowsOf(const PageRankParameters& parameters);
std::optional<ParameterFault> FaultOf(const PageRankParameters& parameters);
JobTraits TraitsOf(const PageRankParameters& parameters);
KernelRun RunKernel(const PageRankParameters& parameters, const RunSetting& setting);
ResultTable Describe(const PageRankParameters& parameters, const RunResult& result);
// Defined in biased_pagerank.cc; only for biased parameters.
KernelRun RunBiasedPageRank(const PageRankParameters& parameters, const RunSetting& setting);

}  // namespace sash
