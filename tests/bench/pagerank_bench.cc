// PageRank, 20 iterations from pin to result, on windows compared with the plain CSR of the same
// edges.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/compared_windows.h"
#include "tests/support/rank_difference.h"
#include "windows/kernels/pagerank.h"

namespace sash::bench {
namespace {

constexpr double kMostRankDifference = 1e-9;  // L1

void ComparePageRank(const Bench& bench, ComparedWindows windows) {
  const PageRankOptions options{
      .tolerance = 0,
      .max_iterations = 20,
      .threads = bench.options.threads,
      .precision = Precision::kBfloat16};  // as with the tolerance of a job
  windows.Compare("pagerank", [&](const auto& graph) { return PageRank(graph, options).residual; });

  PageRankOptions in_double = options;
  in_double.precision = Precision::kDouble;
  const PageRankResult expected = PageRank(windows.plain(), in_double);
  windows.Verify("pagerank", [&](const auto& graph) -> std::optional<std::string> {
    const PageRankResult result = PageRank(graph, options);
    const double difference = testing::L1Difference(result.ranks, expected.ranks);
    if (result.iterations == 20 && difference <= kMostRankDifference) return std::nullopt;
    return fmt::format("{} iterations, L1 difference {:.3g}", result.iterations, difference);
  });
}

}  // namespace

void RunPageRank(const Bench& bench) {
  ForEachComparison(bench,
                    [&](ComparedWindows windows) { ComparePageRank(bench, std::move(windows)); });
}

}  // namespace sash::bench
