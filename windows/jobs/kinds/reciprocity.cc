#include "windows/jobs/kinds/reciprocity.h"

#include <optional>
#include <utility>

#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/reciprocity.h"

namespace sash {

JobTraits TraitsOf(const ReciprocityParameters&) { return {.edge_bytes = 5, .id_bytes = 40}; }

KernelRun RunKernel(const ReciprocityParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    ReciprocityResult found =
        Reciprocity(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = ScoreOutput(), .cancelled = true};
    std::optional<double> share;
    if (found.pairs > 0) {
      share = static_cast<double>(found.led_back) / static_cast<double>(found.pairs);
    }
    return ScoredRun(graph.vertices(), std::move(found.shares),
                     ScoreOutput::Figure{"reciprocity", share}, setting);
  });
}

ResultTable Describe(const ReciprocityParameters&, const RunResult& result) {
  return TableOf(std::get<ScoreOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
