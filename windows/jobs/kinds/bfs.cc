// BFS runs: from the roots, or with `warm_start` from the depths of the job's previous run, if the
// store can tell what has changed since and little has. The depths are the same either way. At
// intervals they are compared with those of a search from the roots.
#include "windows/jobs/kinds/bfs.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/reached_rows.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/bfs_each.h"
#include "windows/kernels/following/bfs_follow.h"

namespace sash {
namespace {

double DepthsThatDiffer(const KernelRun& a, const KernelRun& b) {
  double differ = 0;
  for (std::size_t i = 0; i < a.whole.depths.size(); ++i) {
    differ += CountUnequal(a.whole.depths[i], b.whole.depths[i]);
  }
  return differ;
}

bool AreSameSearches(const BfsParameters& a, const BfsParameters& b) {
  return a.roots == b.roots && a.direction == b.direction && a.separate == b.separate;
}

template <typename Graph>
struct Searching {
  const Graph& graph;
  const BfsParameters& parameters;
  const RunSetting& setting;

  KernelRun Run() const {
    if constexpr (FollowableView<Graph>) {
      if (std::optional<KernelRun> warm = Warm()) {
        return ComparedWithFull(
            *std::move(warm), parameters.check_every, [this] { return Full(); }, DepthsThatDiffer,
            0);
      }
    }
    return Full();
  }

 private:
  BfsOptions Options() const {
    return {.follow = Followed(parameters.direction),
            .threads = setting.job.threads,
            .sweeps = graph.on_disk(),
            .progress = setting.progress};
  }

  // The roots of each traversal. An unknown key reaches nothing.
  std::vector<std::vector<VertexId>> Roots() const {
    if (!parameters.separate) return {KnownIds(parameters.roots, setting.keys)};
    std::vector<std::vector<VertexId>> roots;
    for (const VertexKey& root : parameters.roots) {
      roots.push_back({setting.keys.Find(root).value_or(kNoVertex)});
    }
    return roots;
  }

  KernelRun Full() const {
    setting.progress.Begin(RunPhase::kPreparing);  // a warm run may have come before it
    std::vector<BfsResult> found;
    if (parameters.separate) {
      std::vector<VertexId> roots;
      for (const std::vector<VertexId>& root : Roots()) roots.push_back(root.front());
      found = BfsEach(graph, roots, Options());
    } else {
      found.push_back(Bfs(graph, Roots().front(), Options()));
    }
    KernelRun run = Searched(std::move(found));
    if (parameters.warm_start) run.warm = {.is_trusted = IsTrusted(setting.previous)};
    return run;
  }

  // The view that the previous run searched; null: there is nothing to continue from.
  const Graph* ViewBefore() const {
    const CompletedRun* const before = setting.previous;
    if (!parameters.warm_start || before == nullptr || before->whole->depths.empty())
      return nullptr;
    const auto* const then = std::get_if<BfsParameters>(&before->result->parameters);
    if (then == nullptr || !AreSameSearches(*then, parameters)) return nullptr;
    return ViewToFollow(graph, before);
  }

  // Returns nothing if too much has changed.
  std::optional<KernelRun> Warm() const {
    const Graph* const view = ViewBefore();
    if (view == nullptr) return std::nullopt;
    const CompletedRun& before = *setting.previous;
    const auto& traversals = std::get<BfsOutput>(before.result->output).traversals;
    const std::vector<std::vector<VertexId>> roots = Roots();
    std::vector<EarlierBfs> searches;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      searches.push_back({roots[i], before.whole->depths[i], traversals[i].levels});
    }
    std::optional<FollowedBfs> followed = FollowBfs(*view, graph, searches, Options());
    if (!followed) return std::nullopt;
    if (followed->cancelled) return KernelRun{.output = BfsOutput(), .cancelled = true};
    KernelRun run = Searched(std::move(followed->results));
    run.warm = WarmHistory();
    if (followed->restarted == searches.size()) return run;
    run.mode = RunMode::kIncremental;
    run.warm->warm_runs = before.warm.value_or(WarmHistory()).warm_runs + 1;
    return run;
  }

  KernelRun Searched(std::vector<BfsResult> found) const {
    KernelRun run{.output = BfsOutput()};
    for (std::size_t i = 0; i < found.size(); ++i) {
      Traversal traversal{std::nullopt, found[i].reached, std::move(found[i].levels), {}};
      if (parameters.separate) traversal.root = parameters.roots[i];
      traversal.top = ReachedRows({setting.view, parameters, found[i].depths, setting.keys},
                                  setting.job.top, setting.job.threads);
      run.iterations = std::max(run.iterations, static_cast<int>(traversal.levels.size()));
      run.cancelled = run.cancelled || found[i].cancelled;
      std::get<BfsOutput>(run.output).traversals.push_back(std::move(traversal));
      run.whole.depths.push_back(std::move(found[i].depths));
    }
    return run;
  }
};

}  // namespace

ParameterRows<BfsParameters> RowsOf(const BfsParameters& /*parameters*/) {
  using Kind = BfsParameters;
  return {
      RootsRow<Kind>(),
      DirectionRow<Kind>(),
      {&Kind::separate,
       {"separate", "One traversal for each root, instead of one from all roots together."}},
      {&Kind::parents,
       {.name = "parents",
        .about = "Gives each vertex a parent: the vertex with the least key among its neighbours "
                 "that are one step nearer to a root.",
        .shown_with = "parents"}},
      WarmStartRow<Kind>("A run starts from the depths of the job's previous result if less than a "
                         "sixty-fourth of the edges has changed since, and reads only the affected "
                         "part of the graph. The result is the same."),
      CheckEveryRow<Kind>(
          "After this number of warm runs, one is compared with a full run. `drift` is the number "
          "of vertices with another depth; if it is not 0, warm starts end. 0: never."),
  };
}

JobTraits TraitsOf(const BfsParameters& parameters) {
  constexpr std::size_t kTogether = 64;  // traversals in one word of bits
  const std::size_t traversals = parameters.separate ? parameters.roots.size() : 1;
  const std::size_t words = traversals > 1 ? 8 + std::min(traversals, kTogether) / 8 : 0;
  return {.edge_bytes = 1,
          .id_bytes = 12 + 4 * traversals + words,
          .leaves_edges_on_disk = true,
          .lists = traversals,
          .is_one_list = !parameters.separate,
          .row_bytes = sizeof(ReachedVertex),
          .has_scores = false};
}

KernelRun RunKernel(const BfsParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    return Searching<std::decay_t<decltype(graph)>>{graph, parameters, setting}.Run();
  });
}

ResultTable Describe(const BfsParameters& parameters, const RunResult& result) {
  const auto& traversals = std::get<BfsOutput>(result.output).traversals;
  ResultTable table{.parts = parameters.separate ? "traversals" : "",
                    .other_bytes = AllocatedBytes(traversals)};
  for (const Traversal& traversal : traversals) {
    table.lists.push_back({.value = "depth",
                           .rows = &traversal.top,
                           .available = traversal.reached,
                           .root = traversal.root ? &*traversal.root : nullptr,
                           .figures = {{.name = "reached",
                                        .value = traversal.reached,
                                        .said = ResultFigure::Said::kBeforeName}},
                           .levels = &traversal.levels,
                           .search = &parameters,
                           .traversal = table.lists.size()});
  }
  return table;
}

}  // namespace sash
