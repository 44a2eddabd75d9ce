// The order in which results list vertices. It does not depend on the number of threads.
//
// Scores (rounded to nine significant digits) and counts are listed greatest first; depths and
// distances (rounded in the same way) nearest first. Ties are listed by key (UTF-8 bytes, or
// numerically). Weights: weight_ranking.h.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/run_result.h"

namespace sash {

// The vertices that have a score (not NaN).
std::vector<VertexId> HavingScore(std::span<const VertexId> vertices,
                                  const std::vector<double>& scores);

// The first `count` of `vertices`, which all have a score, in result order. O(vertices), plus
// sorting the listed ones.
std::vector<RankedVertex> TopByScore(std::span<const VertexId> vertices,
                                     const std::vector<double>& scores, std::size_t count,
                                     const VertexDictionary& keys);

// The same, with another score of each vertex, which does not change the order.
std::vector<RatedVertex> TopByRating(std::span<const VertexId> vertices,
                                     const std::vector<double>& scores,
                                     const std::vector<double>& others, std::size_t count,
                                     const VertexDictionary& keys);

// Position of `vertex` in that order, from 1, among the vertices that have a score. O(vertices).
std::uint64_t RankByScore(std::span<const VertexId> vertices, const std::vector<double>& scores,
                          VertexId vertex, const VertexDictionary& keys);

// The first `count` reached vertices, in order; reached_rows.h makes rows of them.
std::vector<VertexId> NearestFirst(std::span<const VertexId> vertices,
                                   const std::vector<std::int32_t>& depths, std::size_t count,
                                   const VertexDictionary& keys);

std::uint64_t RankByDepth(std::span<const VertexId> vertices,
                          const std::vector<std::int32_t>& depths, VertexId vertex,
                          const VertexDictionary& keys);

std::vector<CountedVertex> TopByCount(std::span<const VertexId> vertices,
                                      const std::vector<std::uint64_t>& counts, std::size_t count,
                                      const VertexDictionary& keys);

std::uint64_t RankByCount(std::span<const VertexId> vertices,
                          const std::vector<std::uint64_t>& counts, VertexId vertex,
                          const VertexDictionary& keys);

// The first `count` vertices that a path leads to.
std::vector<DistantVertex> TopByDistance(std::span<const VertexId> vertices,
                                         const std::vector<double>& distances, std::size_t count,
                                         const VertexDictionary& keys);

std::uint64_t RankByDistance(std::span<const VertexId> vertices,
                             const std::vector<double>& distances, VertexId vertex,
                             const VertexDictionary& keys);

// The first `count` of `vertices` by a value that may be negative: greatest first, rounded like
// scores, then by key. Vertices without a value (NaN) come last.
std::vector<VertexId> GreatestFirst(std::span<const VertexId> vertices,
                                    const std::vector<double>& values, std::size_t count,
                                    const VertexDictionary& keys);

}  // namespace sash
