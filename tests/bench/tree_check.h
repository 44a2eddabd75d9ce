// The check of a breadth-first tree: the five rules by which Graph 500 validates a search, applied
// to the list of edges from which the graph was made. Edges have no direction here.
//
// Thread safety: pure functions.
//
// Source: Graph 500 specification, version 2.1, "Validation" and "Computing and outputting
// performance information".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "windows/base/ids.h"

namespace sash::bench {

struct EdgeSpans {
  std::span<const VertexId> sources;
  std::span<const VertexId> targets;
};

// The result of a search. Both spans are by id. A vertex that is not reached has the depth
// kUnreached and the parent kNoVertex; the root has no parent either.
struct SearchedTree {
  VertexId root = 0;
  std::span<const std::int32_t> depths;
  std::span<const VertexId> parents;
};

// Empty when the tree is right; else the first rule that is broken, and where.
std::optional<std::string> TreeError(const EdgeSpans& edges, const SearchedTree& tree);

// The edges that the specification counts as traversed: those with a reached end, including
// parallel edges and self-loops.
std::uint64_t TraversedEdges(const EdgeSpans& edges, std::span<const std::int32_t> depths);

}  // namespace sash::bench
