// WindowView: a frozen window as jobs see it, whatever store made it. Copying one pins it: what it
// shows stays alive and unchanged until the last copy is gone.
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

// Of a window without a single edge.
WindowView EmptyView();

}  // namespace sash
