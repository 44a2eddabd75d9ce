// The order in which results list vertices by weight: greatest first, ties by key. Integers are
// compared exactly, other weights rounded like scores. See ranking.h.
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

// The first `count` vertices with a finite weight.
std::vector<WeighedVertex> TopByWeight(std::span<const VertexId> vertices,
                                       const std::vector<Weight>& weights, std::size_t count,
                                       const VertexDictionary& keys);

std::uint64_t RankByWeight(std::span<const VertexId> vertices, const std::vector<Weight>& weights,
                           VertexId vertex, const VertexDictionary& keys);

}  // namespace sash
