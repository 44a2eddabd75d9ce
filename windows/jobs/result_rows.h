// The rows that results list.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "windows/base/weight.h"
#include "windows/ingest/vertex_key.h"
#include "windows/kernels/edges_of_end.h"

namespace sash {

struct RankedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1
  double score = 0;
};

// A vertex with two scores. The first gives the rank.
struct RatedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1
  double score = 0;
  double other = 0;
};

struct ReachedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1, nearest first
  std::int32_t depth = 0;
  std::optional<VertexKey> parent;  // with the least key; none: a root, or parents are not wanted
};

struct DistantVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1, nearest first
  double distance = 0;
};

// A vertex with a number of something, or a set with its size, under the key that names the set.
struct CountedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1, greatest first
  std::uint64_t count = 0;
};

// A vertex with a sum of weights.
struct WeighedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1, greatest first
  Weight weight;
};

// Two vertices, with the sum of the edges between them, or a score.
struct PairOfVertices {
  VertexKey source;
  VertexKey target;
  std::uint64_t edges = 0;           // parallel ones
  Weight weight;                     // their sum; not finite: beyond the range of a double
  std::vector<std::string> types{};  // those that the edges have, in the order of their bytes
  std::optional<double> score{};     // of the pair; none: it has no score
};

// An edge leads from each vertex to the next, and from the last to the first.
struct CycleOfVertices {
  std::vector<VertexKey> vertices;
  Weight weight;  // the least of its edges; of parallel edges the heaviest counts
};

// An edge leads from each vertex to the next; at least one vertex.
struct PathOfVertices {
  std::vector<VertexKey> vertices = {VertexKey()};
  Weight weight;  // the sum of its edges; of parallel edges the lightest counts

  std::size_t hops() const { return vertices.size() - 1; }
};

// Two vertices with an edge, and the figures of the edge that a model of fraud needs.
struct FeaturesOfPair {
  VertexKey source{};
  VertexKey target{};
  std::uint64_t edges = 0;  // parallel ones
  Weight weight{};          // their sum; not finite: beyond the range of a double
  BothDirections of_source{};
  BothDirections of_target{};
  // Simple directed cycles with this edge, by their number of edges, from 2 on; empty: not counted.
  std::vector<std::uint64_t> cycles{};
  // Scatter-gather patterns with this edge, and the vertices between the ends of the largest one;
  // none: not counted.
  std::optional<std::uint64_t> patterns{};
  std::optional<std::uint64_t> intermediates{};
};

// How the vertex of a row compares with the baseline of its result.
struct ComparedRow {
  double score = 0;              // in the baseline; NaN: it is not there
  std::uint64_t rank = 0;        // in it: 1 + the number of vertices with a greater score; 0: none
  std::int64_t rank_change = 0;  // the places by which it has risen since; only with a rank
  double surprise = 0;           // NaN: none
};

// Whether rows are of a type that ranks by a score, greatest first (sets by their size).
template <typename Row>
inline constexpr bool kHasScore =
    std::is_same_v<Row, RankedVertex> || std::is_same_v<Row, RatedVertex> ||
    std::is_same_v<Row, CountedVertex> || std::is_same_v<Row, WeighedVertex>;

// Whether rows are about one vertex or one set each, and have a rank.
template <typename Row>
inline constexpr bool kIsOfVertex = requires(const Row& row) {
  row.rank;
};

}  // namespace sash
