// PageRank, 20 iterations from pin to result, on a window whose ranks exceed the caches: R-MAT
// scale 22 with 65 M edges in 60 slices, whatever the size of the other benchmarks. Only --quick
// makes it small.
#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tests/bench/benchmarks.h"
#include "tests/bench/built_csr.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/rank_difference.h"
#include "windows/kernels/pagerank.h"

namespace sash::bench {
namespace {

constexpr std::size_t kLargeSlices = 60;
constexpr double kMostLargeDifference = 1e-9;  // L1

BenchOptions LargeOptions(const BenchOptions& options) {
  BenchOptions large = options;
  if (!options.quick) {
    large.graph = GraphShape::kRmat;
    large.scale = 22;
    large.edges = 65'000'000;
  }
  return large;
}

std::optional<std::string> WrongRanks(const PageRankResult& result, const BenchEdges& edges,
                                      PageRankOptions options) {
  options.precision = Precision::kDouble;
  const BuiltCsr plain(std::span(edges.sources), std::span(edges.targets), edges.id_limit,
                       BuiltRows::kAsTheyCome);
  const PageRankResult expected =
      PageRank(InRuns(plain, RowOrder::kHotFirst, options.threads), plain.id_limit(), options);
  const double difference = testing::L1Difference(result.ranks, expected.ranks);
  if (result.iterations == options.max_iterations && difference <= kMostLargeDifference) {
    return std::nullopt;
  }
  return fmt::format("{} iterations, L1 difference {:.3g}", result.iterations, difference);
}

}  // namespace

void RunLargePageRank(const Bench& bench) {
  const std::string name = "pagerank_60_scale22";
  const BenchOptions options = LargeOptions(bench.options);
  const BenchEdges edges = DrawEdges(options, options.edges);
  const PageRankOptions ranking{.tolerance = 0,
                                .max_iterations = 20,
                                .threads = options.threads,
                                .precision = Precision::kBfloat16};
  MovingWindow window({.removals = false}, CutIntoSlices(edges, 0, edges.size(), kLargeSlices),
                      edges.id_limit);
  Samples seconds;
  PageRankResult result;
  for (int i = 0; i < options.repetitions; ++i) {
    const WindowView view = window.FreshView();
    seconds.Add(Time([&] {
      result = VisitView(view, [&](const auto& graph) { return PageRank(graph, ranking); });
    }));
  }
  bench.report.Verify(name, WrongRanks(result, edges, ranking));
  bench.report.Add(name, "s", seconds);
}

}  // namespace sash::bench
