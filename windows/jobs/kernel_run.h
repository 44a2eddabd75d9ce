// RunKernel: one run of each kernel on a view, as far as a result tells of it. To add a kernel: its
// parameters in job_spec.h, its output in run_result.h, and an overload here.
#pragma once

#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/progress.h"
#include "windows/store/window_view.h"

namespace sash {

// What a kernel needs beside its parameters.
struct RunSetting {
  const JobSpec& job;
  const WindowView& view;
  const VertexDictionary& keys;
  const KernelProgress& progress;
  const CompletedRun* previous = nullptr;  // the job's result before; null: there is none
};

struct KernelRun {
  KernelOutput output;
  WholeVector whole{};
  RunMode mode = RunMode::kFull;
  std::optional<WarmHistory> warm{};
  std::optional<double> drift{};
  int iterations = 0;
  bool converged = true;
  bool cancelled = false;
};

// kinds/pagerank.cc
KernelRun RunKernel(const PageRankParameters& parameters, const RunSetting& setting);
// kinds/lcc.cc
KernelRun RunKernel(const LccParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const TrianglesParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const KcoreParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const DegreeParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const FanoutParameters& parameters, const RunSetting& setting);
// kinds/biased_pagerank.cc: of parameters that are biased
KernelRun RunBiasedPageRank(const PageRankParameters& parameters, const RunSetting& setting);
// kinds/bfs.cc
KernelRun RunKernel(const BfsParameters& parameters, const RunSetting& setting);
// kinds/sssp.cc
KernelRun RunKernel(const SsspParameters& parameters, const RunSetting& setting);
// kinds/wcc.cc
KernelRun RunKernel(const WccParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const CdlpParameters& parameters, const RunSetting& setting);
// kinds/edge_changes.cc
KernelRun RunKernel(const ShapeParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const NewEdgesParameters& parameters, const RunSetting& setting);
KernelRun RunKernel(const VanishedEdgesParameters& parameters, const RunSetting& setting);

FollowedEdges Followed(TraversalDirection direction);

// The ids of those of `keys` that are known now; whether they are in the window is for the kernel.
std::vector<VertexId> KnownIds(const std::vector<VertexKey>& keys,
                               const VertexDictionary& dictionary);

}  // namespace sash
