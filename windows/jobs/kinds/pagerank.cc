// PageRank runs: from 1/n, or with `warm_start` from the ranks of the job's previous run. If the
// store can tell what has changed since, and that is not much, a run follows the window from there
// (TrackedPageRank). Otherwise it reads the whole window, as a full run does.
//
// A full run usually ends well below its tolerance. A warm run continues until its change is half
// of the change with which the last full run ended, so that its error is not larger. At intervals a
// full run is compared with a warm run and becomes the result. If their ranks are too far apart,
// the job stops starting warm.
#include "windows/jobs/kinds/pagerank.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/text_bytes.h"
#include "windows/jobs/tracked_state.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/pagerank.h"

namespace sash {
namespace {

// The least tolerance of a warm run, as a share of the job's tolerance: on an easy window a full
// run may end far below its tolerance.
constexpr double kLeastShare = 1.0 / 64;

// The greatest distance between two runs that both stopped at `tolerance`: with each iteration the
// remaining change shrinks at least by the damping.
double MostDrift(const PageRankParameters& parameters) {
  return 2 * parameters.tolerance * parameters.damping / (1 - parameters.damping) + 1e-12;
}

double L1Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]);
  return sum;
}

// A graph that is too large for memory is not copied into it.
template <typename Graph>
PageRankOptions Options(const Graph& graph, const PageRankParameters& parameters,
                        const RunSetting& setting) {
  return {.damping = parameters.damping,
          .tolerance = parameters.tolerance,
          .max_iterations = parameters.max_iterations,
          .threads = setting.job.threads,
          .rows = graph.on_disk() ? RowOrder::kSwept : RowOrder::kHotFirst,
          .progress = setting.progress};
}

// The previous run, if a warm run can start from it; otherwise null.
const CompletedRun* WarmStart(const PageRankParameters& parameters, const RunSetting& setting) {
  const CompletedRun* const before = setting.previous;
  if (!parameters.warm_start || before == nullptr || !before->warm) return nullptr;
  return IsTrusted(before) && !before->whole->scores.empty() ? before : nullptr;
}

template <typename Graph>
struct Ranking {
  const Graph& graph;
  const PageRankParameters& parameters;
  const RunSetting& setting;

  KernelRun Run() const {
    const CompletedRun* const before = WarmStart(parameters, setting);
    if (before == nullptr) return Full(MakeTracked());
    return ComparedWithFull(
        Warm(*before), parameters.check_every, [this] { return Full(nullptr); },
        [](const KernelRun& warm, const KernelRun& full) {
          return L1Distance(warm.whole.scores, full.whole.scores);
        },
        MostDrift(parameters));
  }

 private:
  using TrackedPtr = std::shared_ptr<TrackedState>;

  // Null if no later run will follow this one.
  TrackedPtr MakeTracked() const {
    return TrackedFor(graph, parameters.warm_start && parameters.tolerance > 0, setting.previous);
  }

  KernelRun Full(const TrackedPtr& tracked) const {
    setting.progress.Begin(RunPhase::kPreparing);  // a warm run may have come before it
    PageRankResult ranked = RankAll(Options(graph, parameters, setting), tracked.get());
    const double change = ranked.residual;
    KernelRun run = Ranked(std::move(ranked));
    if (!parameters.warm_start) return run;
    run.warm = {
        .is_trusted = IsTrusted(setting.previous), .full_change = change, .tracked = tracked};
    return run;
  }

  // Ids that belong to other vertices now start from a wrong guess, which costs one iteration at
  // most.
  KernelRun Warm(const CompletedRun& before) const {
    PageRankOptions options = Options(graph, parameters, setting);
    options.start = before.whole->scores;
    options.tolerance = std::clamp(before.warm->full_change / 2, options.tolerance * kLeastShare,
                                   options.tolerance);
    WarmHistory warm = *before.warm;
    if (!warm.tracked) warm.tracked = MakeTracked();
    std::optional<PageRankResult> followed = Follow(before, options, warm.tracked.get());
    KernelRun run = Ranked(followed ? *std::move(followed) : RankAll(options, warm.tracked.get()));
    run.mode = followed ? RunMode::kIncremental : RunMode::kWarm;
    run.warm = std::move(warm);
    ++run.warm->warm_runs;
    return run;
  }

  PageRankResult RankAll(const PageRankOptions& options, TrackedState* tracked) const {
    if (tracked == nullptr) return PageRank(graph, options);
    return tracked->Begin<TrackedPageRank>(
        setting.view, [&](TrackedPageRank& ranks) { return ranks.Begin(graph, options); });
  }

