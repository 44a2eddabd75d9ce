// PlacedLists: both directions of a view as a frozen snapshot has them.
//
// Whole lists are not sorted. First, each vertex puts its edges into the lists of its
// out-neighbours, which is a random write for each edge. If each vertex then, in the order of
// places, puts the edges of its in-list into the lists of their sources, the out-lists ascend; and
// these give the in-lists in the same way. Parallel edges are neighbours in an out-list then; they
// alone are compared, and the in-lists keep their order.
//
// Thread safety: pure; the caller pins the view and its ids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "connectors/export/window_outline.h"
#include "windows/base/check.h"
#include "windows/base/large_array.h"

namespace sash {

// The lists of one direction, by place.
template <typename Edge>
struct PlacedLists {
  std::vector<std::uint32_t> starts{};  // one more than vertices
  LargeArray<Edge> edges{};             // each list ascends by place
};

template <typename Edge>
struct PlacedDirections {
  PlacedLists<Edge> out{};
  PlacedLists<Edge> in{};
};

// Whether both directions of so many edges take at most `most` bytes.
template <typename Edge>
bool CanBePlaced(std::uint64_t edges, std::uint64_t most) {
  return edges <= most / (2 * sizeof(Edge));
}

inline constexpr std::size_t kListsBetweenStops = 4096;

// Lists of degree(v) edges each, in the order of places; no edge is in them yet.
template <typename Edge, typename Degree>
PlacedLists<Edge> EmptyLists(const WindowOutline& outline, const Degree& degree) {
  PlacedLists<Edge> lists{std::vector<std::uint32_t>(outline.vertices() + 1),
                          LargeArray<Edge>(outline.edges)};
  std::uint32_t end = 0;
  for (std::size_t place = 0; place < outline.vertices(); ++place) {
    lists.starts[place] = end;
    end += degree(outline.order.by_place[place]);
  }
  lists.starts.back() = end;
  SASH_CHECK(end == outline.edges);
  return lists;
}

// Appends edges to lists that are anywhere in memory. It gathers a batch first: then the places of
// the next edges are known, and can be fetched ahead.
template <typename Edge>
class EdgeScatter {
 public:
  // `next`: by id, where the next edge of that list goes. Both outlive the object.
  EdgeScatter(LargeArray<std::uint32_t>& next, LargeArray<Edge>& edges)
      : next_(next), edges_(edges), targets_(kBatch), gathered_(kBatch) {}

  void Put(VertexId target, const Edge& edge) {
    targets_[count_] = target;
    gathered_[count_] = edge;
    if (++count_ == kBatch) Flush();
  }
  void Flush() {
    for (std::size_t i = 0; i < count_; ++i) {
      if (i + kPlaceAhead < count_) __builtin_prefetch(&next_[targets_[i + kPlaceAhead]], 1);
      if (i + kEdgeAhead < count_) {
        __builtin_prefetch(&edges_[next_[targets_[i + kEdgeAhead]]], 1);
      }
      edges_[next_[targets_[i]]++] = gathered_[i];
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t kBatch = 1024;
  static constexpr std::size_t kPlaceAhead = 32;
  static constexpr std::size_t kEdgeAhead = 16;

  LargeArray<std::uint32_t>& next_;
  LargeArray<Edge>& edges_;
  std::vector<VertexId> targets_;
  std::vector<Edge> gathered_;
  std::size_t count_ = 0;
};

// Puts the edges of each vertex into the lists of its out-neighbours, in the order of ids: that of
// lists in memory.
template <typename Form, typename Graph>
bool FillInLists(const Form& form, const Graph& graph, const WindowOutline& outline,
                 const std::stop_token& stop, PlacedLists<typename Form::Edge>& in) {
  const KeyOrder& order = outline.order;
  LargeArray<std::uint32_t> next(graph.id_limit());
  for (std::size_t place = 0; place < order.by_place.size(); ++place) {
    next[order.by_place[place]] = in.starts[place];
  }
  EdgeScatter<typename Form::Edge> scatter(next, in.edges);
  for (VertexId v = 0; v < graph.id_limit(); ++v) {
    if (v % kListsBetweenStops == 0 && stop.stop_requested()) return false;
    if (graph.out_degree(v) == 0) continue;
    for (const auto& element : form.ListOf(graph, v)) {
      scatter.Put(form.TargetOf(element), form.Make(order.places[v], element));
    }
  }
  scatter.Flush();
  return true;
}

template <typename Form>
void OrderParallelEdges(const Form& form, PlacedLists<typename Form::Edge>& lists) {
  const auto less = [&](const auto& a, const auto& b) { return form.Less(a, b); };
  for (std::size_t place = 0; place + 1 < lists.starts.size(); ++place) {
    const std::uint32_t end = lists.starts[place + 1];
    for (std::uint32_t first = lists.starts[place]; first < end;) {
      std::uint32_t last = first + 1;
      const std::uint32_t neighbour = form.PlaceOf(lists.edges[first]);
      while (last < end && form.PlaceOf(lists.edges[last]) == neighbour) ++last;
      if (last - first > 1) {
        std::sort(lists.edges.begin() + first, lists.edges.begin() + last, less);
      }
      first = last;
    }
  }
}

// The lists of the other direction.
template <typename Form>
bool FillTransposed(const Form& form, const PlacedLists<typename Form::Edge>& from,
                    const std::stop_token& stop, PlacedLists<typename Form::Edge>& to) {
  std::vector<std::uint32_t> next = to.starts;
  for (std::size_t place = 0; place + 1 < from.starts.size(); ++place) {
    if (place % kListsBetweenStops == 0 && stop.stop_requested()) return false;
    for (std::uint32_t i = from.starts[place]; i < from.starts[place + 1]; ++i) {
      const auto& edge = from.edges[i];
      to.edges[next[form.PlaceOf(edge)]++] = form.Turned(edge, static_cast<std::uint32_t>(place));
    }
  }
  return true;
}

// Nothing: stop was requested. REQUIRES: `outline` is that of `view`, and its edges have this form;
// there are fewer than 2^32.
template <typename Form>
std::optional<PlacedDirections<typename Form::Edge>> PlaceEdges(const Form& form,
                                                                const WindowView& view,
                                                                const WindowOutline& outline,
                                                                const std::stop_token& stop) {
  using Edge = typename Form::Edge;
  SASH_CHECK(outline.edges < std::uint64_t{1} << 32);
  PlacedDirections<Edge> lists;
  const bool is_whole = VisitView(view, [&](const auto& graph) {
    lists.in = EmptyLists<Edge>(outline, [&](VertexId v) { return graph.in_degree(v); });
    if (!FillInLists(form, graph, outline, stop, lists.in)) return false;
    lists.out = EmptyLists<Edge>(outline, [&](VertexId v) { return graph.out_degree(v); });
    if (!FillTransposed(form, lists.in, stop, lists.out)) return false;
    if constexpr (Form::kDiffer) OrderParallelEdges(form, lists.out);
    return FillTransposed(form, lists.out, stop, lists.in);
  });
  if (!is_whole) return std::nullopt;
  return lists;
}

}  // namespace sash
