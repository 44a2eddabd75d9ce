// The list of all kinds, and their functions for a job of any kind.
//
// Thread safety: pure functions.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <variant>

#include "windows/jobs/kind.h"
#include "windows/jobs/kinds/bfs.h"
#include "windows/jobs/kinds/cdlp.h"
#include "windows/jobs/kinds/cycles.h"
#include "windows/jobs/kinds/degree.h"
#include "windows/jobs/kinds/edge_changes.h"
#include "windows/jobs/kinds/edge_features.h"
#include "windows/jobs/kinds/external.h"
#include "windows/jobs/kinds/hits.h"
#include "windows/jobs/kinds/kcore.h"
#include "windows/jobs/kinds/lcc.h"
#include "windows/jobs/kinds/pagerank.h"
#include "windows/jobs/kinds/paths.h"
#include "windows/jobs/kinds/plugin.h"
#include "windows/jobs/kinds/reciprocity.h"
#include "windows/jobs/kinds/scc.h"
#include "windows/jobs/kinds/sssp.h"
#include "windows/jobs/kinds/strength.h"
#include "windows/jobs/kinds/triangles.h"
#include "windows/jobs/kinds/wcc.h"
#include "windows/jobs/kinds/window.h"

namespace sash {

// In the order in which documents and messages list the kernels.
using JobParameters =
    std::variant<PageRankParameters, HitsParameters, BfsParameters, ShapeParameters, WccParameters,
                 SccParameters, SsspParameters, TrianglesParameters, LccParameters, CdlpParameters,
                 KcoreParameters, DegreeParameters, StrengthParameters, FanoutParameters,
                 ReciprocityParameters, NewEdgesParameters, VanishedEdgesParameters,
                 CyclesParameters, PathsParameters, EdgeFeaturesParameters, ExternalParameters,
                 PluginParameters>;

template <typename... Kinds>
constexpr std::array<std::string_view, sizeof...(Kinds)> NamesOf(
    const std::variant<Kinds...>* /*kinds*/) {
  return {Kinds::kKernel...};
}
inline constexpr auto kKernels = NamesOf(static_cast<const JobParameters*>(nullptr));

// Calls `on_parameter` for each parameter, in the order of the rows.
void VisitParameters(JobParameters& parameters,
                     const std::function<void(const Parameter&, ParameterValue)>& on_parameter);
void VisitParameters(
    const JobParameters& parameters,
    const std::function<void(const Parameter&, ConstParameterValue)>& on_parameter);
std::optional<ParameterFault> FaultOfParameters(const JobParameters& parameters);

// The same kernel with the same values of all parameters.
bool EqualParameters(const JobParameters& a, const JobParameters& b);

std::string_view KernelOf(const JobParameters& parameters);
JobTraits TraitsOfJob(const JobParameters& parameters);
// Whether a result gives vertices a score each, so that it can be compared with another one.
bool HasScores(const JobParameters& parameters);
// Whether a result is one list of vertices or sets, so that it has a value for a vertex.
bool HasVectors(const JobParameters& parameters);
// Whether warm runs are compared with full ones, so that a result can have a `drift`.
bool HasDrift(const JobParameters& parameters);
// Whether another process computes the kernel.
inline bool IsExternal(const JobParameters& parameters) {
  return std::holds_alternative<ExternalParameters>(parameters);
}
KernelRun RunKernelOf(const JobParameters& parameters, const RunSetting& setting);
ResultTable DescribeResult(const RunResult& result);

}  // namespace sash
