#include "windows/jobs/kinds/plugin.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "windows/base/check.h"
#include "windows/base/parallel.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/plugin/lost_runs.h"
#include "windows/jobs/plugin/plugin_call.h"
#include "windows/jobs/plugin/plugin_isolation.h"
#include "windows/jobs/reached_rows.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kGlance{10};  // at the deadline, while a plug-in computes

// With `isolate`: the copy of the window (at most, with weights and types) and its keys.
constexpr std::uint64_t kIsolatedEdgeBytes = 56;
constexpr std::uint64_t kIsolatedIdBytes = 160;

// Its depths have no parents.
const BfsParameters& PluginSearch() {
  static const BfsParameters search;
  return search;
}

std::uint32_t OutputOf(const PluginParameters& parameters) {
  return parameters.kernel ? parameters.kernel->table.output : std::uint32_t{SASH_SCORES};
}

KernelRun RunOfPluginDepths(std::span<const VertexId> vertices, PluginAnswer answer,
                            const RunSetting& setting) {
  Traversal traversal;
  for (const VertexId v : vertices) traversal.reached += answer.depths[v] >= 0 ? 1 : 0;
  traversal.top = ReachedRows({setting.view, PluginSearch(), answer.depths, setting.keys},
                              setting.job.top, setting.job.threads);
  KernelRun run{.output = BfsOutput{{std::move(traversal)}}};
  run.whole.depths.push_back(std::move(answer.depths));
  return run;
}

KernelRun RunOfPluginEdges(PluginAnswer answer, const RunSetting& setting) {
  auto& edges = answer.edges;
  const auto by_key = [&](const auto& a, const auto& b) {
    if (a.first != b.first) return setting.keys.KeyLess(a.first, b.first);
    return a.second != b.second && setting.keys.KeyLess(a.second, b.second);
  };
  const std::size_t listed = std::min(edges.size(), setting.job.top);
  std::ranges::partial_sort(edges, edges.begin() + static_cast<std::ptrdiff_t>(listed), by_key);
  ChangesOutput output{.since = std::nullopt, .pairs = edges.size(), .first = {}};
  for (std::size_t i = 0; i < listed; ++i) {
    output.first.push_back({.source = setting.keys.KeyOf(edges[i].first),
                            .target = setting.keys.KeyOf(edges[i].second),
                            .weight = {}});
  }
  return {.output = std::move(output)};
}

// The result of an answer with this output.
KernelRun RunOfOutput(std::uint32_t output, PluginAnswer answer, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) -> KernelRun {
    const std::span<const VertexId> vertices = graph.vertices();
    switch (output) {
      case SASH_SETS:
        return NumberedSetsRun(vertices, answer.sets, setting);
      case SASH_DEPTHS:
        return RunOfPluginDepths(vertices, std::move(answer), setting);
      case SASH_EDGES:
        return RunOfPluginEdges(std::move(answer), setting);
      default:
        return ScoredRun(vertices, std::move(answer.scores), std::nullopt, setting);
    }
  });
}

// The result with its figures. `kernel` is null if the plug-in is not loaded.
KernelRun RunOfAnswer(const PluginKernel* kernel, PluginAnswer answer, const RunSetting& setting) {
  const std::vector<std::optional<double>> values = std::move(answer.figures);
  const std::uint32_t output =
      kernel == nullptr ? std::uint32_t{SASH_SCORES} : kernel->table.output;
  KernelRun run = RunOfOutput(output, std::move(answer), setting);
  for (std::size_t i = 0; kernel != nullptr && i < kernel->figures.size(); ++i) {
    run.figures.push_back({kernel->figures[i], i < values.size() ? values[i] : std::nullopt});
  }
  return run;
}

bool HasVertices(const WindowView& view) {
  return VisitView(view, [](const auto& graph) { return !graph.vertices().empty(); });
}

// An answer for the ids of a window without vertices.
PluginAnswer EmptyAnswer(const WindowView& view) {
  const std::size_t ids = VisitView(view, [](const auto& graph) { return graph.id_limit(); });
  PluginAnswer answer;
  answer.scores.assign(ids, std::numeric_limits<double>::quiet_NaN());
  answer.sets.assign(ids, 0);
  answer.depths.assign(ids, kUnreached);
  return answer;
}

PluginRun FailedPluginRun(RunFault fault, std::string why) {
  return {.failure = RunFailure{fault, std::move(why)}};
}

// What became of a call.
enum class PluginEnd : std::uint8_t { kReturned, kStopped, kLost };

// Waits for the end of the call, and asks it to stop when the run shall stop.
PluginEnd AwaitPlugin(PluginCall& call, const RunSetting& setting) {
  using Steady = std::chrono::steady_clock;
  std::optional<SteadyTime> asked;
  while (!call.AwaitEnd(kGlance)) {
    const PluginCall::Report report = call.report();
    if (!asked && setting.progress && !setting.progress(report.iteration, report.residual)) {
      call.AskToStop();
      asked = Steady::now();
    }
    if (asked && setting.lost != nullptr && Steady::now() - *asked > setting.lost->patience()) {
      return PluginEnd::kLost;
    }
  }
  return asked ? PluginEnd::kStopped : PluginEnd::kReturned;
}

std::string WhyLost(const PluginKernel& kernel, Duration patience) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience).count();
  return "plug-in " + kernel.title + ": it went on for " + std::to_string(seconds) +
         " s after it was asked to stop; the job is paused, and its thread and its window are held "
         "until the plug-in returns. Let it ask should_stop() or progress() more often, or give "
         "the job `isolate: true`";
}

