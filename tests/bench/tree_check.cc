#include "tests/bench/tree_check.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "windows/kernels/bfs.h"

namespace sash::bench {
namespace {

// Rules 1 and 2: following the parents leads to the root, one level at each step, so there is no
// cycle.
std::optional<std::string> ParentError(const SearchedTree& tree) {
  if (tree.depths[tree.root] != 0 || tree.parents[tree.root] != kNoVertex) {
    return fmt::format("vertex {} is not a root", tree.root);
  }
  for (std::size_t i = 0; i < tree.depths.size(); ++i) {
    const auto v = static_cast<VertexId>(i);
    const VertexId parent = tree.parents[v];
    const bool reached = tree.depths[v] != kUnreached;
    if (v == tree.root) continue;
    if (reached != (parent != kNoVertex)) {
      return fmt::format("vertex {} has a depth or a parent, but not both", v);
    }
    if (!reached) continue;
    if (parent >= tree.depths.size() || tree.depths[parent] == kUnreached ||
        tree.depths[v] != tree.depths[parent] + 1) {
      return fmt::format("vertex {} is not one step from its parent {}", v, parent);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> TreeError(const EdgeSpans& edges, const SearchedTree& tree) {
  if (auto error = ParentError(tree)) return error;
  std::vector<bool> joined(tree.depths.size());  // with its parent, by an edge
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    const VertexId u = edges.sources[i];
    const VertexId v = edges.targets[i];
    // Rule 4: the tree spans the whole component of its root.
    if ((tree.depths[u] == kUnreached) != (tree.depths[v] == kUnreached)) {
      return fmt::format("the edge from {} to {} leaves the tree", u, v);
    }
    // Rule 3.
    if (std::abs(tree.depths[u] - tree.depths[v]) > 1) {
      return fmt::format("the edge from {} to {} crosses more than a level", u, v);
    }
    if (tree.parents[v] == u) joined[v] = true;
    if (tree.parents[u] == v) joined[u] = true;
  }
  for (std::size_t v = 0; v < joined.size(); ++v) {
    if (tree.parents[v] == kNoVertex || joined[v]) continue;
    return fmt::format("no edge joins {} with its parent {}", v, tree.parents[v]);  // rule 5
  }
  return std::nullopt;
}

std::uint64_t TraversedEdges(const EdgeSpans& edges, std::span<const std::int32_t> depths) {
  std::uint64_t count = 0;
  for (const VertexId u : edges.sources) count += depths[u] == kUnreached ? 0 : 1;
  return count;
}

}  // namespace sash::bench
