#include "windows/jobs/kinds/cycles.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "windows/base/radix_sort.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/key_order.h"
#include "windows/jobs/pair_edges.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/cycles.h"
#include "windows/kernels/timed_cycles.h"
#include "windows/store/slice_archive.h"

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
                      .is_forgotten = false,
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

// The pairs of the window with the dates of their edges; ids are places in the order of keys.
DatedPairs PairsByKey(const SliceArchive::DatedWindow& window, const KeyOrder& order) {
  struct DatedPlaces {
    std::uint64_t pair = 0;
    Date date = 0;
  };
  std::vector<DatedPlaces> edges;
  edges.reserve(window.edges.size());
  for (const DatedEdge& edge : window.edges) {
    if (edge.source == edge.target) continue;
    edges.push_back(
        {std::uint64_t{order.places[edge.source]} << 32 | order.places[edge.target], edge.slice});
  }
  RadixSort(edges, [](const DatedPlaces& edge) { return edge.date; });
  RadixSort(edges, [](const DatedPlaces& edge) { return edge.pair; });
  DatedPairs pairs{.id_limit = static_cast<VertexId>(order.by_place.size())};
  for (const DatedPlaces& edge : edges) {
    pairs.Append({static_cast<VertexId>(edge.pair >> 32), static_cast<VertexId>(edge.pair)},
                 edge.date);
  }
  return pairs;
}

// The number of slices of the window that the previous result had seen.
Date DateOfPrevious(const SliceArchive::DatedWindow& window, const RunSetting& setting) {
  if (setting.previous == nullptr) return 0;
  const auto seen = std::ranges::upper_bound(window.ends, setting.previous->advance->end);
  return static_cast<Date>(seen - window.ends.begin());
}

KernelRun RunInTimeOrder(CyclesOptions options, const CyclesParameters& parameters,
                         const RunSetting& setting) {
  std::optional<SliceArchive::DatedWindow> window;
  if (setting.advance && setting.advance->history) {
    const PastSlices& history = *setting.advance->history;
    window = history.archive->DatedWindowOf(history.newest, setting.advance->slices,
                                            history.id_limit, options.least_weight);
  }
  if (!window) {
    return {.output =
                CyclesOutput{.since = TimeOfPrevious(setting), .is_forgotten = true, .first = {}}};
  }
  const KeyOrder order = OrderByKey(setting.view, setting.keys, {});
  options.passes.clear();
  for (const VertexKey& key : parameters.through) {
    const std::optional<VertexId> id = setting.keys.Find(key);
    options.passes.push_back(id && HasEdge(setting.view, *id) ? order.places[*id] : kNoVertex);
  }
  const DatedPairs pairs = PairsByKey(*window, order);
  const Date since = DateOfPrevious(*window, setting);
  window.reset();
  CyclesResult found = TimedCycles(pairs, since, options);
  for (std::vector<VertexId>& cycle : found.first) {
    for (VertexId& vertex : cycle) vertex = order.by_place[vertex];
  }
  return {.output = CyclesByKey(found, setting), .cancelled = found.cancelled};
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
                 "if one of them does. A cycle is also new when one of its edges has reached this "
                 "weight. any: weights "
                 "do not matter.",
        .bounds = RealBounds::kAboveZero,
        .word = "any"}},
      {&Kind::through,
       {.name = "through",
        .about = "Vertex keys that every cycle passes, all of them. any: all cycles.",
        .word = "any"}},
      {&Kind::in_time_order,
       {.name = "in_time_order",
        .about = "Only cycles in which each edge came in the same slice as the edge before it, or "
                 "in a later one. The last edge is the one that entered; a further edge of a pair "
                 "that was there before counts too. The window needs `retain`.",
        .shown_with = "in_time_order"}},
      {&Kind::max_steps,
       {.name = "max_steps",
        .about = "The most work of a run: a step is a neighbour that the search looks at. Edges "
                 "and neighbours are taken in the order of their keys, so the same cycles are "
                 "found on every machine. If the steps are used up, `error` says so.",
        .bounds = WholeBounds{1, 1'000'000'000}}},
  };
}

JobTraits TraitsOf(const CyclesParameters& parameters) {
  return {.edge_bytes = parameters.in_time_order ? 120u : 24u,
          .id_bytes = parameters.in_time_order ? 160u : 60u,
          .rows = JobTraits::Rows::kCycles,
          .row_bytes = kCycleBytes,
          .compares_windows = true,
          .needs_slices = parameters.in_time_order};
}

KernelRun RunKernel(const CyclesParameters& parameters, const RunSetting& setting) {
  CyclesOptions options{.longest = parameters.max_length,
                        .most_steps = static_cast<std::uint64_t>(parameters.max_steps),
                        .listed = setting.job.top,
                        .threads = setting.job.threads,
                        .progress = setting.progress};
  if (parameters.min_weight > 0) options.least_weight = parameters.min_weight;
  if (parameters.in_time_order) return RunInTimeOrder(std::move(options), parameters, setting);
  for (const VertexKey& key : parameters.through) {
    // No cycle has a key without a vertex, or an id without one.
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
  if (output.is_forgotten) {
    table.error =
        "the window has no history (`retain`), or not of all its slices, so the order of its edges "
        "is not known";
  }
  return table;
}

}  // namespace sash
