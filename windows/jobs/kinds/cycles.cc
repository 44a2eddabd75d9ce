#include "windows/jobs/kinds/cycles.h"

#include <optional>
#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/pair_edges.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/cycles.h"

namespace sash {
namespace {

// The keys of a usual cycle.
constexpr std::size_t kCycleBytes = sizeof(CycleOfVertices) + 4 * sizeof(VertexKey);

CyclesOutput CyclesByKey(const CyclesResult& found, const RunSetting& setting) {
  CyclesOutput output{.since = TimeOfPrevious(setting),
                      .entered = found.entered,
                      .cycles = found.cycles,
                      .steps = found.steps,
                      .is_truncated = found.truncated,
                      .first = {}};
  output.first.reserve(found.first.size());
  for (const std::vector<VertexId>& cycle : found.first) {
    CycleOfVertices& row = output.first.emplace_back();
    row.vertices.reserve(cycle.size());
    std::optional<Weight> least;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      row.vertices.push_back(setting.keys.KeyOf(cycle[i]));
      const PairEdges edges = EdgesOfPair(setting.view, cycle[i], cycle[(i + 1) % cycle.size()]);
      if (!least || edges.heaviest.value() < *least) least = edges.heaviest;
    }
    row.weight = least.value();
  }
  return output;
}

}  // namespace

ParameterRows<CyclesParameters> RowsOf(const CyclesParameters& /*parameters*/) {
  using Kind = CyclesParameters;
  return {
      {&Kind::max_length,
       {.name = "max_length",
        .about = "The greatest number of edges in a cycle. The work grows fast with it.",
        .bounds = WholeBounds{2, kLongestCycle}}},
      {&Kind::min_weight,
       {.name = "min_weight",
        .about = "Every edge of a cycle has at least this weight. A pair with several edges has it "
                 "if one of them does. A cycle is also new when an edge got so heavy. any: weights "
                 "do not matter.",
        .bounds = RealBounds::kFromZero,
        .word = "any"}},
      {&Kind::through,
       {.name = "through",
        .about = "Vertex keys that every cycle passes, all of them. any: all cycles.",
        .word = "any"}},
      {&Kind::max_steps,
       {.name = "max_steps",
        .about = "The most work of a run: a step is a neighbour that the search looks at. Edges "
                 "and neighbours are taken in the order of their keys, so the same cycles are "
                 "found on every machine. If the steps are used up, `error` says so.",
        .bounds = WholeBounds{1, 1'000'000'000}}},
  };
}

JobTraits TraitsOf(const CyclesParameters&) {
  return {.edge_bytes = 24,
          .id_bytes = 60,
          .rows = JobTraits::Rows::kCycles,
          .row_bytes = kCycleBytes,
          .compares_windows = true};
}

KernelRun RunKernel(const CyclesParameters& parameters, const RunSetting& setting) {
  CyclesOptions options{.longest = parameters.max_length,
                        .most_steps = static_cast<std::uint64_t>(parameters.max_steps),
                        .listed = setting.job.top,
                        .threads = setting.job.threads,
                        .progress = setting.progress};
  if (parameters.min_weight > 0) options.least_weight = parameters.min_weight;
  for (const VertexKey& key : parameters.through) {
    // A key without a vertex is on no cycle, as is an id without one.
    options.passes.push_back(setting.keys.Find(key).value_or(kNoVertex));
  }
  const CyclesResult found = VisitView(PreviousView(setting), [&](const auto& before) {
    return VisitView(setting.view, [&](const auto& now) {
      return Cycles(before, now, options,
                    [&](VertexId a, VertexId b) { return setting.keys.KeyLess(a, b); });
    });
  });
  return {.output = CyclesByKey(found, setting), .cancelled = found.cancelled};
}

ResultTable Describe(const CyclesParameters& parameters, const RunResult& result) {
  const auto& output = std::get<CyclesOutput>(result.output);
  ResultTable table{
      .figures = {{.name = "since", .value = output.since},
                  {.name = "entered", .value = output.entered},
                  {.name = "cycles",
                   .value = output.cycles,
                   .said = ResultFigure::Said::kBeforeName,
                   .one = "cycle"},
                  {.name = "steps", .value = output.steps}},
      .lists = {{.name = "top_cycles", .rows = &output.first, .available = output.first.size()}}};
  if (output.is_truncated) {
    table.error = "the search used its " + std::to_string(parameters.max_steps) +
                  " steps (`max_steps`); there may be more cycles";
  }
  return table;
}

}  // namespace sash
