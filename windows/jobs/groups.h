// Sets of vertices (components, communities). The key of one vertex names each set, so that results
// name sets alike in every run: ids are recycled and mean nothing outside the process.
//
// groups[v]: the id of the vertex whose key names the set of v.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// Names each set by its least key, whichever of its vertices named it in `groups` before.
void NameByLeastKey(std::span<const VertexId> vertices, const VertexDictionary& keys,
                    std::vector<VertexId>& groups);

struct GroupSizes {
  std::vector<VertexId> groups;      // with members, ascending
  std::vector<std::uint64_t> sizes;  // by id
};

GroupSizes CountMembers(std::span<const VertexId> vertices, const std::vector<VertexId>& groups);

// A part of a set, in the order of keys.
struct MembersPage {
  std::uint64_t size = 0;         // of the set
  std::uint64_t following = 0;    // its members behind the key at which the page begins
  std::vector<VertexId> members;  // the first of these
};

// The first `count` members behind the key `after`, which need not be a member; without `after`,
// the first of all. `set`: the vertex whose key names the set. O(vertices + members * log(count)).
MembersPage PageOfMembers(std::span<const VertexId> vertices, const std::vector<VertexId>& groups,
                          VertexId set, const std::optional<VertexKey>& after, std::size_t count,
                          const VertexDictionary& keys);

}  // namespace sash
