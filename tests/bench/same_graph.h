// The check behind every figure: a published window is the graph it should be.
#pragma once

#include <optional>
#include <string>

#include "windows/store/csr_graph.h"
#include "windows/store/window_view.h"

namespace sash::bench {

// Nothing when `view` has the vertices and edges of `expected`, parallel edges as often, along its
// out-lists, its in-lists and its bulk traversal, and the same weights; else the first difference.
std::optional<std::string> Difference(const WindowView& view, const CsrGraph& expected);

}  // namespace sash::bench
