// As Graph 500 measures a search: 64 roots with an edge to another vertex, one search after the
// other over edges without direction, each validated outside the time, and the median rate in
// traversed edges a second. With depths alone; with the tree of parents, which is what Graph 500
// asks for, found within the search; and with the least parents, found afterwards from the depths.
// On a window of 60 slices, compared with the plain CSR of the same edges.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daemon/generate/random.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"
#include "tests/bench/tree_check.h"
#include "tests/bench/window_cases.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/bfs_parents.h"

namespace sash::bench {
namespace {

constexpr std::size_t kSearches = 64;
constexpr std::size_t kSearchedSlices = 60;

bool HasOtherNeighbour(const CsrGraph& graph, VertexId v) {
  const auto is_other = [v](VertexId u) { return u != v; };
  return std::ranges::any_of(graph.out(v), is_other) || std::ranges::any_of(graph.in(v), is_other);
}

// Different vertices, fewer only if the graph has no more.
std::vector<VertexId> DrawRoots(const CsrGraph& graph, std::uint64_t seed) {
  std::vector<VertexId> candidates;
  for (const VertexId v : graph.vertices()) {
    if (HasOtherNeighbour(graph, v)) candidates.push_back(v);
  }
  Xoshiro256 random(seed);
  const std::size_t count = std::min(kSearches, candidates.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(candidates[i], candidates[i + random.Below(candidates.size() - i)]);
  }
  candidates.resize(count);
  return candidates;
}

// The median rates of the 64 searches, one of each repetition, in 10^9 traversed edges a second.
struct SearchRates {
  Samples depths;
  Samples trees;
  Samples least;  // a search for depths and BfsParents()
};

class Searches {
 public:
  Searches(const Bench& bench, const CsrGraph& plain)
      : bench_(bench),
        edges_{std::span(bench.edges.sources).first(bench.options.edges),
               std::span(bench.edges.targets).first(bench.options.edges)},
        roots_(DrawRoots(plain, bench.options.seed)) {}

  void Run(const WindowView& view, const std::string& name, SearchRates& rates) {
    SearchRates of_roots;
    for (const VertexId root : roots_) {
      BfsResult found;
      BfsResult tree;
      std::vector<VertexId> least;
      const double searching = Time([&] { found = SearchFrom(view, root, false); });
      const double growing = Time([&] { tree = SearchFrom(view, root, true); });
      const double naming = Time([&] { least = ParentsOf(view, found.depths); });
      const auto edges = static_cast<double>(TraversedEdges(edges_, found.depths)) * 1e-9;
      of_roots.depths.Add(edges / searching);
      of_roots.trees.Add(edges / growing);
      of_roots.least.Add(edges / (searching + naming));
      Check(name, {root, tree.depths, tree.parents});
      Check(name, {root, found.depths, least});
    }
    rates.depths.Add(of_roots.depths.Median());
    rates.trees.Add(of_roots.trees.Median());
    rates.least.Add(of_roots.least.Median());
  }

 private:
  void Check(const std::string& name, const SearchedTree& tree) {
    if (auto error = TreeError(edges_, tree)) {
      bench_.report.Wrong(name, fmt::format("from vertex {}: {}", tree.root, *error));
    }
  }
  BfsResult SearchFrom(const WindowView& view, VertexId root, bool tree) const {
    const BfsOptions options{
        .follow = FollowedEdges::kBoth, .threads = bench_.options.threads, .tree = tree};
    return VisitView(view,
                     [&](const auto& graph) { return Bfs(graph, std::array{root}, options); });
  }
  // By id.
  std::vector<VertexId> ParentsOf(const WindowView& view,
                                  const std::vector<std::int32_t>& depths) const {
    std::vector<VertexId> parents(depths.size(), kNoVertex);
    VisitView(view, [&](const auto& graph) {
      const std::span<const VertexId> vertices = graph.vertices();
      const std::vector<VertexId> found =
          BfsParents(graph, depths, FollowedEdges::kBoth, vertices, bench_.options.threads,
                     [](VertexId a, VertexId b) { return a < b; });
      for (std::size_t i = 0; i < found.size(); ++i) parents[vertices[i]] = found[i];
    });
    return parents;
  }

  const Bench& bench_;
  const EdgeSpans edges_;
  const std::vector<VertexId> roots_;
};

}  // namespace

void RunGraph500(const Bench& bench) {
  const std::shared_ptr<const CsrGraph> plain = MakePlainCsr(bench.edges, 0, bench.options.edges);
  MovingWindow window(kKeepSpec,
                      CutIntoSlices(bench.edges, 0, bench.options.edges, kSearchedSlices),
                      bench.edges.id_limit);
  Searches searches(bench, *plain);
  SearchRates on_plain;
  SearchRates on_window;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    searches.Run(plain, "graph500_csr", on_plain);
    searches.Run(window.FreshView(), "graph500_60", on_window);
  }
  bench.report.Add("graph500_csr", "GTEPS", on_plain.trees);
  bench.report.Add("graph500_60", "GTEPS", on_window.trees, Ratios(on_window.trees, on_plain.trees),
                   "plain CSR");
  bench.report.Add("graph500_depths_csr", "GTEPS", on_plain.depths);
  bench.report.Add("graph500_depths_60", "GTEPS", on_window.depths,
                   Ratios(on_window.depths, on_plain.depths), "plain CSR");
  bench.report.Add("graph500_least_csr", "GTEPS", on_plain.least);
  bench.report.Add("graph500_least_60", "GTEPS", on_window.least,
                   Ratios(on_window.least, on_window.trees), "the tree of the search");
}

}  // namespace sash::bench
