// WindowView: a frozen window as jobs see it, whatever store made it. A copy is a pin: the edges
// that the view shows stay alive and unchanged until the last copy is destroyed.
//
// Thread safety: any number of threads may read a view.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "windows/base/has_edge.h"
#include "windows/store/csr_graph.h"
#include "windows/store/multiversioned_view.h"

namespace sash {

using WindowView =
    std::variant<std::shared_ptr<const CsrGraph>, std::shared_ptr<const MultiversionedView>>;

// Calls f(view) with the concrete GraphView.
template <typename F>
decltype(auto) VisitView(const WindowView& view, F&& f) {
  return std::visit([&](const auto& graph) -> decltype(auto) { return f(*graph); }, view);
}

// The vertices of the window, as long as the view is pinned.
inline std::span<const VertexId> VerticesOf(const WindowView& view) {
  return VisitView(view,
                   [](const auto& graph) { return std::span<const VertexId>(graph.vertices()); });
}

// Whether the vertex has an edge in the window. Any id is allowed.
inline bool HasEdge(const WindowView& view, VertexId vertex) {
  return VisitView(view, [&](const auto& graph) { return HasEdge(graph, vertex); });
}

// The view of a window without edges.
WindowView EmptyView();

}  // namespace sash
