// The edges of one pair of vertices in a window, taken together.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/weight.h"
#include "windows/ingest/type_table.h"
#include "windows/store/window_view.h"

namespace sash {

struct PairEdges {
  std::uint64_t edges = 0;           // parallel ones
  Weight weight;                     // of all together; not finite: beyond the range of a double
  std::optional<Weight> heaviest{};  // none: there is no edge
  std::vector<TypeNumber> types{};   // those that edges have, ascending
};

// Reads the shorter of the two lists that have the edges.
PairEdges EdgesOfPair(const WindowView& view, VertexId source, VertexId target);

// The words of the types, in the order of their bytes.
std::vector<std::string> WordsOf(const std::vector<TypeNumber>& types, const TypeTable& table);

}  // namespace sash
