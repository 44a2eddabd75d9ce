// Edge features: the figures that a model of fraud needs for each edge that a graph has and an
// earlier graph had not: the edges of both its ends, the simple directed cycles through it by their
// length, and the scatter-gather patterns that it is part of.
//
// An edge is a pair of different vertices; parallel edges are one, except in degrees and in figures
// of weights. The features are those in the later graph, with all its edges.
//
// Work is bounded in steps, and a step is a neighbour that is looked at: `most_steps` for the
// cycles of all edges, and as many for their scatter-gather patterns. Edges are taken in the order
// of their keys. So the same edges lack figures on every machine, with any number of threads. Takes
// eight bytes an edge of the later graph and 40 an id; for cycles also eight an id in each thread,
// and for patterns eight an id and four more in each thread.
//
// Thread safety: a pure function.
//
// Source: Blanuša et al.: Graph Feature Preprocessor: real-time subgraph-based feature extraction
// for financial crime detection (ICAIF 2024).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/sort_distinct.h"
#include "windows/kernels/cycle_search.h"
#include "windows/kernels/cycle_sweep.h"
#include "windows/kernels/edges_of_end.h"
#include "windows/kernels/entered_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/lent_scratch.h"
#include "windows/kernels/neighbour_sets.h"
#include "windows/kernels/one_phase.h"
#include "windows/kernels/ordered_rows.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/scatter_gather.h"
#include "windows/kernels/weight_statistics.h"

namespace sash {

struct EdgeFeaturesOptions {
  int longest = 5;                        // 2 to kLongestCycle edges of a cycle
  std::uint32_t least_intermediates = 2;  // of a scatter-gather pattern
  std::uint64_t most_steps = 10'000'000;  // for all cycles, and again for all patterns
  std::size_t listed = 50;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

// The features of one edge. The last two are missing if the steps were used up before.
struct FeaturesOfEdge {
  VertexPair edge{};
  std::size_t source = 0;  // places in EdgeFeaturesResult::ends
  std::size_t target = 0;
  std::optional<std::array<std::uint64_t, kLongestCycle + 1>> cycles{};  // by number of edges
  std::optional<ScatterGather> scatter_gather{};
};

struct EdgeFeaturesResult {
  std::uint64_t entered = 0;            // edges
  std::vector<BothDirections> ends{};   // each vertex once
  std::vector<FeaturesOfEdge> first{};  // of the entered edges
  std::uint64_t steps = 0;              // of cycles and patterns together
  bool truncated = false;               // some edges lack figures
  bool cancelled = false;               // `progress` said stop: all of this is partial
};

namespace edge_features {

template <typename WeightedList>
EdgesOfEnd EdgesOf(const WeightedList& list, VertexId v) {
  std::vector<VertexId> others;
  std::vector<Weight> weights;
  for (const auto& neighbour : list) {
    if (neighbour.vertex != v) others.push_back(neighbour.vertex);
    weights.push_back(neighbour.weight);
  }
  SortDistinct(others);
  return {.fan = others.size(), .degree = weights.size(), .weights = StatisticsOf(weights)};
}

// The ends of the listed edges, each once. Returns false if `progress` said stop.
template <BulkGraphView Graph>
bool FillEnds(const Graph& graph, const EdgeFeaturesOptions& options, EdgeFeaturesResult& result) {
  constexpr std::size_t kPart = 1 << 14;
  constexpr std::size_t kBlock = 1 << 6;
  std::vector<VertexId> vertices;
  for (const FeaturesOfEdge& each : result.first) {
    vertices.push_back(each.edge.source);
    vertices.push_back(each.edge.target);
  }
  SortDistinct(vertices);
  const auto place_of = [&](VertexId v) {
    return static_cast<std::size_t>(std::ranges::lower_bound(vertices, v) - vertices.begin());
  };
  for (FeaturesOfEdge& each : result.first) {
    each.source = place_of(each.edge.source);
    each.target = place_of(each.edge.target);
  }
  result.ends.resize(vertices.size());
  return SweepParts(
      vertices.size(), options.progress,
      [&](std::size_t first, std::size_t last) {
        ParallelBlocks(last - first, kBlock, options.threads,
                       [&](std::size_t, std::size_t begin, std::size_t end) {
                         for (std::size_t i = first + begin; i < first + end; ++i) {
                           const VertexId v = vertices[i];
                           result.ends[i] = {.out = EdgesOf(graph.weighted_out(v), v),
                                             .in = EdgesOf(graph.weighted_in(v), v)};
                         }
                       });
      },
      kPart);
}

// Returns false if `progress` said stop.
template <typename Less>
bool FillCycles(const OrderedRows<Less>& out, const OrderedRows<Less>& in,
                const EnteredEdges& entered, VertexId id_limit, const EdgeFeaturesOptions& options,
                EdgeFeaturesResult& result) {
  using Search = CycleSearch<Less>;
  const typename Search::Goal goal{.longest = options.longest, .passes = {}, .is_first = false};
  const CycleSweep swept = SweepCycles(
      result.first.size(), options.most_steps, options.threads, options.progress,
      [&] { return std::make_unique<Search>(out, in, entered, goal, id_limit); },
      [] { return std::size_t{0}; },
      [&](std::size_t place, CyclesOfEdge&& found) {
        if (!found.is_cut) result.first[place].cycles = found.by_length;
      });
  result.steps = swept.steps;
  result.truncated = swept.truncated;
  return !swept.cancelled;
}

// The listed edges with one vertex in common, which is their source (or their target).
struct EdgesOfHub {
  VertexId hub = kNoVertex;
  std::vector<std::size_t> places{};  // in EdgeFeaturesResult::first, ascending
  std::uint64_t steps = 0;
};

// In the order of their first places. `hub` and `middle`: the ends of an edge.
template <typename Less>
std::vector<EdgesOfHub> GroupByHub(std::span<const FeaturesOfEdge> edges, VertexId VertexPair::*hub,
                                   const OrderedRows<Less>& rows, VertexId id_limit, int threads) {
  constexpr std::size_t kBlock = 1 << 6;
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> group_of(id_limit, kNone);
  std::vector<EdgesOfHub> groups;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const VertexId v = edges[i].edge.*hub;
    if (group_of[v] == kNone) {
      group_of[v] = groups.size();
      groups.push_back({.hub = v});
    }
    groups[group_of[v]].places.push_back(i);
  }
  ParallelBlocks(groups.size(), kBlock, threads,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     groups[i].steps = ScatterCounter<Less>::StepsOf(rows, groups[i].hub);
                   }
                 });
  return groups;
}

