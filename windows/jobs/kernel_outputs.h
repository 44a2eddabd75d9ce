// Runs of kernels that share an output.
//
// Thread safety: pure functions; the view must stay pinned meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "windows/base/ids.h"
#include "windows/jobs/kernel_run.h"

namespace sash {

// A run that found scores of vertices. NaN: the vertex has none.
KernelRun ScoredRun(std::span<const VertexId> vertices, std::vector<double> scores,
                    std::optional<ScoreOutput::Figure> figure, const RunSetting& setting);

// A run that counted something for each vertex.
KernelRun CountedRun(std::span<const VertexId> vertices, std::vector<std::uint64_t> counts,
                     std::optional<CountOutput::Figure> figure, const RunSetting& setting);

// A run that put the vertices into sets. groups[v]: the id of the vertex whose key names v's set.
KernelRun GroupedRun(std::span<const VertexId> vertices, std::vector<VertexId> groups,
                     std::string_view one, std::string_view many, const RunSetting& setting);

// A run that numbered the sets. sets[v]: the number of v's set, below sets.size().
KernelRun NumberedSetsRun(std::span<const VertexId> vertices,
                          const std::vector<std::uint32_t>& sets, const RunSetting& setting);

}  // namespace sash