  std::optional<PageRankResult> Follow([[maybe_unused]] const CompletedRun& before,
                                       [[maybe_unused]] const PageRankOptions& options,
                                       [[maybe_unused]] TrackedState* tracked) const {
    if constexpr (FollowableView<Graph>) {
      if (tracked == nullptr) return std::nullopt;
      return tracked->FollowFrom<TrackedPageRank, Graph>(
          before, setting.view, [&](TrackedPageRank& ranks, const Graph& then) {
            return ranks.Follow(then, graph, options);
          });
    }
    return std::nullopt;
  }

  KernelRun Ranked(PageRankResult ranked) const {
    KernelRun run{.output = PageRankOutput{TopByScore(graph.vertices(), ranked.ranks,
                                                      setting.job.top, setting.keys),
                                           ranked.residual},
                  .iterations = ranked.iterations,
                  .converged = ranked.residual <= parameters.tolerance,
                  .cancelled = ranked.cancelled};
    run.whole.scores = std::move(ranked.ranks);
    return run;
  }
};

}  // namespace

ParameterRows<PageRankParameters> RowsOf(const PageRankParameters& /*parameters*/) {
  using Kind = PageRankParameters;
  return {
      {&Kind::damping,
       {"damping", "The share of a vertex's rank that follows its out-edges.",
        RealBounds::kFromZeroToBelowOne}},
      {&Kind::tolerance,
       {"tolerance", "A run stops when an iteration changes the ranks by at most this, in sum.",
        RealBounds::kFromZero}},
      MostIterationsRow<Kind>("A run stops after this number of iterations."),
      WarmStartRow<Kind>(
          "A run starts from the ranks of the job's previous result. This saves iterations if "
          "windows overlap; after a small change, only the affected part of the graph is read. "
          "Results then depend, within the tolerance, on the previous runs. About 4 bytes per edge "
          "are kept between runs. Not with `weighted`, `sources` or `direction`."),
      CheckEveryRow<Kind>(
          "After this number of warm runs, one is compared with a full run. The result gives the "
          "difference as `drift`; if it is too great, warm starts end. 0: never."),
      {&Kind::weighted,
       {.name = "weighted",
        .about = "Divides the rank of a vertex among its out-edges by their weights instead of "
                 "equally. If the window contains a negative weight, the result is an error.",
        .shown_with = "weighted"}},
      {&Kind::sources,
       {.name = "sources",
        .about =
            "The vertices among which the rank that follows no edge is divided equally: vertex "
            "keys, or integers with `keys: integer`. The result gives the number of sources that "
            "are not in the window; if no source is in the window, the result is an error.",
        .word = "all",
        .shown_with = "sources"}},
      {&Kind::direction,
       {.name = "direction",
        .about = "The edges along which rank flows: out-edges, in-edges or both. both: each edge "
                 "counts both ways, a self-loop once.",
        .shown_with = "direction"}},
  };
}

std::optional<ParameterFault> FaultOf(const PageRankParameters& parameters) {
  if (!parameters.warm_start || !parameters.is_biased()) return std::nullopt;
  return ParameterFault{
      "warm_start", "cannot be combined with `weighted`, `sources` or `direction`; leave it out"};
}

JobTraits TraitsOf(const PageRankParameters& parameters) {
  if (parameters.is_biased()) {
    // Both ways, edges are stored twice, and the list of a hub is joined, with its weights.
    if (parameters.direction == TraversalDirection::kBoth)
      return {.edge_bytes = 48, .id_bytes = 84};
    return {.edge_bytes = parameters.weighted ? 16u : 8u, .id_bytes = 80};
  }
  // A run that follows a window stores edges beside its rows, and renumbers the rows now and then.
  if (parameters.warm_start) {
    return {.edge_bytes = 6, .id_bytes = 88, .leaves_edges_on_disk = true};
  }
  return {.edge_bytes = 5, .id_bytes = 64, .leaves_edges_on_disk = true};
}

KernelRun RunKernel(const PageRankParameters& parameters, const RunSetting& setting) {
  if (parameters.is_biased()) return RunBiasedPageRank(parameters, setting);
  return VisitView(setting.view, [&](const auto& graph) {
    return Ranking<std::decay_t<decltype(graph)>>{graph, parameters, setting}.Run();
  });
}

ResultTable Describe(const PageRankParameters&, const RunResult& result) {
  const auto& output = std::get<PageRankOutput>(result.output);
  const bool is_ranked = output.error.empty();
  ResultTable table = TableOf(output.top, is_ranked ? result.provenance.vertices : 0);
  table.figures.push_back({.name = "residual", .value = output.residual, .is_of_run = true});
  if (output.absent_sources) {
    table.figures.push_back({.name = "absent_sources", .value = *output.absent_sources});
  }
  table.lists[0].has_values = is_ranked;
  table.other_bytes = TextBytes(output.error);
  if (is_ranked) return table;
  table.error = output.error;
  table.instead = output.error;
  return table;
}

}  // namespace sash