// For how many of the edges, in order, these steps are enough to count the patterns; `steps`
// becomes the number of steps that this takes. An edge needs the groups of both its ends.
inline std::size_t EdgesWithin(std::uint64_t most_steps, std::size_t edges,
                               std::span<const EdgesOfHub> by_source,
                               std::span<const EdgesOfHub> by_target, std::uint64_t& steps) {
  std::vector<std::uint64_t> of_edge(edges);
  for (const EdgesOfHub& group : by_source) of_edge[group.places.front()] += group.steps;
  for (const EdgesOfHub& group : by_target) of_edge[group.places.front()] += group.steps;
  steps = 0;
  for (std::size_t i = 0; i < edges; ++i) {
    if (of_edge[i] > most_steps - steps) return i;
    steps += of_edge[i];
  }
  return edges;
}

// Adds the patterns of the edges before `end` that have a group's hub at one end.
template <typename Less>
bool AddPatterns(std::span<const EdgesOfHub> groups, VertexId VertexPair::*middle,
                 const OrderedRows<Less>& rows, VertexId id_limit, std::size_t end,
                 const EdgeFeaturesOptions& options, std::span<FeaturesOfEdge> edges) {
  constexpr std::size_t kPart = 1 << 9;
  constexpr std::size_t kBlock = 1 << 3;
  LentScratch<ScatterCounter<Less>> counters;
  return SweepParts(
      groups.size(), options.progress,
      [&](std::size_t first, std::size_t last) {
        ParallelBlocks(last - first, kBlock, options.threads,
                       [&](std::size_t, std::size_t from, std::size_t to) {
                         auto counter = counters.Borrow([&] {
                           return std::make_unique<ScatterCounter<Less>>(rows, id_limit);
                         });
                         for (const EdgesOfHub& group : groups.subspan(first + from, to - from)) {
                           if (group.places.front() >= end) continue;
                           counter->Count(group.hub);
                           for (const std::size_t place : group.places) {
                             if (place >= end) break;
                             edges[place].scatter_gather->Add(counter->Through(
                                 edges[place].edge.*middle, options.least_intermediates));
                           }
                         }
                         counters.Return(std::move(counter));
                       });
      },
      kPart);
}

// Returns false if `progress` said stop.
template <typename Less>
bool FillPatterns(const OrderedRows<Less>& out, const OrderedRows<Less>& in, VertexId id_limit,
                  const EdgeFeaturesOptions& options, EdgeFeaturesResult& result) {
  const std::span<FeaturesOfEdge> edges = result.first;
  const auto by_source =
      GroupByHub<Less>(edges, &VertexPair::source, out, id_limit, options.threads);
  const auto by_target =
      GroupByHub<Less>(edges, &VertexPair::target, in, id_limit, options.threads);
  std::uint64_t steps = 0;
  const std::size_t end =
      EdgesWithin(options.most_steps, edges.size(), by_source, by_target, steps);
  result.steps += steps;
  result.truncated = result.truncated || end < edges.size();
  for (FeaturesOfEdge& each : edges.first(end)) each.scatter_gather.emplace();
  return AddPatterns(std::span(by_source), &VertexPair::target, out, id_limit, end, options,
                     edges) &&
         AddPatterns(std::span(by_target), &VertexPair::source, in, id_limit, end, options, edges);
}

}  // namespace edge_features

// `less` orders vertices, and must outlive the call.
template <BulkGraphView Before, BulkGraphView After, typename Less = std::less<VertexId>>
EdgeFeaturesResult EdgeFeatures(const Before& before, const After& after,
                                const EdgeFeaturesOptions& options = {}, const Less& less = {}) {
  EdgeFeaturesResult result;
  const EnteredEdges entered(before, after, std::nullopt, options.threads, less);
  result.entered = entered.pairs().size();
  const std::size_t count = std::min(options.listed, entered.pairs().size());
  result.first.resize(count);
  for (std::size_t i = 0; i < count; ++i) result.first[i].edge = entered.pairs()[i];
  const OrderedRows<Less> out(after, RowDirection::kOut, std::nullopt, options.threads, less);
  const OrderedRows<Less> in(after, RowDirection::kIn, std::nullopt, options.threads, less);
  options.progress.Begin(RunPhase::kComputing);
  EdgeFeaturesOptions within = options;
  within.progress = WithoutPhases(options.progress);
  result.cancelled =
      !edge_features::FillEnds(after, within, result) ||
      !edge_features::FillCycles<Less>(out, in, entered, after.id_limit(), within, result) ||
      !edge_features::FillPatterns<Less>(out, in, after.id_limit(), within, result);
  if (!result.cancelled) options.progress.Begin(RunPhase::kFinishing);
  return result;
}

}  // namespace sash
