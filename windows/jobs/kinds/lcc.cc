// Kernels that give each vertex a number, by which results list them.
#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/kernels/degree.h"
#include "windows/kernels/kcore.h"
#include "windows/kernels/lcc.h"
#include "windows/kernels/triangles.h"

namespace sash {
namespace {

template <typename Graph>
KernelRun Counted(const Graph& graph, std::vector<std::uint64_t> counts,
                  std::optional<CountOutput::Figure> figure, const RunSetting& setting) {
  KernelRun run{.output = CountOutput{
                    TopByCount(graph.vertices(), counts, setting.job.top, setting.keys), figure}};
  run.whole.counts = std::move(counts);
  return run;
}

KernelRun CountDegrees(TraversalDirection direction, DegreeCounts counts,
                       const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    DegreeResult found = Degree(graph, {.follow = Followed(direction),
                                        .counts = counts,
                                        .threads = setting.job.threads,
                                        .progress = setting.progress});
    KernelRun run = Counted(graph, std::move(found.degrees), std::nullopt, setting);
    run.cancelled = found.cancelled;
    return run;
  });
}

}  // namespace

KernelRun RunKernel(const LccParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    LccResult found = Lcc(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = ScoreOutput(), .cancelled = true};
    KernelRun run{.output = ScoreOutput{TopByScore(graph.vertices(), found.coefficients,
                                                   setting.job.top, setting.keys)}};
    run.whole.scores = std::move(found.coefficients);
    return run;
  });
}

KernelRun RunKernel(const TrianglesParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    TrianglesResult found =
        Triangles(graph, {.threads = setting.job.threads, .progress = setting.progress});
    KernelRun run = Counted(graph, std::move(found.counts),
                            CountOutput::Figure{"triangles", found.triangles}, setting);
    run.cancelled = found.cancelled;
    return run;
  });
}

KernelRun RunKernel(const KcoreParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    KcoreResult found =
        Kcore(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = CountOutput(), .cancelled = true};
    KernelRun run = Counted(graph, std::move(found.cores),
                            CountOutput::Figure{"degeneracy", found.degeneracy}, setting);
    run.iterations = found.iterations;
    return run;
  });
}

KernelRun RunKernel(const DegreeParameters& parameters, const RunSetting& setting) {
  return CountDegrees(parameters.direction, DegreeCounts::kEdges, setting);
}

KernelRun RunKernel(const FanoutParameters& parameters, const RunSetting& setting) {
  return CountDegrees(parameters.direction, DegreeCounts::kNeighbours, setting);
}

}  // namespace sash
