#include "windows/jobs/kinds/edge_changes.h"

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/pair_edges.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/edge_difference.h"

namespace sash {
namespace {

constexpr JobTraits kComparison = {.edge_bytes = 1,
                                   .id_bytes = 8,
                                   .rows = JobTraits::Rows::kPairs,
                                   .row_bytes = sizeof(PairOfVertices),
                                   .compares_windows = true};

// `view`: the window that has the edges of the pairs.
ChangesOutput Changes(const PairChanges& changes, const WindowView& view,
                      const RunSetting& setting) {
  ChangesOutput output{.since = TimeOfPrevious(setting), .pairs = changes.count, .first = {}};
  for (const VertexPair& pair : changes.first) {
    const PairEdges edges = EdgesOfPair(view, pair.source, pair.target);
    output.first.push_back({.source = setting.keys.KeyOf(pair.source),
                            .target = setting.keys.KeyOf(pair.target),
                            .edges = edges.edges,
                            .weight = edges.weight,
                            .types = WordsOf(edges.types, setting.keys.types())});
  }
  return output;
}

KernelRun Compare(PairChanges EdgeDifferenceResult::*asked, const WindowView& view,
                  const RunSetting& setting) {
  const EdgeDifferenceResult found = VisitView(PreviousView(setting), [&](const auto& then) {
    return VisitView(setting.view, [&](const auto& now) {
      return EdgeDifference(
          then, now,
          {.listed = setting.job.top, .threads = setting.job.threads, .progress = setting.progress},
          [&](VertexId a, VertexId b) { return setting.keys.KeyLess(a, b); });
    });
  });
  return {.output = Changes(found.*asked, view, setting), .cancelled = found.cancelled};
}

ResultTable TableOf(const ChangesOutput& output) {
  return {
      .figures = {{.name = "since", .value = output.since},
                  {.name = "pairs",
                   .value = output.pairs,
                   .said = ResultFigure::Said::kBeforeName}},
      .lists = {{.name = "top_edges",
                 .rows = &output.first,
                 .available = output.first.size(),
                 .tells_edges = true}}};
}

}  // namespace

JobTraits TraitsOf(const NewEdgesParameters&) { return kComparison; }
JobTraits TraitsOf(const VanishedEdgesParameters&) { return kComparison; }

KernelRun RunKernel(const NewEdgesParameters&, const RunSetting& setting) {
  return Compare(&EdgeDifferenceResult::appeared, setting.view, setting);
}

KernelRun RunKernel(const VanishedEdgesParameters&, const RunSetting& setting) {
  return Compare(&EdgeDifferenceResult::vanished, PreviousView(setting), setting);
}

ResultTable Describe(const NewEdgesParameters&, const RunResult& result) {
  return TableOf(std::get<ChangesOutput>(result.output));
}

ResultTable Describe(const VanishedEdgesParameters&, const RunResult& result) {
  return TableOf(std::get<ChangesOutput>(result.output));
}

}  // namespace sash
