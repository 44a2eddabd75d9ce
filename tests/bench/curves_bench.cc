// Curves: PageRank, BFS and an advance against the number of slices in the window, for each policy
// and share of the stream that repeats or removes an edge. draw_curves.py draws the rows.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "tests/bench/benchmarks.h"
#include "tests/bench/compared_windows.h"
#include "tests/bench/window_cases.h"
#include "windows/kernels/bfs_each.h"
#include "windows/kernels/pagerank.h"

namespace sash::bench {
namespace {

constexpr std::array<std::size_t, 4> kCurveSlices = {1, 10, 60, 600};
constexpr std::array kDuplicateShares = {0, 20, 80};  // percent of the stream that are duplicates
constexpr std::size_t kCurveRoots = 16;

// The same for every graph of a curve.
std::array<VertexId, kCurveRoots> Roots(const CsrGraph& graph) {
  std::array<VertexId, kCurveRoots> roots{};
  for (std::size_t i = 0; i < kCurveRoots; ++i) {
    roots[i] = graph.vertices()[i * graph.vertices().size() / kCurveRoots];
  }
  return roots;
}

void MeasureCurves(const Bench& bench, const WindowCase& window_case, const std::string& name) {
  for (const std::size_t slices : kCurveSlices) {
    ComparedWindows windows = ComparedWindows::Changed(bench, window_case, name, slices);
    bench.report.Add("curve_advance_" + windows.name(), "ns an edge", windows.advances());
    const PageRankOptions ranks{.tolerance = 0,
                                .max_iterations = 20,
                                .threads = bench.options.threads,
                                .precision = Precision::kBfloat16};
    windows.Compare("curve_pagerank",
                    [&](const auto& graph) { return PageRank(graph, ranks).residual; });
    const BfsOptions search{.threads = bench.options.threads};
    const std::array roots = Roots(windows.plain());
    windows.Compare("curve_bfs", [&](const auto& graph) {
      double reached = 0;
      for (const BfsResult& result : BfsEach(graph, roots, search)) {
        reached += static_cast<double>(result.reached);
      }
      return reached;
    });
    windows.VerifyEdges("curve");
  }
}

}  // namespace

void RunCurves(const Bench& bench) {
  for (WindowCase window_case : kPolicyCases) {
    for (const int share : kDuplicateShares) {
      window_case.duplicates = share / 100.0;
      MeasureCurves(bench, window_case, std::string(window_case.name) + std::to_string(share));
    }
  }
  MeasureCurves(bench, kRemovalsCase, "removals5");
}

}  // namespace sash::bench
