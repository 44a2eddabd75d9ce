// BFS from 16 sources, from pin to the last result, on windows compared with the plain CSR of the
// same edges: all together (BfsEach), and one after the other.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/bfs_sources.h"
#include "tests/bench/compared_windows.h"
#include "windows/kernels/bfs_each.h"

namespace sash::bench {
namespace {

BfsResult From(const auto& graph, VertexId source, const BfsOptions& options) {
  return Bfs(graph, std::array{source}, options);
}

void CompareBfs(const Bench& bench, ComparedWindows windows) {
  const BfsOptions options{.threads = bench.options.threads};
  const std::vector<VertexId> sources = DrawBfsSources(windows.plain(), bench.options.seed);
  windows.Compare("bfs", [&](const auto& graph) {
    double reached = 0;
    for (const BfsResult& result : BfsEach(graph, sources, options)) {
      reached += static_cast<double>(result.reached);
    }
    return reached;
  });
  windows.Compare("bfs_single", [&](const auto& graph) {
    double reached = 0;
    for (const VertexId source : sources) {
      reached += static_cast<double>(From(graph, source, options).reached);
    }
    return reached;
  });

  std::vector<BfsResult> expected;
  for (const VertexId source : sources) expected.push_back(From(windows.plain(), source, options));
  windows.Verify("bfs", [&](const auto& graph) -> std::optional<std::string> {
    const std::vector<BfsResult> results = BfsEach(graph, sources, options);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (results[i].depths != expected[i].depths) {
        return fmt::format("other depths from vertex {}", sources[i]);
      }
    }
    return std::nullopt;
  });
  windows.Verify("bfs_single", [&](const auto& graph) -> std::optional<std::string> {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (From(graph, sources[i], options).depths != expected[i].depths) {
        return fmt::format("other depths from vertex {}", sources[i]);
      }
    }
    return std::nullopt;
  });
}

}  // namespace

void RunBfs(const Bench& bench) {
  ForEachComparison(bench, [&](ComparedWindows windows) { CompareBfs(bench, std::move(windows)); });
}

}  // namespace sash::bench
