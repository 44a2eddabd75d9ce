#include "tests/bench/same_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/store/neighbor.h"

namespace sash::bench {
namespace {

template <typename List>
bool Holds(const List& list, std::span<const VertexId> row) {
  std::vector<VertexId> listed;
  for (const VertexId u : list) listed.push_back(u);
  std::ranges::sort(listed);
  return std::ranges::equal(listed, row);
}

// A number for a list with its weights, independent of the order.
std::uint64_t WeightDigest(const auto& list) {
  std::uint64_t digest = 0;
  for (const Neighbor& neighbour : list) {
    const auto weight = std::bit_cast<std::uint64_t>(neighbour.weight.AsDouble());
    const std::uint64_t mixed = ((std::uint64_t{neighbour.vertex} + 1) ^ weight >> 7 ^ weight << 9 ^
                                 std::uint64_t{neighbour.weight.is_integer()} << 63) *
                                0x9E37'79B9'7F4A'7C15;
    digest += (mixed ^ mixed >> 29) * 0xBF58'476D'1CE4'E5B9;
  }
  return digest;
}

// A number for the neighbours of each vertex, independent of their order.
std::vector<std::uint64_t> Digests(const auto& graph) {
  std::vector<std::uint64_t> digests(graph.id_limit());
  graph.ForEachIn(0, graph.id_limit(), [&](VertexId v, VertexId u) {
    digests[v] += (std::uint64_t{u} + 1) * 0x9E37'79B9'7F4A'7C15;
  });
  return digests;
}

std::optional<std::string> GraphDifference(const auto& graph, const CsrGraph& expected) {
  if (graph.edge_count() != expected.edge_count()) {
    return fmt::format("{} edges instead of {}", graph.edge_count(), expected.edge_count());
  }
  if (!std::ranges::equal(graph.vertices(), expected.vertices())) return "other vertices";
  for (const VertexId v : expected.vertices()) {
    if (graph.out_degree(v) != expected.out_degree(v) ||
        graph.in_degree(v) != expected.in_degree(v)) {
      return fmt::format("vertex {} has another degree", v);
    }
    if (!Holds(graph.out(v), expected.out(v))) return fmt::format("out({}) is another", v);
    if (!Holds(graph.in(v), expected.in(v))) return fmt::format("in({}) is another", v);
    if (WeightDigest(graph.weighted_out(v)) != WeightDigest(expected.weighted_out(v)) ||
        WeightDigest(graph.weighted_in(v)) != WeightDigest(expected.weighted_in(v))) {
      return fmt::format("an edge of vertex {} has another weight", v);
    }
  }
  if (Digests(graph) != Digests(expected)) return "the bulk traversal shows other edges";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Difference(const WindowView& view, const CsrGraph& expected) {
  return VisitView(view, [&](const auto& graph) { return GraphDifference(graph, expected); });
}

}  // namespace sash::bench
