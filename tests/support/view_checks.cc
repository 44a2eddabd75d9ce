#include "tests/support/view_checks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace sash::testing {
namespace {

template <typename Graph>
std::vector<IdEdge> Listed(const Graph& graph, bool out) {
  std::vector<IdEdge> edges;
  edges.reserve(graph.edge_count());
  for (const VertexId v : graph.vertices()) {
    if (out) {
      for (const auto& near : graph.weighted_out(v)) {
        edges.push_back({v, near.vertex, near.weight, near.type});
      }
    } else {
      for (const auto& near : graph.weighted_in(v)) {
        edges.push_back({near.vertex, v, near.weight, near.type});
      }
    }
  }
  std::ranges::sort(edges, std::less<>());
  return edges;
}

// A list read without weights must equal the list read with weights, and must be as long as the
// degree.
template <typename Plain, typename Weighted>
bool SameList(const Plain& plain, const Weighted& weighted, std::uint32_t degree) {
  std::vector<VertexId> without;
  std::vector<VertexId> with;
  for (const VertexId u : plain) without.push_back(u);
  for (const auto& near : weighted) with.push_back(near.vertex);
  if (without != with) {
    std::ranges::sort(without);
    std::ranges::sort(with);
  }
  return without.size() == degree && without == with;
}

template <typename Graph>
std::string WrongLists(const Graph& graph) {
  std::uint64_t out_total = 0;
  std::uint64_t in_total = 0;
  std::vector<bool> listed(graph.id_limit());
  VertexId least = 0;
  for (const VertexId v : graph.vertices()) {
    if (v < least || v >= graph.id_limit()) return "vertices do not ascend below the limit";
    least = v + 1;
    listed[v] = true;
  }
  for (VertexId v = 0; v < graph.id_limit(); ++v) {
    const std::uint32_t out = graph.out_degree(v);
    const std::uint32_t in = graph.in_degree(v);
    const std::string of_vertex = " of vertex " + std::to_string(v);
    if (listed[v] != (out + in > 0)) return "degrees and listing" + of_vertex;
    if (!listed[v]) {
      for ([[maybe_unused]] const VertexId u : graph.out(v)) return "out-list" + of_vertex;
      for ([[maybe_unused]] const VertexId u : graph.in(v)) return "in-list" + of_vertex;
      continue;
    }
    if (!SameList(graph.out(v), graph.weighted_out(v), out)) return "out-list" + of_vertex;
    if (!SameList(graph.in(v), graph.weighted_in(v), in)) return "in-list" + of_vertex;
    out_total += out;
    in_total += in;
  }
  if (out_total != graph.edge_count() || in_total != graph.edge_count()) {
    return "degrees sum to " + std::to_string(out_total) + " and " + std::to_string(in_total) +
           " of " + std::to_string(graph.edge_count()) + " edges";
  }
  return "";
}

// The bulk traversal must visit all in-lists, in one call and in two parts.
template <typename Graph>
std::string WrongTraversal(const Graph& graph) {
  std::vector<std::uint64_t> single;
  for (const VertexId v : graph.vertices()) {
    for (const VertexId u : graph.in(v)) single.push_back(std::uint64_t{v} << 32 | u);
  }
  std::ranges::sort(single);
  std::vector<std::uint64_t> whole;
  graph.ForEachIn(0, graph.id_limit(),
                  [&](VertexId v, VertexId u) { whole.push_back(std::uint64_t{v} << 32 | u); });
  std::vector<std::uint64_t> parts;
  bool inside = true;
  const VertexId middle = graph.id_limit() / 3;
  const auto visit_part = [&](VertexId first, VertexId last) {
    graph.ForEachIn(first, last, [&](VertexId v, VertexId u) {
      inside = inside && v >= first && v < last;
      parts.push_back(std::uint64_t{v} << 32 | u);
    });
  };
  visit_part(0, middle);
  visit_part(middle, graph.id_limit());
  std::ranges::sort(whole);
  std::ranges::sort(parts);
  if (whole != single) return "bulk traversal";
  if (!inside || parts != single) return "bulk traversal in two parts";
  return "";
}

// Bulk reads and list reads must name the same neighbours.
template <typename Graph>
std::string WrongNeighbours(const Graph& graph, bool out) {
  std::set<std::uint64_t> single;
  std::set<std::uint64_t> bulk;
  std::set<std::uint64_t> pieces;
  std::vector<std::pair<VertexId, std::span<const VertexId>>> kept;
  const auto keep = [&](VertexId v, std::span<const VertexId> run) { kept.emplace_back(v, run); };
  std::map<VertexId, std::vector<VertexId>> copies;
  const auto room = [&](VertexId v, std::uint32_t count) {
    return copies[v].assign(count, kNoVertex), copies[v].data();
  };
  std::size_t visits_after_enough = 0;
  for (const VertexId v : graph.vertices()) {
    const auto add = [v](const auto& neighbours, std::set<std::uint64_t>& to) {
      for (const VertexId u : neighbours) to.insert(std::uint64_t{v} << 32 | u);
    };
    const auto read = [&](std::span<const VertexId> piece) { return add(piece, pieces), true; };
    std::size_t visits = 0;
    const auto read_one = [&](std::span<const VertexId>) { return ++visits, false; };
    if (out) {
      add(graph.out(v), single);
      graph.ReadOutNeighbours(v, read);
      graph.ReadOutNeighbours(v, read_one);
    } else {
      add(graph.in(v), single);
      graph.ReadInNeighbours(v, read);
      graph.ReadInNeighbours(v, read_one);
    }
    visits_after_enough += visits > 1 ? visits - 1 : 0;
  }
  if (out) {
    graph.ForEachOutNeighbours(0, graph.id_limit(), keep, room);
  } else {
    graph.ForEachInNeighbours(0, graph.id_limit(), keep, room);
  }
  for (const auto& [v, run] : kept) {
    for (const VertexId u : run) bulk.insert(std::uint64_t{v} << 32 | u);
  }
  if (visits_after_enough > 0) return "a read of a list continued after it was told to stop";
  if (pieces != single) return out ? "pieces of the out-lists" : "pieces of the in-lists";
  if (bulk != single) return out ? "neighbours in the out-lists" : "neighbours in the in-lists";
  return "";
}

// Runs must contain the lists, ascending by vertex. Runs that are kept must contain the same.
template <typename Graph>
std::string WrongRuns(const Graph& graph, bool out) {
  std::vector<std::uint64_t> single;
  for (const VertexId v : graph.vertices()) {
    const auto list = [&](const auto& neighbours) {
      for (const VertexId u : neighbours) single.push_back(std::uint64_t{v} << 32 | u);
    };
    out ? list(graph.out(v)) : list(graph.in(v));
  }
  std::vector<std::uint64_t> runs;
  VertexId newest = 0;
  bool ascend = true;
  const auto visit = [&](VertexId v, std::span<const VertexId> run) {
    ascend = ascend && v >= newest;
    newest = v;
    for (const VertexId u : run) runs.push_back(std::uint64_t{v} << 32 | u);
  };
  std::vector<std::pair<VertexId, std::span<const VertexId>>> kept;
  const auto keep = [&](VertexId v, std::span<const VertexId> run) { kept.emplace_back(v, run); };
  std::map<VertexId, std::vector<VertexId>> copies;  // at most one per vertex
  bool fits = true;
  const auto room = [&](VertexId v, std::uint32_t count) {
    fits = fits && !copies.contains(v) && count <= (out ? graph.out_degree(v) : graph.in_degree(v));
    return copies[v].assign(count, kNoVertex), copies[v].data();
  };
  const auto visit_part = [&](VertexId first, VertexId last) {
    if (out) {
      graph.ForEachOutRun(first, last, visit);
      graph.ForEachOutRun(first, last, keep, room);
    } else {
      graph.ForEachInRun(first, last, visit);
      graph.ForEachInRun(first, last, keep, room);
    }
  };
  visit_part(0, graph.id_limit() / 3);
  visit_part(graph.id_limit() / 3, graph.id_limit());
  if (!ascend) return "runs do not ascend";
  if (!fits) return "room for more copies than there are edges";
  std::vector<std::uint64_t> lasting;
  for (const auto& [v, run] : kept) {
    for (const VertexId u : run) lasting.push_back(std::uint64_t{v} << 32 | u);
  }
  if (lasting != runs) return "runs that are kept";
  std::ranges::sort(single);
  std::ranges::sort(runs);
  if (runs != single) return out ? "runs of the out-lists" : "runs of the in-lists";
  return "";
}

}  // namespace

