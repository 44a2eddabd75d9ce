// Sets of vertices (components, communities), each going by the key of one vertex, so that results
// name them alike in every run; ids are recycled and mean nothing outside.
//
// `groups` says by id whose key the set of a vertex goes by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

// Names each set by its least key, whatever vertex of it `groups` named it by.
void NameByLeastKey(std::span<const VertexId> vertices, const VertexDictionary& keys,
                    std::vector<VertexId>& groups);

struct GroupSizes {
  std::vector<VertexId> groups;      // that have members, ascending
  std::vector<std::uint64_t> sizes;  // by id
};

GroupSizes CountMembers(std::span<const VertexId> vertices, const std::vector<VertexId>& groups);

}  // namespace sash
