// WindowView: a frozen window as jobs see it, whatever store made it. A copy is a pin: the edges
// that the view shows stay alive and unchanged until the last copy is destroyed.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

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

// The view of a window without edges.
WindowView EmptyView();

}  // namespace sash
