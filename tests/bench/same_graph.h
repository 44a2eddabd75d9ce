// The check behind every figure: a published window equals the expected graph.
#pragma once

#include <optional>
#include <string>

#include "windows/store/csr_graph.h"
#include "windows/store/window_view.h"

namespace sash::bench {

// Empty when `view` has the vertices and edges of `expected`, including parallel edges, in its
// out-lists, its in-lists and its bulk traversal, and the same weights; else the first difference.
std::optional<std::string> Difference(const WindowView& view, const CsrGraph& expected);

}  // namespace sash::bench