std::vector<IdEdge> OutEdges(const WindowView& view) {
  return VisitView(view, [](const auto& graph) { return Listed(graph, true); });
}

std::vector<IdEdge> InEdges(const WindowView& view) {
  return VisitView(view, [](const auto& graph) { return Listed(graph, false); });
}

std::string Inconsistency(const WindowView& view) {
  std::string wrong = VisitView(view, [](const auto& graph) { return WrongLists(graph); });
  if (wrong.empty()) {
    wrong = VisitView(view, [](const auto& graph) { return WrongTraversal(graph); });
  }
  for (const bool out : {true, false}) {
    if (!wrong.empty()) return wrong;
    wrong = VisitView(view, [&](const auto& graph) { return WrongRuns(graph, out); });
    if (wrong.empty()) {
      wrong = VisitView(view, [&](const auto& graph) { return WrongNeighbours(graph, out); });
    }
  }
  if (!wrong.empty()) return wrong;
  wrong = Difference(InEdges(view), OutEdges(view));
  return wrong.empty() ? "" : "in-edges beside out-edges: " + wrong;
}

std::string Wrong(const PublishedView& published, const std::vector<IdEdge>& expected) {
  std::string wrong = Difference(OutEdges(published.view), expected);
  if (!wrong.empty()) return wrong;
  wrong = Inconsistency(published.view);
  if (!wrong.empty()) return wrong;
  const std::size_t vertices =
      VisitView(published.view, [](const auto& graph) { return graph.vertices().size(); });
  if (published.edges == expected.size() && published.vertices == vertices) return "";
  return "counts " + std::to_string(published.edges) + " edges and " +
         std::to_string(published.vertices) + " vertices; there are " +
         std::to_string(expected.size()) + " and " + std::to_string(vertices);
}

}  // namespace sash::testing
