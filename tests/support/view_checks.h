// What every published view must keep, whatever made it; by vertex ids.
#pragma once

#include <string>
#include <vector>

#include "tests/support/id_edge.h"
#include "windows/store/window_store.h"
#include "windows/store/window_view.h"

namespace sash::testing {

// Every visible edge, ordered; along the out-lists or the in-lists.
std::vector<IdEdge> OutEdges(const WindowView& view);
std::vector<IdEdge> InEdges(const WindowView& view);

// What is wrong within a view: degrees, the list of vertices, lists with and without weights, the
// two directions, the bulk traversal. "": nothing.
std::string Inconsistency(const WindowView& view);

// What is wrong with what `after` tells of in-edges that came and left since `before`, a view of
// the same vertices. "": nothing, or there is nothing that a store tells of that.
std::string WrongChanges(const WindowView& before, const WindowView& after);

// What is wrong with a publication that should show `expected` (ordered). "": nothing.
std::string Wrong(const PublishedView& published, const std::vector<IdEdge>& expected);

}  // namespace sash::testing