// In a thread of this process.
PluginRun RunInThread(PluginSetting made, const RunSetting& setting) {
  const PluginKernel& kernel = *made.kernel;
  if (setting.lost != nullptr && setting.lost->IsUnderWay(setting.job.name)) {
    return FailedPluginRun(RunFault::kPluginLost,
                           "plug-in " + kernel.title +
                               ": an earlier run of this job was lost and is still going on; "
                               "restart the process, or wait until it ends");
  }
  setting.progress.Begin(RunPhase::kComputing);
  const auto call = std::make_shared<PluginCall>(std::move(made), setting.keys);
  std::thread thread([call] { call->Run(); });
  const PluginEnd end = AwaitPlugin(*call, setting);
  if (end == PluginEnd::kLost) {
    PluginRun lost =
        FailedPluginRun(RunFault::kPluginLost, WhyLost(kernel, setting.lost->patience()));
    setting.lost->Keep(setting.job.name, call, std::move(thread));
    return lost;
  }
  thread.join();
  if (end == PluginEnd::kStopped) return {.is_stopped = true};
  if (std::optional<RunFailure> failure = call->TakeFailure()) {
    return {.failure = std::move(failure)};
  }
  return {.answer = call->TakeAnswer(), .iterations = call->report().iteration};
}

}  // namespace

bool EqualPlugins(const PluginParameters& a, const PluginParameters& b) {
  if (a.isolate != b.isolate) return false;
  if (!a.kernel || !b.kernel) return a.file == b.file && a.given == b.given;
  if (a.isolate && a.kernel != b.kernel) return false;  // the file has changed
  return a.kernel->file == b.kernel->file && a.values == b.values;
}

ParameterRows<PluginParameters> RowsOf(const PluginParameters& /*parameters*/) { return {}; }

// What the plug-in says, the copy of its answer, and the result.
JobTraits TraitsOf(const PluginParameters& parameters) {
  JobTraits traits{.edge_bytes = 0, .id_bytes = 24};
  traits.has_scores = OutputOf(parameters) == SASH_SCORES;
  if (parameters.kernel) {
    traits.edge_bytes += parameters.kernel->table.bytes_per_edge;
    traits.id_bytes += parameters.kernel->table.bytes_per_vertex;
  }
  if (parameters.isolate) {
    traits.edge_bytes += kIsolatedEdgeBytes;
    traits.id_bytes += kIsolatedIdBytes;
  }
  if (OutputOf(parameters) == SASH_EDGES) {
    traits.edge_bytes += sizeof(std::pair<VertexId, VertexId>);
    traits.rows = JobTraits::Rows::kPairs;
    traits.row_bytes = sizeof(PairOfVertices);
  }
  if (OutputOf(parameters) == SASH_DEPTHS) traits.row_bytes = sizeof(ReachedVertex);
  return traits;
}

KernelRun RunKernel(const PluginParameters& parameters, const RunSetting& setting) {
  if (!HasVertices(setting.view)) {
    return RunOfAnswer(parameters.kernel.get(), EmptyAnswer(setting.view), setting);
  }
  SASH_CHECK(parameters.kernel != nullptr);
  SASH_CHECK(parameters.isolate == (parameters.isolation != nullptr));
  PluginSetting made{parameters.kernel, parameters.values,   parameters.json, setting.advance,
                     setting.view,      setting.job.threads, most_threads};
  PluginRun ran = parameters.isolate
                      ? parameters.isolation->Run(made, setting.keys, setting.progress)
                      : RunInThread(std::move(made), setting);
  setting.progress.Begin(RunPhase::kFinishing);
  if (ran.is_stopped || ran.failure) {
    KernelRun none{.output = ScoreOutput(), .cancelled = true};
    none.failure = std::move(ran.failure);
    return none;
  }
  KernelRun run = RunOfAnswer(parameters.kernel.get(), std::move(ran.answer), setting);
  run.iterations = ran.iterations;
  return run;
}

ResultTable Describe(const PluginParameters& /*parameters*/, const RunResult& result) {
  ResultTable table;
  if (const auto* sets = std::get_if<GroupsOutput>(&result.output)) {
    table = TableOf(*sets);
  } else if (const auto* depths = std::get_if<BfsOutput>(&result.output)) {
    const Traversal& traversal = depths->traversals.front();
    table.figures.push_back(
        {.name = "reached", .value = traversal.reached, .said = ResultFigure::Said::kBeforeName});
    table.lists.push_back({.value = "depth",
                           .rows = &traversal.top,
                           .available = traversal.reached,
                           .search = &PluginSearch()});
  } else if (const auto* edges = std::get_if<ChangesOutput>(&result.output)) {
    table.figures.push_back(
        {.name = "pairs", .value = edges->pairs, .said = ResultFigure::Said::kBeforeName});
    table.lists.push_back(
        {.name = "top_edges", .rows = &edges->first, .available = edges->first.size()});
  } else if (const auto* scores = std::get_if<ScoreOutput>(&result.output)) {
    table = TableOf(*scores, result.provenance.vertices);
  }
  for (const NamedFigure& figure : result.figures) {
    table.figures.push_back(
        {.name = figure.name, .value = figure.value, .said = ResultFigure::Said::kAfterName});
  }
  return table;
}

}  // namespace sash
