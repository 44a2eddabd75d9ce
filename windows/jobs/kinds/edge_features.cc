#include "windows/jobs/kinds/edge_features.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "windows/base/finite_weight.h"
#include "windows/base/parallel.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/pair_edges.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/edge_features.h"

namespace sash {
namespace {

FeaturesOfPair PairByKey(const FeaturesOfEdge& edge, const EdgeFeaturesResult& found, int longest,
                         const RunSetting& setting) {
  const PairEdges edges = EdgesOfPair(setting.view, edge.edge.source, edge.edge.target);
  FeaturesOfPair row{.source = setting.keys.KeyOf(edge.edge.source),
                     .target = setting.keys.KeyOf(edge.edge.target),
                     .edges = edges.edges,
                     .weight = edges.weight,
                     .of_source = found.ends[edge.source],
                     .of_target = found.ends[edge.target]};
  if (edge.cycles) row.cycles.assign(edge.cycles->begin() + 2, edge.cycles->begin() + longest + 1);
  if (edge.scatter_gather) {
    row.patterns = edge.scatter_gather->patterns;
    row.intermediates = edge.scatter_gather->intermediates;
  }
  return row;
}

EdgeFeaturesOutput FeaturesByKey(const EdgeFeaturesResult& found, int longest,
                                 const RunSetting& setting) {
  constexpr std::size_t kBlock = 1 << 6;
  EdgeFeaturesOutput output{.since = TimeOfPrevious(setting),
                            .entered = found.entered,
                            .steps = found.steps,
                            .first = {}};
  output.first.resize(found.first.size());
  ParallelBlocks(output.first.size(), kBlock, setting.job.threads,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     output.first[i] = PairByKey(found.first[i], found, longest, setting);
                   }
                 });
  return output;
}

bool IsFinite(const EdgesOfEnd& edges) {
  return IsFinite(edges.weights.sum) && std::isfinite(edges.weights.variance);
}

bool IsFinite(const FeaturesOfPair& row) {
  return IsFinite(row.weight) && IsFinite(row.of_source.out) && IsFinite(row.of_source.in) &&
         IsFinite(row.of_target.out) && IsFinite(row.of_target.in);
}

// Why numbers of the rows are null; empty: none is.
std::string WhatIsMissing(const std::vector<FeaturesOfPair>& rows, int max_steps) {
  const auto without_cycles =
      std::ranges::count_if(rows, [](const FeaturesOfPair& row) { return row.cycles.empty(); });
  const auto without_patterns =
      std::ranges::count_if(rows, [](const FeaturesOfPair& row) { return !row.patterns; });
  const auto beyond =
      std::ranges::count_if(rows, [](const FeaturesOfPair& row) { return !IsFinite(row); });
  std::string text;
  if (without_cycles > 0 || without_patterns > 0) {
    text = "the " + std::to_string(max_steps) +
           " steps (`max_steps`) were used up: the cycles of " + std::to_string(without_cycles) +
           " listed edges and the scatter-gather patterns of " + std::to_string(without_patterns) +
           " read null";
  }
  if (beyond > 0) {
    text += (text.empty() ? "" : "; ") +
            OverflowText(static_cast<std::uint64_t>(beyond), "edge has a number",
                         "edges have numbers") +
            ", which read" + (beyond == 1 ? "s" : "") + " null";
  }
  return text;
}

}  // namespace

ParameterRows<EdgeFeaturesParameters> RowsOf(const EdgeFeaturesParameters& /*parameters*/) {
  using Kind = EdgeFeaturesParameters;
  return {
      {&Kind::max_length,
       {.name = "max_length",
        .about = "The greatest number of edges in a cycle; rows have the number of cycles for each "
                 "length from 2 on. The work grows fast with it.",
        .bounds = WholeBounds{2, kLongestCycle}}},
      {&Kind::min_intermediates,
       {.name = "min_intermediates",
        .about = "The least number of vertices between the two ends of a scatter-gather pattern.",
        .bounds = WholeBounds{1, 1'000'000'000}}},
      {&Kind::max_steps,
       {.name = "max_steps",
        .about = "The most work of a run for cycles, and as much again for scatter-gather "
                 "patterns: a step is a neighbour that is looked at. Edges are taken in the order "
                 "of their keys. When the steps are used up, the other edges lack these figures, "
                 "and `error` says so.",
        .bounds = WholeBounds{1, 1'000'000'000}}},
  };
}

JobTraits TraitsOf(const EdgeFeaturesParameters& parameters) {
  const auto lengths = static_cast<std::size_t>(parameters.max_length - 1);
  return {.edge_bytes = 24,
          .id_bytes = 72,
          .rows = JobTraits::Rows::kPairs,
          .row_bytes = sizeof(FeaturesOfPair) + sizeof(FeaturesOfEdge) +
                       2 * sizeof(BothDirections) + lengths * sizeof(std::uint64_t),
          .compares_windows = true};
}

KernelRun RunKernel(const EdgeFeaturesParameters& parameters, const RunSetting& setting) {
  const EdgeFeaturesOptions options{
      .longest = parameters.max_length,
      .least_intermediates = static_cast<std::uint32_t>(parameters.min_intermediates),
      .most_steps = static_cast<std::uint64_t>(parameters.max_steps),
      .listed = setting.job.top,
      .threads = setting.job.threads,
      .progress = setting.progress};
  const EdgeFeaturesResult found = VisitView(PreviousView(setting), [&](const auto& before) {
    return VisitView(setting.view, [&](const auto& now) {
      return EdgeFeatures(before, now, options,
                          [&](VertexId a, VertexId b) { return setting.keys.KeyLess(a, b); });
    });
  });
  return {.output = FeaturesByKey(found, parameters.max_length, setting),
          .cancelled = found.cancelled};
}

ResultTable Describe(const EdgeFeaturesParameters& parameters, const RunResult& result) {
  const auto& output = std::get<EdgeFeaturesOutput>(result.output);
  return {.figures = {{.name = "since", .value = output.since},
                      {.name = "entered",
                       .value = output.entered,
                       .said = ResultFigure::Said::kBeforeName},
                      {.name = "steps", .value = output.steps}},
          .lists = {{.name = "top_features",
                     .rows = &output.first,
                     .available = output.first.size(),
                     .longest_cycle = parameters.max_length}},
          .error = WhatIsMissing(output.first, parameters.max_steps)};
}

}  // namespace sash
