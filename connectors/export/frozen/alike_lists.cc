#include "connectors/export/frozen/alike_lists.h"

#include <cstddef>

#include "connectors/export/edge_rows.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kListsBetweenStops = 4096;

// The starts of lists of degree(v), in the order of places.
template <typename Degree>
std::vector<std::uint32_t> StartsOf(const WindowOutline& outline, const Degree& degree) {
  std::vector<std::uint32_t> starts(outline.vertices() + 1);
  std::uint32_t end = 0;
  for (std::size_t place = 0; place < outline.vertices(); ++place) {
    starts[place] = end;
    end += degree(outline.order.by_place[place]);
  }
  starts.back() = end;
  SASH_CHECK(end == outline.edges);
  return starts;
}

// Puts the place of each vertex into the lists of its out-neighbours.
template <typename Graph>
bool FillInLists(const Graph& graph, const WindowOutline& outline, const std::stop_token& stop,
                 PlacedLists& in) {
  const std::vector<VertexId>& vertices = outline.order.by_place;
  LargeArray<std::uint32_t> next(graph.id_limit());  // by id: where the next neighbour goes
  for (std::size_t place = 0; place < vertices.size(); ++place) {
    next[vertices[place]] = in.starts[place];
  }
  const OutLists<Graph> lists{graph};
  for (std::size_t place = 0; place < vertices.size(); ++place) {
    if (place % kListsBetweenStops == 0 && stop.stop_requested()) return false;
    FetchRowsAhead(lists, vertices, place);
    for (const VertexId target : lists.plain(vertices[place])) {
      in.neighbours[next[target]++] = static_cast<std::uint32_t>(place);
    }
  }
  return true;
}

// The same for lists of places.
bool FillTransposed(const PlacedLists& from, const std::stop_token& stop, PlacedLists& to) {
  std::vector<std::uint32_t> next = to.starts;
  for (std::size_t place = 0; place + 1 < from.starts.size(); ++place) {
    if (place % kListsBetweenStops == 0 && stop.stop_requested()) return false;
    for (std::uint32_t i = from.starts[place]; i < from.starts[place + 1]; ++i) {
      to.neighbours[next[from.neighbours[i]]++] = static_cast<std::uint32_t>(place);
    }
  }
  return true;
}

}  // namespace

std::optional<AlikeLists> PlaceAlikeEdges(const WindowView& view, const WindowOutline& outline,
                                          const std::stop_token& stop) {
  SASH_CHECK(outline.are_alike() && outline.edges <= kMostAlikeEdges);
  AlikeLists lists;
  const bool is_whole = VisitView(view, [&](const auto& graph) {
    lists.in = {StartsOf(outline, [&](VertexId v) { return graph.in_degree(v); }),
                LargeArray<std::uint32_t>(outline.edges)};
    if (!FillInLists(graph, outline, stop, lists.in)) return false;
    lists.out = {StartsOf(outline, [&](VertexId v) { return graph.out_degree(v); }),
                 LargeArray<std::uint32_t>(outline.edges)};
    return FillTransposed(lists.in, stop, lists.out);
  });
  if (!is_whole) return std::nullopt;
  return lists;
}

}  // namespace sash
