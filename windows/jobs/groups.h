// Sets of vertices (components, communities). The key of one vertex names each set, so that results
// name sets alike in every run: ids are recycled and mean nothing outside the process.
//
// groups[v]: the id of the vertex whose key names the set of v.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

// Names each set by its least key, whichever of its vertices named it in `groups` before.
void NameByLeastKey(std::span<const VertexId> vertices, const VertexDictionary& keys,
                    std::vector<VertexId>& groups);

struct GroupSizes {
  std::vector<VertexId> groups;      // with members, ascending
  std::vector<std::uint64_t> sizes;  // by id
};

GroupSizes CountMembers(std::span<const VertexId> vertices, const std::vector<VertexId>& groups);

}  // namespace sash
