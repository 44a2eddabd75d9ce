// Checks of what every published view must guarantee, for every kind of store. Edges are compared
// by vertex ids.
#pragma once

#include <string>
#include <vector>

#include "tests/support/id_edge.h"
#include "windows/store/window_store.h"
#include "windows/store/window_view.h"

namespace sash::testing {

// Every visible edge, sorted; read from the out-lists or from the in-lists.
std::vector<IdEdge> OutEdges(const WindowView& view);
std::vector<IdEdge> InEdges(const WindowView& view);

// Checks a view for consistency: degrees, the list of vertices, lists with and without weights,
// both directions, the bulk traversal. Returns the fault; "" when there is none.
std::string Inconsistency(const WindowView& view);

// Checks the in-edges that, according to `after`, came and left since `before`, a view of the same
// vertices. Returns the fault; "" when there is none, or when the store does not report changes.
std::string WrongChanges(const WindowView& before, const WindowView& after);

// Compares a publication with the sorted edges that it should show. Returns the fault; "" when
// there is none.
std::string Wrong(const PublishedView& published, const std::vector<IdEdge>& expected);

}  // namespace sash::testing
