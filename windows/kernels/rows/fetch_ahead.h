// FetchAhead: prefetches memory that a loop over consecutive elements will read. FetchListsAhead:
// prefetches the lists of vertices that a loop visits in any order.
//
// Thread safety: may be called from any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"

namespace sash {

// Lists mostly follow each other in memory: the memory kBytes ahead is fetched while these elements
// are looked up. The processor also does so, but not across pages, and too late: a pass of PageRank
// took a quarter longer. The address may be past the end.
template <typename Element>
void FetchAhead(const Element* elements) {
  constexpr std::uintptr_t kBytes = 2'048;
  __builtin_prefetch(std::bit_cast<const void*>(std::bit_cast<std::uintptr_t>(elements) + kBytes));
}

// Vertices between two steps for the same vertex.
inline constexpr std::size_t kBetweenFetches = 4;

// To be called before the list of vertices[i] is read, for each i in turn. Calls fetch(v, step) for
// vertices that come later.
template <typename Fetch>
void FetchListsAhead(std::span<const VertexId> vertices, std::size_t i, const Fetch& fetch) {
  if (i + 3 * kBetweenFetches < vertices.size())
    fetch(vertices[i + 3 * kBetweenFetches], FetchStep::kState);
  if (i + 2 * kBetweenFetches < vertices.size())
    fetch(vertices[i + 2 * kBetweenFetches], FetchStep::kPlace);
  if (i + kBetweenFetches < vertices.size())
    fetch(vertices[i + kBetweenFetches], FetchStep::kFirst);
}

// To be called before the first list is read, since no step has been called for the first vertices.
// Calls each step for several vertices, so that their waits overlap.
template <typename Fetch>
void FetchFirstLists(std::span<const VertexId> vertices, const Fetch& fetch) {
  const auto first = [&](std::size_t count) {
    return vertices.first(std::min(count, vertices.size()));
  };
  for (const VertexId v : first(3 * kBetweenFetches)) fetch(v, FetchStep::kState);
  for (const VertexId v : first(2 * kBetweenFetches)) fetch(v, FetchStep::kPlace);
  for (const VertexId v : first(kBetweenFetches)) fetch(v, FetchStep::kFirst);
}

}  // namespace sash
